#ifdef SMALL
#define WIDTH 8
#define WAIT it.barrier()
#else
#define WIDTH 16
#define WAIT sync_all(it)
#endif
#define PASTE(a, b) a##b = 1
void use(sycl::nd_item<1> it, int n) {
    n = WIDTH;
    WAIT;
    PASTE(x, y);
    ALIEN;
}
