// Results of functions, and what is known of numbers that are not.
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

// f returns 64, 128, 256, 512
namespace loop_counter_inside {
int f(int a) {
  int r = 0;
  for (int n = 64; n <= 640; n *= 2) {
    if (n >= a * 100) {
      r = n;
      break;
    }
    r = n;
  }
  return r;
}
} // namespace loop_counter_inside

// f is 4 | 8
namespace function_two_returns {
int h(int x) {
  if (x > 3)
    return 8;
  return 4;
}
int f(int a) {
  return h(a);
}
} // namespace function_two_returns

// f returns 128
namespace function_with_loop {
int h(int x) {
  int p = 1;
  while (p < x)
    p *= 2;
  return p;
}
int f(int a) {
  return h(100);
}
} // namespace function_with_loop

// f returns 4, 5, 6, 7, 8, 9, 10
namespace function_with_static {
int h() {
  static int k = 3;
  k++;
  return k;
}
int f(int a) {
  return h();
}
} // namespace function_with_static

// f returns -3, 0, 1, 2, 5, 7, 64
namespace function_reading_global_mutable {
int gm = 4;
int h() {
  return gm;
}
int f(int a) {
  gm = a;
  return h();
}
} // namespace function_reading_global_mutable

// f returns 9
namespace function_reading_static_global_mutable {
static int gm = 4;
int h() {
  return gm;
}
void set() {
  gm = 9;
}
int f(int a) {
  set();
  return h();
}
} // namespace function_reading_static_global_mutable

// f is 16
namespace function_parameter_modified {
int h(int x) {
  x = x * 2;
  return x;
}
int f(int a) {
  return h(8);
}
} // namespace function_parameter_modified

// f is 5
namespace function_parameter_by_reference_modified_after {
int h(int &x) {
  int y = x;
  x = 0;
  return y;
}
int f(int a) {
  int n = 5;
  return h(n);
}
} // namespace function_parameter_by_reference_modified_after

// f is 7
namespace function_default_argument {
int h(int x = 7) {
  return x;
}
int f(int a) {
  return h();
}
} // namespace function_default_argument

// f returns 7
namespace function_default_argument_redeclared {
int h(int x = 7);
int h(int x) {
  return x;
}
int f(int a) {
  return h();
}
} // namespace function_default_argument_redeclared

// f is 44
namespace function_narrowing_parameter {
int h(unsigned char x) {
  return x;
}
int f(int a) {
  return h(300);
}
} // namespace function_narrowing_parameter

// f is 44
namespace function_narrowing_return {
unsigned char h(int x) {
  return x;
}
int f(int a) {
  return h(300);
}
} // namespace function_narrowing_return

// f is 1
namespace function_bool_return {
bool h(int x) {
  return x;
}
int f(int a) {
  return h(300);
}
} // namespace function_bool_return

// f is 1
namespace function_overload_by_arity {
int h(int x) {
  return 1;
}
int h(int x, int y) {
  return 2;
}
int f(int a) {
  return h(1);
}
} // namespace function_overload_by_arity

// f returns 2
namespace function_overload_by_type {
int h(int x) {
  return 1;
}
int h(double x) {
  return 2;
}
int f(int a) {
  return h(1.5);
}
} // namespace function_overload_by_type

// f is 8
namespace function_template_explicit {
template <int N> int h() {
  return N;
}
int f(int a) {
  return h<8>();
}
} // namespace function_template_explicit

// f returns 2
namespace function_template_specialisation {
template <int N> int h() {
  return 1;
}
template <> int h<8>() {
  return 2;
}
int f(int a) {
  return h<8>();
}
} // namespace function_template_specialisation

// f is 8
namespace function_template_type {
template <class T> int h() {
  return sizeof(T);
}
int f(int a) {
  return h<double>();
}
} // namespace function_template_type

// f returns 1
namespace function_template_deduce {
template <class T> int h(T) {
  return sizeof(T);
}
int f(int a) {
  return h('a');
}
} // namespace function_template_deduce

// f is 1
namespace function_template_default_type {
template <class T = char> int h() {
  return sizeof(T);
}
int f(int a) {
  return h();
}
} // namespace function_template_default_type

// f returns 1
namespace function_template_bool_argument {
template <bool B> int h() {
  return B ? 1 : 2;
}
int f(int a) {
  return h<5 >= 3>();
}
} // namespace function_template_bool_argument

// f returns 2
namespace function_forward_declared_only_in_namespace {
namespace x1 {
int h() {
  return 1;
}
}
namespace x2 {
int h() {
  return 2;
}
}
int f(int a) {
  return x2::h();
}
} // namespace function_forward_declared_only_in_namespace

// f returns 2
namespace function_namespace_unqualified {
int h() {
  return 1;
}
namespace x2 {
int h() {
  return 2;
}
int f(int a) {
  return h();
}
}
using x2::f;
} // namespace function_namespace_unqualified

// f returns 1
namespace function_method_same_name {
struct S {
  int h() {
    return 2;
  }
  static int f(int a) {
    return 0;
  }
};
int h() {
  return 1;
}
int f(int a) {
  return h();
}
} // namespace function_method_same_name

// f returns 2
namespace function_method_implicit_this {
int h() {
  return 1;
}
struct S {
  int h() {
    return 2;
  }
  int g() {
    return h();
  }
};
int f(int a) {
  S s;
  return s.g();
}
} // namespace function_method_implicit_this

// f returns 2
namespace function_virtual {
struct B {
  virtual int h() {
    return 1;
  }
  int g() {
    return h();
  }
};
struct D : B {
  int h() override {
    return 2;
  }
};
int f(int a) {
  D d;
  B &b = d;
  return b.h();
}
} // namespace function_virtual

// f is 2
namespace function_shadowed_by_lambda {
int h() {
  return 1;
}
int f(int a) {
  auto h = [] { return 2; };
  return h();
}
} // namespace function_shadowed_by_lambda

// f returns 2
namespace function_shadowed_by_function_pointer {
int h() {
  return 1;
}
int k() {
  return 2;
}
int f(int a) {
  int (*h)() = k;
  return h();
}
} // namespace function_shadowed_by_function_pointer

// f returns 2
namespace function_shadowed_by_parameter {
int h() {
  return 1;
}
int k() {
  return 2;
}
int g(int (*h)()) {
  return h();
}
int f(int a) {
  return g(k);
}
} // namespace function_shadowed_by_parameter

// f is 16
namespace lambda_result {
int f(int a) {
  auto h = [](int x) { return x * 2; };
  return h(8);
}
} // namespace lambda_result

// f is 44
namespace lambda_narrowing {
int f(int a) {
  auto h = [](int x) -> unsigned char { return x; };
  return h(300);
}
} // namespace lambda_narrowing

// f is 44
namespace trailing_return_type_narrows {
auto g(int x) -> unsigned char {
  return x;
}
int f(int a) {
  return g(300);
}
} // namespace trailing_return_type_narrows

// f returns 1
namespace lambda_auto {
int f(int a) {
  auto h = [](auto x) { return sizeof(x); };
  return h('a');
}
} // namespace lambda_auto

// f is 4
namespace lambda_capture_copy_then_change {
int f(int a) {
  int n = 4;
  auto h = [n] { return n; };
  n = 9;
  return h();
}
} // namespace lambda_capture_copy_then_change

// f is 5
namespace lambda_capture_initialiser {
int f(int a) {
  int n = 4;
  auto h = [m = n + 1] { return m; };
  n = 9;
  return h();
}
} // namespace lambda_capture_initialiser

// f returns 9
namespace lambda_reference_capture_then_change {
int f(int a) {
  int n = 4;
  auto h = [&n] { return n; };
  n = 9;
  return h();
}
} // namespace lambda_reference_capture_then_change

// f returns 2
namespace lambda_mutable_counter {
int f(int a) {
  auto h = [k = 0]() mutable { return ++k; };
  h();
  return h();
}
} // namespace lambda_mutable_counter

// f is 120
namespace recursive_function {
int h(int x) {
  return x < 2 ? 1 : x * h(x - 1);
}
int f(int a) {
  return h(5);
}
} // namespace recursive_function

// f returns 6
namespace constexpr_loops {
constexpr int lg(int x) {
  int r = 0;
  while (x >>= 1)
    ++r;
  return r;
}
int f(int a) {
  return lg(64);
}
} // namespace constexpr_loops

// f is 3
namespace local_template_parameter_shadow {
template <int N> int h() {
  const int M = N;
  {
    const int N2 = M;
    return N2;
  }
}
int f(int a) {
  return h<3>();
}
} // namespace local_template_parameter_shadow

// f returns 3
namespace template_class_method {
template <int N> struct S {
  static int h() {
    return N;
  }
};
int f(int a) {
  return S<3>::h();
}
} // namespace template_class_method

// f returns 14
namespace template_class_member_static {
template <int N> struct S {
  static const int k = N * 2;
  static int h() {
    return k;
  }
};
int f(int a) {
  return S<3>::h() + S<4>::h();
}
} // namespace template_class_member_static

// f is 3
namespace call_site_parameter_one_caller {
static int h(int n) {
  return n;
}
int f(int a) {
  int z = h(3);
  return z;
}
} // namespace call_site_parameter_one_caller

// f is 6
namespace call_site_parameter_two_callers {
static int h(int n) {
  return n * 2;
}
int g() {
  return h(5);
}
int f(int a) {
  return h(3);
}
} // namespace call_site_parameter_two_callers

// f returns 255
namespace loop_step_unsigned_wrap {
int f(int a) {
  unsigned char r = 0;
  for (unsigned char n = 250; n >= 250; n++) {
    r = n;
  }
  return r;
}
} // namespace loop_step_unsigned_wrap

// f returns 64, 94
namespace loop_var_modified_in_body {
int f(int a) {
  int r = 0;
  for (int n = 1; n < 100; n *= 2) {
    r = n;
    n += a > 0;
  }
  return r;
}
} // namespace loop_var_modified_in_body

// f returns 4
namespace loop_var_float {
int f(int a) {
  int r = 0;
  for (float x = 0.5f; x < 4; x *= 2)
    r = x * 2;
  return r;
}
} // namespace loop_var_float

// f is 18
namespace nested_function_chain {
int a1(int x) {
  return x + 1;
}
int a2(int x) {
  return a1(x) * 2;
}
int f(int a) {
  return a2(a2(3));
}
} // namespace nested_function_chain

// f returns -96, 0, 32, 64, 160, 224, 2048
namespace function_of_unknown {
int h(int x) {
  return x * 32;
}
int f(int a) {
  return h(a);
}
} // namespace function_of_unknown

// f returns -300, 0, 100, 200, 256
namespace function_min_clamp {
int h(int x) {
  return std::min(x, 256);
}
int f(int a) {
  return h(a * 100);
}
} // namespace function_min_clamp

// f returns 32, 64, 4128
namespace round_up {
int up(int x, int m) {
  return (x + m - 1) / m * m;
}
int f(int a) {
  return up(a * a + 1, 32);
}
} // namespace round_up

// f returns 32, 64, 4128
namespace round_up_mask {
int up(int x, int m) {
  return (x + m - 1) & ~(m - 1);
}
int f(int a) {
  return up(a * a + 1, 32);
}
} // namespace round_up_mask

// f returns -32, 0, 32
namespace negative_mod {
int f(int a) {
  return (a * 32) % 64;
}
} // namespace negative_mod

// f returns -8, 0, 2, 6, 14, 20, 192
namespace negative_div {
int f(int a) {
  return (a * 3) / 2 * 2;
}
} // namespace negative_div

// f returns 0, 2, 3, 4, 6
namespace unsigned_sub {
int f(int a) {
  unsigned n = a * a;
  return (n - 5) % 7;
}
} // namespace unsigned_sub

// f returns 0, 8, 32, 72, 200, 392, 32768
namespace shift_of_unknown {
int f(int a) {
  return (a * a) << 3;
}
} // namespace shift_of_unknown

// f returns -20, 4, 12, 20, 44, 60, 516
namespace exclusive_or {
int f(int a) {
  return (a * 8) ^ 4;
}
} // namespace exclusive_or

// f returns -20, 4, 12, 20, 44, 60, 516
namespace inclusive_or {
int f(int a) {
  return (a * 8) | 4;
}
} // namespace inclusive_or

// f returns 1
namespace negative_of_unsigned {
int f(int a) {
  unsigned n = a * a + 1;
  return (-n) > 0;
}
} // namespace negative_of_unsigned

// f returns 1
namespace comparison_of_unsigned_bound {
int f(int a) {
  unsigned n = a;
  return n >= 0;
}
} // namespace comparison_of_unsigned_bound

// f returns 1
namespace comparison_of_unsigned_diff {
int f(int a) {
  unsigned n = a * a, m = 3;
  return n - m >= 0 && n + 1 > n;
}
} // namespace comparison_of_unsigned_diff

// f is 1 | 2
namespace size_t_minus {
int f(int a) {
  size_t n = a * a;
  return n - 1 < 100 ? 1 : 2;
}
} // namespace size_t_minus

// f returns 0
namespace byte_of_symbolic {
int f(int a) {
  unsigned char n = a * 256;
  return n;
}
} // namespace byte_of_symbolic

// f returns 0, 100, 188, 200, 212, 244
namespace byte_of_symbolic_2 {
int f(int a) {
  unsigned char n = a * 100;
  return n;
}
} // namespace byte_of_symbolic_2

// f returns 0, 1
namespace bool_of_symbolic {
int f(int a) {
  bool n = a * 4;
  return n;
}
} // namespace bool_of_symbolic

// f returns 1
namespace int_of_size_t_negative {
int f(int a) {
  size_t n = (size_t)a;
  return n >= 0;
}
} // namespace int_of_size_t_negative

// f returns 0, 1
namespace cast_away_sign {
int f(int a) {
  unsigned n = a;
  return n / 2 < 1000;
}
} // namespace cast_away_sign

// f returns 1
namespace int_unsigned_product {
int f(int a) {
  unsigned n = a;
  return (long)(n * 2) >= 0;
}
} // namespace int_unsigned_product

// f returns -6, 0, 2, 4, 10
namespace min_symbolic {
int f(int a) {
  return std::min(a, 5) * 2;
}
} // namespace min_symbolic

// f returns 10, 14, 128
namespace max_symbolic {
int f(int a) {
  return std::max(a, 5) * 2;
}
} // namespace max_symbolic

// f returns 4, 64
namespace max_symbolic_then_div {
int f(int a) {
  return std::max(a / 4, 1) * 4;
}
} // namespace max_symbolic_then_div

// f returns -9, 0, 3, 6, 15
namespace ternary_clamp {
int f(int a) {
  return (a < 5 ? a : 5) * 3;
}
} // namespace ternary_clamp

// f returns -48, 16, 32, 80, 112, 1024
namespace ternary_with_zero {
int f(int a) {
  int n = a ? a : 1;
  return n * 16;
}
} // namespace ternary_with_zero

// f returns -3, 0, 1, 2, 5
namespace refine_if {
int f(int a) {
  int n = a;
  if (n > 5)
    n = 5;
  return n;
}
} // namespace refine_if

// f returns 5, 7, 64
namespace refine_if_reverse {
int f(int a) {
  int n = a;
  if (n < 5)
    n = 5;
  return n;
}
} // namespace refine_if_reverse

// f returns 5, 7, 64
namespace refine_return {
int f(int a) {
  if (a < 3)
    throw 1;
  return a;
}
} // namespace refine_return

// f returns -5, -3, 54
namespace refine_then_changed {
int f(int a) {
  int n = a;
  if (n < 3)
    throw 1;
  n = n - 10;
  return n;
}
} // namespace refine_then_changed

// f returns -6, 0, 2, 4, 10, 12, 69
namespace refine_unrelated_changed {
int f(int a) {
  int n = a;
  if (n > 5) {
    n = 5;
  }
  n += a;
  return n;
}
} // namespace refine_unrelated_changed

// f returns -3, 0, 1, 2, 5
namespace alias_ternary {
int f(int a) {
  int n = a;
  int m = n;
  if (m > 5)
    n = 5;
  return n;
}
} // namespace alias_ternary

// f returns 6, 10, 20
namespace oneof_times {
int f(int a) {
  int n = a > 3 ? 2 : 4;
  int m = a > 5 ? 3 : 5;
  return n * m;
}
} // namespace oneof_times
