float scaled(float x, int n, const float *p) {
    const float half = 0.5f;
    int sum = -n + 2 * n;
    sum += 3;
    ++sum;
    int before = sum--;
    return (float)sum * half + p[n] * sizeof(float) + before;
}
