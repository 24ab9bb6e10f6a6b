bool inside(const int *a, int i, int n) {
    if (i < n && a[i] > 0) return true;
    return i == n || a[0] ? a[i] : a[n];
}
