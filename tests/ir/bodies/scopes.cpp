int shadowed(int n) {
    int k = 1;
    {
        int k = 2;
        n += k;
    }
    if (int k = n) n = k;
    else n = -k;
    return n + k;
}
