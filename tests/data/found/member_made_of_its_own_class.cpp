// A member's initial value is read from another object of the same class, and so on without an end.
#include <sycl/sycl.hpp>

struct Extent {
  float x, y[512];
  int z = Extent{x}.z;
};

int main() {
  sycl::queue q;
  int n = Extent{(Extent{1}.z + 255) / 256 * 256}.z * 2;
  q.parallel_for(sycl::nd_range<1>(Extent{1}.z, n), [=](sycl::nd_item<1> it) {});
}
