#include <sycl/sycl.hpp>

void halves(sycl::queue &q, float *x) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> it) {
      const bool odd = it.get_local_id(0) & 1;
#include "a.cpp"
      x[it.get_global_id(0)] = odd;
    });
  });
}
