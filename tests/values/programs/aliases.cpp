// Who else may change a variable: references, pointers, streams, arrays, macros.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// f returns 3
namespace changed_through_a_reference {
int f(int a) {
  int n = 256;
  int &r = n;
  r = 3;
  return n;
}
} // namespace changed_through_a_reference

// f returns 3
namespace changed_through_a_reference_after_an_assignment {
int f(int a) {
  int n = 256;
  int &r = n;
  n = 4;
  r = 3;
  return n;
}
} // namespace changed_through_a_reference_after_an_assignment

// f returns 4
namespace read_through_a_reference {
int f(int a) {
  int n = 256;
  int &r = n;
  n = 4;
  return r;
}
} // namespace read_through_a_reference

// f returns 4
namespace read_through_a_reference_to_const {
int f(int a) {
  int n = 256;
  const int &r = n;
  n = 4;
  return r;
}
} // namespace read_through_a_reference_to_const

// f returns 3
namespace changed_through_auto_reference {
int f(int a) {
  int n = 256;
  auto &r = n;
  r = 3;
  return n;
}
} // namespace changed_through_auto_reference

// f returns 3
namespace changed_through_a_forwarding_reference_variable {
int f(int a) {
  int n = 256;
  auto &&r = n;
  r = 3;
  return n;
}
} // namespace changed_through_a_forwarding_reference_variable

// f returns 4
namespace changed_through_a_pointer {
int f(int a) {
  int n = 256;
  int *p = &n;
  *p = 4;
  return n;
}
} // namespace changed_through_a_pointer

// f returns 4
namespace changed_through_a_pointer_after_an_assignment {
int f(int a) {
  int n = 256;
  int *p = &n;
  n = 7;
  *p = 4;
  return n;
}
} // namespace changed_through_a_pointer_after_an_assignment

// f returns 4
namespace changed_through_a_pointer_to_a_pointer {
int f(int a) {
  int n = 256;
  int *p = &n;
  int **pp = &p;
  n = 7;
  **pp = 4;
  return n;
}
} // namespace changed_through_a_pointer_to_a_pointer

// f returns 9
namespace changed_by_a_function_that_has_a_pointer_variable {
void g(int *p) {
  *p = 9;
}
int f(int a) {
  int n = 256;
  int *p = &n;
  n = 7;
  g(p);
  return n;
}
} // namespace changed_by_a_function_that_has_a_pointer_variable

// f returns 9
namespace changed_by_a_function_that_has_its_address {
void g(int *p) {
  *p = 9;
}
int f(int a) {
  int n = 256;
  g(&n);
  return n;
}
} // namespace changed_by_a_function_that_has_its_address

// f returns 3
namespace swap {
int f(int a) {
  int n = 256, m = 3;
  std::swap(n, m);
  return n;
}
} // namespace swap

// f returns 9
namespace changed_by_a_function_that_has_a_reference {
void g(int &p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  g(n);
  return n;
}
} // namespace changed_by_a_function_that_has_a_reference

// f returns 9
namespace changed_by_a_function_template {
template <class T> void g(T &p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  g(n);
  return n;
}
} // namespace changed_by_a_function_template

// f returns 9
namespace changed_through_a_forwarding_reference {
template <class T> void g(T &&p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  g(n);
  return n;
}
} // namespace changed_through_a_forwarding_reference

// f returns 9
namespace changed_by_an_abbreviated_template {
void g(auto &p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  g(n);
  return n;
}
} // namespace changed_by_an_abbreviated_template

// f returns 9
namespace changed_through_a_function_pointer {
void g(int &p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  auto h = &g;
  h(n);
  return n;
}
} // namespace changed_through_a_function_pointer

// f returns 9
namespace changed_through_a_reference_to_a_function {
void g(int &p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  void (&h)(int &) = g;
  h(n);
  return n;
}
} // namespace changed_through_a_reference_to_a_function

// f returns 9
namespace lambda_with_reference_parameter {
int f(int a) {
  int n = 256;
  auto g = [](int &p) { p = 9; };
  g(n);
  return n;
}
} // namespace lambda_with_reference_parameter

// f returns 9
namespace immediately_invoked_lambda {
int f(int a) {
  int n = 256;
  [&] { n = 9; }();
  return n;
}
} // namespace immediately_invoked_lambda

// f returns 9
namespace immediately_invoked_with_parameter {
int f(int a) {
  int n = 256;
  [](int &p) { p = 9; }(n);
  return n;
}
} // namespace immediately_invoked_with_parameter

// f returns 9
namespace method_with_reference_parameter {
struct S {
  void g(int &p) {
    p = 9;
  }
};
int f(int a) {
  int n = 256;
  S s;
  s.g(n);
  return n;
}
} // namespace method_with_reference_parameter

// f returns 9
namespace static_method_with_reference_parameter {
struct S {
  static void g(int &p) {
    p = 9;
  }
};
int f(int a) {
  int n = 256;
  S::g(n);
  return n;
}
} // namespace static_method_with_reference_parameter

// f returns 9
namespace constructor_with_reference_parameter {
struct S {
  S(int &p) {
    p = 9;
  }
};
int f(int a) {
  int n = 256;
  S s(n);
  return n;
}
} // namespace constructor_with_reference_parameter

// f returns 9
namespace constructor_with_reference_parameter_brace {
struct S {
  S(int &p) {
    p = 9;
  }
};
int f(int a) {
  int n = 256;
  S s{n};
  return n;
}
} // namespace constructor_with_reference_parameter_brace

// f returns 9
namespace struct_holding_reference {
struct S {
  int &r;
  void set() {
    r = 9;
  }
};
int f(int a) {
  int n = 256;
  S s{n};
  s.set();
  return n;
}
} // namespace struct_holding_reference

// f returns 9
namespace std_reference {
void g(int &p) {
  p = 9;
}
int f(int a) {
  int n = 256;
  auto r = std::ref(n);
  g(r);
  return n;
}
} // namespace std_reference

// f returns 9
namespace std_reference_get {
int f(int a) {
  int n = 256;
  auto r = std::ref(n);
  r.get() = 9;
  return n;
}
} // namespace std_reference_get

// f returns 3
namespace assigned_through_a_tie {
int f(int a) {
  int n = 256, m;
  std::tie(n, m) = std::make_pair(3, 4);
  return n;
}
} // namespace assigned_through_a_tie

// f returns 5
namespace exchange {
int f(int a) {
  int n = 256;
  std::exchange(n, 5);
  return n;
}
} // namespace exchange

// f returns 33
namespace by_sscanf {
int f(int a) {
  int n = 256;
  sscanf("33", "%d", &n);
  return n;
}
} // namespace by_sscanf

// f returns 0
namespace by_memset {
int f(int a) {
  int n = 256;
  memset(&n, 0, sizeof n);
  return n;
}
} // namespace by_memset

// f returns 3
namespace by_memcpy {
int f(int a) {
  int n = 256, m = 3;
  memcpy(&n, &m, sizeof n);
  return n;
}
} // namespace by_memcpy

// f returns 0, 256
namespace read_from_standard_input {
int f(int a) {
  int n = 256;
  std::cin >> n;
  return n == 256 ? n : 0;
}
} // namespace read_from_standard_input

// f returns 44
namespace read_from_a_stream {
int f(int a) {
  int n = 256;
  std::istringstream ss("44");
  ss >> n;
  return n;
}
} // namespace read_from_a_stream

// f returns 55
namespace read_from_a_stream_in_a_chain {
int f(int a) {
  int n = 256, m;
  std::istringstream in("44 55");
  in >> m >> n;
  return n;
}
} // namespace read_from_a_stream_in_a_chain

// f returns 44
namespace read_from_a_stream_in_a_condition {
int f(int a) {
  int n = 256;
  std::istringstream s("44 55");
  if (!(s >> n))
    return 0;
  return n;
}
} // namespace read_from_a_stream_in_a_condition

// f returns 9
namespace addressof {
void g(int *p) {
  *p = 9;
}
int f(int a) {
  int n = 256;
  g(std::addressof(n));
  return n;
}
} // namespace addressof

// f returns 4
namespace structured_binding_by_reference {
int f(int a) {
  std::pair<int, int> p{256, 3};
  auto &[x, y] = p;
  x = 4;
  return p.first;
}
} // namespace structured_binding_by_reference

// f returns 4
namespace structured_binding_array_reference {
int f(int a) {
  int p[2] = {256, 3};
  auto &[x, y] = p;
  x = 4;
  return p[0];
}
} // namespace structured_binding_array_reference

// f returns 256
namespace structured_binding {
int f(int a) {
  int p[2] = {256, 3};
  auto [x, y] = p;
  return x;
}
} // namespace structured_binding

// f returns 7
namespace array_element_assigned {
int f(int a) {
  int p[2] = {256, 3};
  p[0] = 7;
  return p[0];
}
} // namespace array_element_assigned

// f returns 7
namespace array_element_assigned_by_pointer {
int f(int a) {
  int p[2] = {256, 3};
  int *q = p;
  q[0] = 7;
  return p[0];
}
} // namespace array_element_assigned_by_pointer

// f returns 7
namespace array_passed {
void g(int *q) {
  q[0] = 7;
}
int f(int a) {
  int p[2] = {256, 3};
  g(p);
  return p[0];
}
} // namespace array_passed

// f returns 7
namespace array_passed_as_array {
void g(int q[]) {
  q[0] = 7;
}
int f(int a) {
  int p[2] = {256, 3};
  g(p);
  return p[0];
}
} // namespace array_passed_as_array

// f returns 9
namespace std_fill {
int f(int a) {
  int p[2] = {256, 3};
  std::fill(p, p + 2, 9);
  return p[0];
}
} // namespace std_fill

// f returns 0
namespace memset_array {
int f(int a) {
  int p[2] = {256, 3};
  memset(p, 0, sizeof p);
  return p[0];
}
} // namespace memset_array

// f returns 5
namespace array_object {
int f(int a) {
  std::array<int, 2> p{256, 3};
  p.fill(5);
  return p[0];
}
} // namespace array_object

// f returns 5
namespace data_of_an_array_object {
int f(int a) {
  std::array<int, 2> p{256, 3};
  *p.data() = 5;
  return p[0];
}
} // namespace data_of_an_array_object

// f returns 256
namespace vector {
int f(int a) {
  std::vector<int> p{256, 3};
  return p[0];
}
} // namespace vector

// f returns 3
namespace vector_of_equal_elements {
int f(int a) {
  std::vector<int> p(256, 3);
  return p[0];
}
} // namespace vector_of_equal_elements

// f returns 256
namespace vector_size {
int f(int a) {
  std::vector<int> p(256, 3);
  return p.size();
}
} // namespace vector_size

// f returns 256
namespace array_decay_deref {
int f(int a) {
  int p[2] = {256, 3};
  return *p;
}
} // namespace array_decay_deref

// f returns 0
namespace array_short_initialiser {
int f(int a) {
  int p[4] = {256, 3};
  return p[2];
}
} // namespace array_short_initialiser

// f is 44
namespace array_narrower {
int f(int a) {
  unsigned char p[2] = {(unsigned char)300, 3};
  return p[0];
}
} // namespace array_narrower

// f is 1
namespace two_dim_array {
int f(int a) {
  int p[2][2] = {{256, 3}, {1, 2}};
  return p[1][0];
}
} // namespace two_dim_array

// f returns 1
namespace two_dim_array_flat {
int f(int a) {
  int p[2][2] = {256, 3, 1, 2};
  return p[1][0];
}
} // namespace two_dim_array_flat

// f returns 5
namespace designated {
int f(int a) {
  int p[4] = {[0] = 1, [1] = 5};
  return p[1];
}
} // namespace designated

// f is 4
namespace const_array_reinit {
const int tab[] = {1, 2, 4};
int f(int a) {
  return tab[2];
}
} // namespace const_array_reinit

// f returns -3, 0, 1, 2, 5, 7, 64
namespace nonconst_global_array {
int tab[] = {1, 2, 4};
int f(int a) {
  tab[2] = a;
  return tab[2];
}
} // namespace nonconst_global_array

// f returns 9
namespace static_global_array_changed {
static int tab[] = {1, 2, 4};
void g() {
  tab[2] = 9;
}
int f(int a) {
  g();
  return tab[2];
}
} // namespace static_global_array_changed

// f returns 9
namespace static_global_changed_by_pointer {
static int n = 4;
void g(int *p) {
  *p = 9;
}
int f(int a) {
  g(&n);
  return n;
}
} // namespace static_global_changed_by_pointer

// f returns 9
namespace static_global_changed_by_reference_global {
static int n = 4;
static int &r = n;
void g() {
  r = 9;
}
int f(int a) {
  g();
  return n;
}
} // namespace static_global_changed_by_reference_global

// f returns 7
namespace static_global_changed_by_constructor_lambda {
static int n = 4;
static int dummy = [] {
  n = 7;
  return 0;
}();
int f(int a) {
  return n;
}
} // namespace static_global_changed_by_constructor_lambda

// f returns 9
namespace static_global_changed_in_method {
static int n = 4;
struct S {
  void m() {
    n = 9;
  }
};
int f(int a) {
  S().m();
  return n;
}
} // namespace static_global_changed_in_method

// f returns 5
namespace static_global_changed_in_shadow_function {
static int n = 4;
void g() {
  if (true) {
    int n = 0;
  }
  n = 5;
}
int f(int a) {
  g();
  return n;
}
} // namespace static_global_changed_in_shadow_function

// f returns 9
namespace static_global_changed_in_macro {
static int n = 4;
#define CHG n = 9
void g() {
  CHG;
}
int f(int a) {
  g();
  return n;
}
#undef CHG
} // namespace static_global_changed_in_macro

// f returns 9
namespace local_changed_in_macro {
#define CHG n = 9
int f(int a) {
  int n = 4;
  CHG;
  return n;
}
#undef CHG
} // namespace local_changed_in_macro

// f returns 9
namespace local_changed_in_function_macro {
#define CHG2(x) x = 9
int f(int a) {
  int n = 4;
  CHG2(n);
  return n;
}
#undef CHG2
} // namespace local_changed_in_function_macro

// f returns 9
namespace local_changed_in_function_macro_do_while {
#define CHG3(x)                                                                                    \
  do {                                                                                             \
    x = 9;                                                                                         \
  } while (0)
int f(int a) {
  int n = 4;
  CHG3(n);
  return n;
}
#undef CHG3
} // namespace local_changed_in_function_macro_do_while

// f returns 9
namespace local_changed_in_function_macro_no_argument {
#define CHG4() n = 9
int f(int a) {
  int n = 4;
  CHG4();
  return n;
}
#undef CHG4
} // namespace local_changed_in_function_macro_no_argument

// f returns 9
namespace local_changed_in_function_macro_stmt_body_in_token {
#define CHG5(x)                                                                                    \
  {                                                                                                \
    x = 9;                                                                                         \
  }
int f(int a) {
  int n = 4;
  CHG5(n) return n;
}
#undef CHG5
} // namespace local_changed_in_function_macro_stmt_body_in_token

// f returns 5
namespace local_changed_in_macro_with_increment {
#define INC(x) x++
int f(int a) {
  int n = 4;
  INC(n);
  return n;
}
#undef INC
} // namespace local_changed_in_macro_with_increment

// f returns 5
namespace local_increment_in_a_nested_macro {
#define INC2(x) ((x) += 1)
int f(int a) {
  int n = 4;
  int m = INC2(n);
  return n;
}
#undef INC2
} // namespace local_increment_in_a_nested_macro
