#define first second
#define second first
void run(sycl::queue &q, int n) {
  q.parallel_for(n, [=](sycl::id<1> i) { second(i); });
}
