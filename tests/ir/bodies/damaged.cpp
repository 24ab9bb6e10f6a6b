void use(float *y, int n) {
    y[0] = 1;
    int @@ n = ;
    y[1] = 2;
}
void inner(int n) {
    {
        n = 4;
        ] n = 5;
    }
}
