// A macro whose text names it again, as an index and as a size: the preprocessor replaces it once.
#include <sycl/sycl.hpp>

#define tile (it + tile)
#define SIZE (SIZE * 2)
#define CALLED(x) CALLED(CALLED(x))

void run(sycl::queue &q, float *data) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(SIZE, 128), [=](sycl::nd_item<1> it) {
      tile[it.get_local_id(0)];
      sycl::group_barrier(it.get_group());
      for (int k = 0; k < CALLED(3); k++) data[tile + k] = tile[k];
    });
  });
}
