struct Point { float x; float y[2]; };
int total;
void move(Point *p, Point &q, float *grid, int i) {
    p->x = 1.0f;
    q.y[1] += p->y[0];
    *grid = grid[i];
    grid[i]++;
    float *there = &grid[i];
    int *own = &i;
    float &first = grid[0];
    first = 2.0f;
    total = first;
    (i > 0 ? p->x : q.x) = 3.0f;
    image[i, 2] = there;
}
