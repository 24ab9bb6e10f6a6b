#define ITEMS 64
#define HALF ITEMS / 2
#define SQUARE(x) ((x) * (x))
#define SET(i, v) do { y[i] = (v); } while (0)
#define NAMED(name) int name = ITEMS
#define APPLY(f, x) f(x)
#define PRINT(...) print("y", __VA_ARGS__)
#define NOTHING(x)
#define ENDLESS ENDLESS + 1
void use(float *y, int n) {
    NAMED(own);
    y[0] = SQUARE(y[n]) + HALF * 2;
    SET(own, n++);
    APPLY(fetch, n);
    PRINT(n, own);
    NOTHING(n = 4);
    n = ENDLESS;
}
