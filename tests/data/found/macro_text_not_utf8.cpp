// The text of a macro is no UTF-8.
#include <sycl/sycl.hpp>
#define SHARED(q) queue.waiÿ·t(q)
void run(sycl::queue &q, int n) {
  float *first = sycl::malloc_device<float>(n, q);
  SHARED(first);
  first[0] = 1.0f;
}
