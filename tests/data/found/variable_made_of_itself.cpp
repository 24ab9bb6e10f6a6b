#include <sycl/sycl.hpp>

void group_of_itself(sycl::queue &q, int *x) {
  q.parallel_for(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> item) {
    auto it = it.get_group();
    x[it.get_global_id(0)] = 0;
  });
}
