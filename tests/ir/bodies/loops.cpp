void fill(int *a, int n) {
    for (int i = 0; i < n; ++i) {
        if (i == 3) continue;
        a[i] = i;
    }
    while (n > 0) --n;
    do { n += 2; } while (n < 8);
    for (;;) { break; }
    for (auto &each : values(n)) each = 0;
}
