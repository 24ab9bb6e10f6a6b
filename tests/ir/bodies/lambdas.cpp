int outside;
void run(sycl::queue &q, float *y, int n) {
    q.parallel_for(sycl::range<1>(n), [=, twice = 2 * n](sycl::id<1> i) {
        auto inner = [&](int k) { y[i] = k + twice + n + outside; };
        inner(3);
        [](float z) { return z; }(1.0f);
    });
}
