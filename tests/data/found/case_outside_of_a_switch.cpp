#include <sycl/sycl.hpp>

void label_alone(sycl::queue &q) {
  q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
    sycl::group_barrier(it.get_group());
  default:
  });
}
