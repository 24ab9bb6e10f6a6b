#define FAST 1
void use(float *y, int n) {
#if FAST
    y[0] = 1;
#else
    y[0] = 2;
#endif
#ifdef WIDE_TYPES
    double sum = 0;
#else
    float sum = 0;
#endif
    y[1] = sum;
}
