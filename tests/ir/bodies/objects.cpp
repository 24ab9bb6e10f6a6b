void make(int n, char *store) {
    sycl::range<2> size(n, 4);
    auto point = Point{1, n};
    std::vector<int> list{1, 2, 3};
    Point *one = new Point(n);
    Point *placed = new (store) Point;
    float *many = new float[n];
    auto [rows, columns] = split(size);
    list.push_back(rows + columns);
    size[0] = one->norm();
    delete one;
    delete[] many;
}
