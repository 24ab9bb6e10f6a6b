// Elements of arrays and of the library's lists.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <array>
#include <tuple>
#include <utility>
#include <vector>

// f is 128
namespace constant_array {
constexpr std::array<int, 3> sizes{64, 128, 256};
int f(int a) {
  return sizes[1];
}
} // namespace constant_array

// f is 256
namespace inner_braces {
constexpr std::array<int, 3> sizes{{64, 128, 256}};
int f(int a) {
  return sizes.back();
}
} // namespace inner_braces

// f is 64
namespace front {
constexpr std::array sizes{64, 128, 256};
int f(int a) {
  return sizes.front();
}
} // namespace front

// f is 3
namespace size {
constexpr std::array sizes{64, 128, 256};
int f(int a) {
  return sizes.size();
}
} // namespace size

// f is 4
namespace size_more {
constexpr std::array<int, 4> sizes = {64, 128, 256};
int f(int a) {
  return sizes.size();
}
} // namespace size_more

// f is 0
namespace zeros {
constexpr std::array<int, 4> sizes = {64, 128, 256};
int f(int a) {
  return sizes[3];
}
} // namespace zeros

// f is 0
namespace zeros_back {
constexpr std::array<int, 4> sizes = {64, 128, 256};
int f(int a) {
  return sizes.back();
}
} // namespace zeros_back

// f is 128
namespace c_array {
constexpr int sizes[] = {64, 128, 256};
int f(int a) {
  return sizes[1];
}
} // namespace c_array

// f is 3
namespace c_array_size {
constexpr int sizes[] = {64, 128, 256};
int f(int a) {
  return std::size(sizes);
}
} // namespace c_array_size

// f returns 3
namespace c_array_sizeof {
constexpr int sizes[] = {64, 128, 256};
int f(int a) {
  return sizeof(sizes) / sizeof(sizes[0]);
}
} // namespace c_array_sizeof

// f is 0
namespace c_array_zero {
constexpr int sizes[4] = {64, 128, 256};
int f(int a) {
  return sizes[3];
}
} // namespace c_array_zero

// f is 128
namespace getter {
constexpr std::array<int, 3> sizes{64, 128, 256};
int f(int a) {
  return std::get<1>(sizes);
}
} // namespace getter

// f is 128
namespace at {
constexpr std::array<int, 3> sizes{64, 128, 256};
int f(int a) {
  return sizes.at(1);
}
} // namespace at

// f is 128
namespace binding {
int f(int a) {
  const auto [x, y] = std::array<int, 2>{64, 128};
  return y;
}
} // namespace binding

// f is 128
namespace binding_name {
constexpr std::array<int, 3> sizes{64, 128, 256};
int f(int a) {
  const auto [x, y, z] = sizes;
  return y;
}
} // namespace binding_name

// f returns 64
namespace binding_reference {
constexpr std::array<int, 3> sizes{64, 128, 256};
int f(int a) {
  const auto &[x, y, z] = sizes;
  return x;
}
} // namespace binding_reference

// f is 4
namespace binding_struct {
struct C {
  int wg = 64;
  int rows = 4;
};
int f(int a) {
  C c;
  auto [w, r] = c;
  return r;
}
} // namespace binding_struct

// f returns 5
namespace binding_struct_changed {
struct C {
  int wg = 64;
  int rows = 4;
};
int f(int a) {
  C c;
  auto &[w, r] = c;
  r = 5;
  return c.rows;
}
} // namespace binding_struct_changed

// f is 5
namespace binding_changed {
struct C {
  int wg = 64;
  int rows = 4;
};
int f(int a) {
  C c;
  auto [w, r] = c;
  r = 5;
  return r;
}
} // namespace binding_changed

// f is 4
namespace binding_call {
struct C {
  int wg;
  int rows;
};
C make() {
  return {64, 4};
}
int f(int a) {
  auto [w, r] = make();
  return r;
}
} // namespace binding_call

// f is 4
namespace binding_pair {
std::pair<int, int> make() {
  return {64, 4};
}
int f(int a) {
  auto [w, r] = make();
  return r;
}
} // namespace binding_pair

// f is 4
namespace binding_tuple {
int f(int a) {
  auto [w, r, q] = std::make_tuple(64, 4, 2.5);
  return r;
}
} // namespace binding_tuple

// f returns 64
namespace pair_first {
int f(int a) {
  std::pair<int, int> p{64, 4};
  return p.first;
}
} // namespace pair_first

// f is 4
namespace tuple_get {
int f(int a) {
  const std::tuple<int, int> p{64, 4};
  return std::get<1>(p);
}
} // namespace tuple_get

// f returns 9
namespace element_changed {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  s[1] = 9;
  return s[1];
}
} // namespace element_changed

// f returns 9
namespace element_changed_at {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  s.at(1) = 9;
  return s[1];
}
} // namespace element_changed_at

// f returns 9
namespace element_changed_get {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  std::get<1>(s) = 9;
  return s[1];
}
} // namespace element_changed_get

// f returns 9
namespace element_changed_front {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  s.front() = 9;
  return s[0];
}
} // namespace element_changed_front

// f returns 9
namespace element_changed_data {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  int *p = s.data();
  p[0] = 9;
  return s[0];
}
} // namespace element_changed_data

// f returns 9
namespace filled {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  s.fill(9);
  return s[0];
}
} // namespace filled

// f returns 9
namespace loop_changes {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  for (auto &e : s) e = 9;
  return s[0];
}
} // namespace loop_changes

// f returns 9
namespace by_reference {
void set(std::array<int, 3> &s) {
  s[0] = 9;
}
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  set(s);
  return s[0];
}
} // namespace by_reference

// f returns 128
namespace local_plain {
int f(int a) {
  std::array<int, 3> s{64, 128, 256};
  return s[1];
}
} // namespace local_plain

// f is 128
namespace local_const {
int f(int a) {
  const std::array<int, 3> s{64, 128, 256};
  return s[1];
}
} // namespace local_const

// f is 128
namespace narrow {
constexpr std::array<unsigned char, 2> s{64, 128};
int f(int a) {
  return s[1];
}
} // namespace narrow

// f is 6
namespace alias_type {
using Sizes = std::array<int, 3>;
constexpr Sizes s{4, 5, 6};
int f(int a) {
  return s[2];
}
} // namespace alias_type

// f is 5
namespace member_array {
struct P {
  static constexpr std::array<int, 3> s{4, 5, 6};
};
int f(int a) {
  return P::s[1];
}
} // namespace member_array

// f is 5
namespace member_array_bare {
struct P {
  static constexpr int s[] = {4, 5, 6};
};
int f(int a) {
  return P::s[1];
}
} // namespace member_array_bare

// f is 10
namespace of_structs {
struct C {
  int wg;
  int rows;
};
constexpr std::array<C, 2> s{{{4, 5}, {9, 10}}};
int f(int a) {
  return s[1].rows;
}
} // namespace of_structs

// f is 10
namespace of_structs_c {
struct C {
  int wg;
  int rows;
};
constexpr C s[] = {{4, 5}, {9, 10}};
int f(int a) {
  return s[1].rows;
}
} // namespace of_structs_c

// f is 2
namespace vector_size {
int f(int a) {
  std::vector<int> v{1, 2};
  return v.size();
}
} // namespace vector_size

// f is 6
namespace two_dimensional {
constexpr int s[2][3] = {{1, 2, 3}, {4, 5, 6}};
int f(int a) {
  return s[1][2];
}
} // namespace two_dimensional

// f returns 6
namespace two_dimensional_flat {
constexpr int s[2][3] = {1, 2, 3, 4, 5, 6};
int f(int a) {
  return s[1][2];
}
} // namespace two_dimensional_flat

// f is 64 | 128 | 256
namespace loop_over_library_array {
constexpr std::array<int, 3> sizes{64, 128, 256};
int f(int a) {
  for (int s : sizes) {
    if (s >= a * 40 || s == 256)
      return s;
  }
  throw a;
}
} // namespace loop_over_library_array

// f returns 5, 10
namespace loop_over_objects {
struct C {
  int wg;
  int rows;
};
constexpr C all[] = {{4, 5}, {9, 10}};
int f(int a) {
  for (const auto &each : all) {
    if (each.rows > a || each.wg == 9)
      return each.rows;
  }
  throw a;
}
} // namespace loop_over_objects

// f is 64 | 128
namespace loop_over_constant_vector {
int f(int a) {
  const std::vector<int> sizes{64, 128};
  for (int s : sizes) {
    if (s > a * 20 || s == 128)
      return s;
  }
  throw a;
}
} // namespace loop_over_constant_vector

// f returns 64, 128
namespace chosen_element {
constexpr std::array<int, 2> sizes{64, 128};
int f(int a) {
  return sizes[a > 3];
}
} // namespace chosen_element

// f is 64 | 256
namespace chosen_by_a_loop {
constexpr int sizes[] = {64, 128, 256};
int f(int a) {
  for (int i = 0; i < 3; i += 2) {
    if (i > a || i == 2)
      return sizes[i];
  }
  throw a;
}
} // namespace chosen_by_a_loop
