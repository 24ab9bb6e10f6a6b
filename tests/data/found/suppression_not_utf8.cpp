// Suppressions with words that are no UTF-8.
#include <sycl/sycl.hpp>
// sycllint: ignore[SYC10ÿ] þ
// sycllint: ignÿore[SYC101]
// sycllint: ignoer[SYC101 until=ÿ]
// NOLINT(sycllint-SYC1ÿ01)
int main() {}
