// What a fix would repeat has bytes in it that are no UTF-8.
#include <sycl/sycl.hpp>
void run(sycl::queue &q, float *data, int n) {
  q.parallel_for(sycl::nd_range<1>(4 /* ÿ */ + 4, 64), [=](sycl::nd_item<1> it) {
    data[it.get_global_id(0) /* þ */ + 1] = 0;
  });
  q.parallel_for(sycl::nd_range<1>((n + 63) / 64 * 64, 64), [=](sycl::nd_item<1> it) {
    if (it.get_global_id(0) /* þ */ + 1 < n) {
      data[it.get_global_id(0)] = 0;
      it.barrier();
    }
  });
}
