// The names that a lambda has in a body are not those of a call.
#include <sycl/sycl.hpp>
void f(sycl::queue &q) {
  q.parallel_for(sycl::nd_range<1>(64, 64), [=](auto item, autom) {
    ;
    sycl::group_barrier(item.get_group());
    uto f = [&](k) {};
  });
}
