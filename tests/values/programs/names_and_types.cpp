// Scopes, enumerations, integer types, floating point, sizeof of expressions.
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

// f is 1
namespace namespace_same_name_inner {
namespace x1 {
const int n = 1;
namespace y {
const int n = 2;
int g() {
  return n;
}
}
}
int f(int a) {
  return x1::n;
}
} // namespace namespace_same_name_inner

// f is 9
namespace namespace_inner_lookup {
const int n = 9;
namespace x1 {
const int n = 1;
int g() {
  return 0;
}
}
int f(int a) {
  return n;
}
} // namespace namespace_inner_lookup

// f is 1
namespace namespace_reopened {
namespace p {
const int n = 1;
}
namespace p {
namespace q {
int f(int a) {
  return n;
}
}
}
using p::q::f;
} // namespace namespace_reopened

// f returns 1
namespace using_declaration {
namespace p {
const int n = 1;
}
const int nn = 2;
using p::n;
int f(int a) {
  return n;
}
} // namespace using_declaration

// f returns 1
namespace using_directive {
namespace p {
const int n = 1;
}
using namespace p;
int f(int a) {
  return n;
}
} // namespace using_directive

// f returns 5
namespace using_directive_in_another_function {
namespace p {
const int n2 = 1;
}
namespace o {
const int n2 = 5;
int g() {
  return n2;
}
}
using namespace o;
int g2() {
  using namespace p;
  return p::n2;
}
int f(int a) {
  return n2;
}
} // namespace using_directive_in_another_function

// f returns 1
namespace using_directive_local {
namespace p {
const int n3 = 1;
}
int f(int a) {
  using namespace p;
  return n3;
}
} // namespace using_directive_local

// f returns 1
namespace using_declaration_local {
namespace p {
const int n4 = 1;
}
const int n4 = 7;
int f(int a) {
  using p::n4;
  return n4;
}
} // namespace using_declaration_local

// f is 7
namespace using_declaration_local_block {
namespace p {
const int n4 = 1;
}
const int n4 = 7;
int f(int a) {
  {
    using p::n4;
    a = n4;
  }
  return n4;
}
} // namespace using_declaration_local_block

// f is 1
namespace namespace_alias {
namespace p {
namespace q {
const int n = 1;
}
}
namespace pq = p::q;
int f(int a) {
  return pq::n;
}
} // namespace namespace_alias

// f returns 2
namespace two_namespaces_suffix {
namespace a1 {
namespace k {
const int n = 1;
}
}
namespace k {
const int n = 2;
}
int f(int a) {
  return k::n;
}
} // namespace two_namespaces_suffix

// f returns 2
namespace two_namespaces_suffix_qualified {
namespace a1 {
namespace k {
const int n = 1;
}
}
namespace b1 {
namespace k {
const int n = 2;
}
int g() {
  return k::n;
}
}
int f(int a) {
  return b1::g();
}
} // namespace two_namespaces_suffix_qualified

// f returns 2
namespace two_namespace_suffix_from_inside {
namespace a1 {
namespace k {
const int n = 1;
}
}
namespace b1 {
namespace k {
const int n = 2;
}
int f(int a) {
  return k::n;
}
}
using b1::f;
} // namespace two_namespace_suffix_from_inside

// f is 4
namespace global_qualified {
const int n = 3;
namespace z {
const int n = 4;
}
namespace w {
const int n = 5;
int f(int a) {
  return z::n;
}
}
using w::f;
} // namespace global_qualified

// f is 4
namespace class_static {
struct S {
  static const int n = 4;
  static int g() {
    return n;
  }
};
int f(int a) {
  return S::n;
}
} // namespace class_static

// f is 5
namespace class_static_shadowed_by_inner_class {
struct S {
  static const int n = 4;
  struct T {
    static const int n = 5;
  };
};
int f(int a) {
  return S::T::n;
}
} // namespace class_static_shadowed_by_inner_class

// f is 5
namespace class_same_name_two_structs {
struct S1 {
  static const int n = 4;
};
struct S2 {
  static const int n = 5;
};
int f(int a) {
  return S2::n;
}
} // namespace class_same_name_two_structs

// f returns 4
namespace inherited_static {
struct B {
  static const int n = 4;
};
struct D : B {};
int f(int a) {
  return D::n;
}
} // namespace inherited_static

// f is 9
namespace inherited_hides_global {
const int n = 9;
struct B {
  static const int n = 4;
};
struct D : B {
  int g() {
    return n;
  }
  static int f(int a) {
    return n;
  }
};
int f(int a) {
  return n;
}
} // namespace inherited_hides_global

// f is 4
namespace member_function_out_of_class {
struct S {
  static const int n = 4;
  static int g(int);
};
const int n = 7;
int S::g(int a) {
  return n;
}
int f(int a) {
  return S::g(a);
}
} // namespace member_function_out_of_class

// f is 9
namespace non_static_member_hides_global {
const int n = 9;
struct S {
  int n = 4;
  int g() {
    return n;
  }
};
int f(int a) {
  return n;
}
} // namespace non_static_member_hides_global

// f is 7
namespace enum_values {
enum E { A = 3, B, C = A * 2, D };
int f(int a) {
  return D;
}
} // namespace enum_values

// f is 4
namespace enum_class {
enum class E { A = 3, B };
int f(int a) {
  return (int)E::B;
}
} // namespace enum_class

// f is 9
namespace enum_self_refer {
enum E { A = 1, B = A << 3, C = B | A };
int f(int a) {
  return C;
}
} // namespace enum_self_refer

// f is 256
namespace enum_conversion_underlying {
enum E : unsigned char { A = 255 };
int f(int a) {
  return A + 1;
}
} // namespace enum_conversion_underlying

// f is -1
namespace enum_negative {
enum E { A = -2, B };
int f(int a) {
  return B;
}
} // namespace enum_negative

// f returns 2
namespace enum_unsigned_arithmetic {
enum E : unsigned { A = 1 };
int f(int a) {
  return A - 2 < 0 ? 1 : 2;
}
} // namespace enum_unsigned_arithmetic

// f is 1
namespace enum_plain_arithmetic {
enum E { A = 1 };
int f(int a) {
  return A - 2 < 0 ? 1 : 2;
}
} // namespace enum_plain_arithmetic

// f returns 5
namespace enum_shadow_local {
enum E { A = 1 };
int f(int a) {
  enum { A = 5 };
  return A;
}
} // namespace enum_shadow_local

// f returns 6
namespace enum_local {
int f(int a) {
  enum { AA = 5, BB };
  return BB;
}
} // namespace enum_local

// f returns 5
namespace enum_local_shadows_const {
const int CC = 4;
int f(int a) {
  enum { CC = 5 };
  return CC;
}
} // namespace enum_local_shadows_const

// f is 6
namespace enum_in_struct {
struct S {
  enum { n = 6 };
};
const int n = 3;
int f(int a) {
  return S::n;
}
} // namespace enum_in_struct

// f is 8
namespace enum_in_function_and_same_in_another {
int g() {
  enum { W = 4 };
  return W;
}
enum { W = 8 };
int f(int a) {
  return W;
}
} // namespace enum_in_function_and_same_in_another

// f is 1
namespace enum_in_macro_conditional {
enum E {
  A1,
#ifdef QQ
  A2,
#endif
  A3
};
int f(int a) {
  return A3;
}
} // namespace enum_in_macro_conditional

// f is 4
namespace struct_shadow {
const int n = 4;
int f(int a) {
  struct L {
    static int g() {
      return n;
    }
  };
  const int m = n;
  return m;
}
} // namespace struct_shadow

// f is 4
namespace local_function_declaration {
const int n = 4;
int f(int a) {
  extern int zz;
  return n;
}
int zz = 3;
} // namespace local_function_declaration

// f returns -3, 0, 1, 2, 5, 7, 64
namespace const_local_from_parameter {
int f(int a) {
  const int n = a;
  return n;
}
} // namespace const_local_from_parameter

// f is 5
namespace const_global_from_call {
int h() {
  return 5;
}
const int n = h();
int f(int a) {
  return n;
}
} // namespace const_global_from_call

// f returns 4
namespace const_global_from_other {
extern const int k;
const int n = k + 1;
const int k = 3;
int f(int a) {
  return n;
}
} // namespace const_global_from_other

// f is 4
namespace const_cast_away {
int f(int a) {
  int x = 4;
  const int n = x;
  x = 5;
  return n;
}
} // namespace const_cast_away

// f is 8
namespace template_default_parameter {
template <int N = 4> int g() {
  return N;
}
int f(int a) {
  return g<8>();
}
} // namespace template_default_parameter

// f returns 16
namespace variable_template {
template <int N> constexpr int v = N * 2;
int f(int a) {
  return v<8>;
}
} // namespace variable_template

// f returns 2
namespace variable_template_in_global {
template <class T> constexpr int w = 1;
template <> constexpr int w<float> = 2;
int f(int a) {
  return w<float>;
}
} // namespace variable_template_in_global

// f returns 8
namespace template_class_static {
template <int N> struct S {
  static const int n = N;
};
int f(int a) {
  return S<8>::n;
}
} // namespace template_class_static

// f returns 2
namespace template_class_specialisation_static {
template <int N> struct S {
  static const int n = 1;
};
template <> struct S<8> {
  static const int n = 2;
};
int f(int a) {
  return S<8>::n;
}
} // namespace template_class_specialisation_static

// f returns 2
namespace template_class_alias {
template <int N> struct S {
  static const int n = 1;
};
template <> struct S<8> {
  static const int n = 2;
};
using T = S<8>;
int f(int a) {
  return T::n;
}
} // namespace template_class_alias

// f returns 2
namespace template_specialisation_by_type_alias {
template <class T> struct S {
  static const int n = 1;
};
template <> struct S<double> {
  static const int n = 2;
};
using TT = S<double>;
int f(int a) {
  return TT::n;
}
} // namespace template_specialisation_by_type_alias

// f returns 2
namespace partial_specialisation_static_constant_inside {
template <class T> struct S {
  static const int n = 1;
  static int g() {
    return n;
  }
};
template <> struct S<double> {
  static const int n = 2;
  static int g() {
    return n;
  }
};
int f(int a) {
  return S<double>::g();
}
} // namespace partial_specialisation_static_constant_inside

// f is 1
namespace alias_of_struct {
struct S {
  static const int n = 1;
};
using TA = S;
int f(int a) {
  return TA::n;
}
} // namespace alias_of_struct

// f is 2
namespace two_aliases_local {
struct S1 {
  static const int n = 1;
};
struct S2 {
  static const int n = 2;
};
int f(int a) {
  using T = S2;
  return T::n;
}
} // namespace two_aliases_local

// f is 64
namespace local_aliases_of_one_name {
struct A {
  int n = 64;
};
struct B {
  int n = 2;
};
int other() {
  typedef B T;
  T t;
  return t.n;
}
int f(int a) {
  typedef A T;
  T t;
  return t.n;
}
} // namespace local_aliases_of_one_name

// f is 64
namespace classes_of_one_name {
namespace x {
struct S {
  int n = 1024;
};
} // namespace x
namespace y {
struct S {
  int n = 64;
};
int g() {
  S s;
  return s.n;
}
} // namespace y
int f(int a) {
  return y::g();
}
} // namespace classes_of_one_name

// f is 64
namespace a_class_and_a_template_parameter_of_one_name {
struct T {
  int n = 3;
};
struct U {
  int n = 64;
};
int h() {
  T t;
  return t.n;
}
template <class T> int g(T t) {
  T s;
  return s.n + t.n - t.n;
}
int f(int a) {
  return h() == 3 ? g(U()) : 0;
}
} // namespace a_class_and_a_template_parameter_of_one_name

// f is 16
namespace constexpr_function {
constexpr int h(int x) {
  return x * 2;
}
int f(int a) {
  return h(8);
}
} // namespace constexpr_function

// f returns 24
namespace overloaded_function {
constexpr int h(int x) {
  return x * 2;
}
constexpr int h(long x) {
  return x * 3;
}
int f(int a) {
  return h(8L);
}
} // namespace overloaded_function

// f returns 8
namespace user_min {
int min(int a, int b) {
  return a > b ? a : b;
}
int f(int a) {
  return min(3, 8);
}
} // namespace user_min

// f is 3
namespace user_max_macro {
#define max(a, b) ((a) < (b) ? (a) : (b))
int f(int a) {
  return max(3, 8);
}
#undef max
#undef max
} // namespace user_max_macro

// f is 44
namespace user_size_t_like {
typedef unsigned char size8;
int f(int a) {
  size8 n = 300;
  return n;
}
} // namespace user_size_t_like

// f is 44
namespace user_uint {
struct uint2x {
  int v;
};
typedef unsigned char uint;
int f(int a) {
  uint n = 300;
  return n;
}
} // namespace user_uint

// f returns 44
namespace local_typedef {
int f(int a) {
  typedef unsigned char T;
  T n = 300;
  return n;
}
} // namespace local_typedef

// f returns 44
namespace local_using_vs_global {
using T8 = int;
int f(int a) {
  using T8 = unsigned char;
  T8 n = 300;
  return n;
}
} // namespace local_using_vs_global

// f returns 44
namespace class_scope_typedef {
struct S {
  typedef unsigned char T;
  static int g() {
    T n = (T)300;
    return n;
  }
};
using T = int;
int f(int a) {
  S::T n = 300;
  return n;
}
} // namespace class_scope_typedef

// f is 300
namespace class_scope_typedef_inner {
using T = int;
struct S {
  typedef unsigned char T;
  static int f(int a) {
    T n = 300;
    return n;
  }
};
auto ff = &S::f;
int f(int a) {
  T n = 300;
  return n;
}
} // namespace class_scope_typedef_inner

// f returns 44
namespace type_of_an_expression {
int f(int a) {
  unsigned char c = 3;
  decltype(c) n = 300;
  return n;
}
} // namespace type_of_an_expression

// f returns 0
namespace auto_from_char {
int f(int a) {
  unsigned char c = 255;
  auto n = c;
  n = n + 1;
  return n;
}
} // namespace auto_from_char

// f is 256
namespace auto_promoted {
int f(int a) {
  unsigned char c = 255;
  auto n = c + 1;
  return n;
}
} // namespace auto_promoted

// f is 1
namespace auto_unsigned {
int f(int a) {
  auto n = 1u;
  n = n - 2;
  return n > 5;
}
} // namespace auto_unsigned

// f is 2
namespace auto_assigned_float {
int f(int a) {
  auto n = 1;
  n = 2.9;
  return n;
}
} // namespace auto_assigned_float

// f returns 1
namespace deduced_boolean {
int f(int a) {
  auto n = 3 > 2;
  n = 7;
  return n;
}
} // namespace deduced_boolean

// f is 1
namespace boolean {
int f(int a) {
  bool n = 7;
  return n;
}
} // namespace boolean

// f returns 1
namespace compound_assignment_to_a_boolean {
int f(int a) {
  bool n = 1;
  n += 1;
  return n;
}
} // namespace compound_assignment_to_a_boolean

// f returns 0
namespace increment_of_a_byte {
int f(int a) {
  unsigned char n = 255;
  ++n;
  return n;
}
} // namespace increment_of_a_byte

// f returns 44
namespace compound_assignment_to_a_byte {
int f(int a) {
  unsigned char n = 200;
  n += 100;
  return n;
}
} // namespace compound_assignment_to_a_byte

// f returns -5536
namespace compound_assignment_to_a_short {
int f(int a) {
  short n = 30000;
  n *= 2;
  return n;
}
} // namespace compound_assignment_to_a_short

// f is 15
namespace int_compound_float {
int f(int a) {
  int n = 10;
  n *= 1.55;
  return n;
}
} // namespace int_compound_float

// f is 33
namespace int_div_float {
int f(int a) {
  int n = 10;
  n /= 0.3;
  return n;
}
} // namespace int_div_float

// f is 1
namespace unsigned_minus {
int f(int a) {
  unsigned n = 3;
  int m = n - 5 > 0;
  return m;
}
} // namespace unsigned_minus

// f is 0
namespace compare_signed_unsigned {
int f(int a) {
  int n = -1;
  unsigned m = 1;
  return n < m;
}
} // namespace compare_signed_unsigned

// f returns 44
namespace min_mixed {
int f(int a) {
  return std::min<unsigned char>(300, 200);
}
} // namespace min_mixed

// f is 6
namespace min_template_type {
int f(int a) {
  return std::min<int>(3.9, 8.2) * 2;
}
} // namespace min_template_type

// f returns 5
namespace max_float {
int f(int a) {
  return std::max(2.5, 2.4) * 2;
}
} // namespace max_float

// f returns 5
namespace max_of_ints_as_float {
int f(int a) {
  return std::max<float>(5, 2) / 2 * 2;
}
} // namespace max_of_ints_as_float

// f is 2
namespace min_initialiser_list {
int f(int a) {
  return std::min({4, 2, 8});
}
} // namespace min_initialiser_list

// f returns 8
namespace min_with_comparator {
int f(int a) {
  return std::min(4, 8, std::greater<int>());
}
} // namespace min_with_comparator

// f returns 1, 2, 5, 7, 8
namespace clamped {
int f(int a) {
  return std::clamp(a, 1, 8);
}
} // namespace clamped

// f returns 4
namespace absolute_value {
int f(int a) {
  return std::abs(-4);
}
} // namespace absolute_value

// f is 1024
namespace power {
int f(int a) {
  return pow(2, 10);
}
} // namespace power

// f is 2
namespace pow_int_fraction {
int f(int a) {
  return pow(2, -1) * 4;
}
} // namespace pow_int_fraction

// f is 8
namespace square_root {
int f(int a) {
  return sqrt(17) * 2;
}
} // namespace square_root

// f is 4
namespace logarithm {
int f(int a) {
  return log2(8) + 1;
}
} // namespace logarithm

// f is 64
namespace ceil_int_division {
int f(int a) {
  return ceil(100 / 64) * 64;
}
} // namespace ceil_int_division

// f is 128
namespace ceil_of_int {
int f(int a) {
  return ceil(100 / 64.0) * 64;
}
} // namespace ceil_of_int

// f returns 16777216
namespace float_precision {
int f(int a) {
  float x = 16777217;
  return x;
}
} // namespace float_precision

// f is 3
namespace float_precision_arithmetic {
int f(int a) {
  float x = 0.1f;
  return x * 10 == 1.0f ? 3 : 4;
}
} // namespace float_precision_arithmetic

// f returns 1
namespace float_sum {
int f(int a) {
  return (0.1f + 0.2f) * 10 == 3.0f ? 1 : 2;
}
} // namespace float_sum

// f is 1
namespace float_div {
int f(int a) {
  float q = 1.0f / 3.0f;
  return q * 3.0f == 1.0f ? 1 : 2;
}
} // namespace float_div

// f is 7
namespace float_to_int {
int f(int a) {
  return (int)(0.7f * 10);
}
} // namespace float_to_int

// f returns 435
namespace float_to_int_2 {
int f(int a) {
  return (int)(4.35f * 100);
}
} // namespace float_to_int_2

// f is 434
namespace double_to_int {
int f(int a) {
  return (int)(4.35 * 100);
}
} // namespace double_to_int

// f returns 1
namespace int_to_float_compare {
int f(int a) {
  return 16777217 == 16777216.0f ? 1 : 2;
}
} // namespace int_to_float_compare

// f is 3
namespace logarithm_of_a_float {
int f(int a) {
  return (int)(log2f(8));
}
} // namespace logarithm_of_a_float

// f returns 2
namespace powf {
int f(int a) {
  float x = pow(3, 20);
  return x == 3486784401.0 ? 1 : 2;
}
} // namespace powf

// f returns 3
namespace remainder_of_floats {
int f(int a) {
  return fmod(7, 4);
}
} // namespace remainder_of_floats

// f returns 3
namespace rounded {
int f(int a) {
  return round(2.5);
}
} // namespace rounded

// f is 7
namespace integer_division_of_float_var {
int f(int a) {
  float n = 7;
  return n / 2 * 2;
}
} // namespace integer_division_of_float_var

// f is 97
namespace character {
int f(int a) {
  return 'a';
}
} // namespace character

// f returns 65
namespace char_escape {
int f(int a) {
  return '\x41';
}
} // namespace char_escape

// f returns -1
namespace char_negative {
int f(int a) {
  return '\xff';
}
} // namespace char_negative

// f returns 65
namespace char_octal {
int f(int a) {
  return '\101';
}
} // namespace char_octal

// f returns 97
namespace wide_character {
int f(int a) {
  return L'a';
}
} // namespace wide_character

// f returns 24930
namespace multi_char {
int f(int a) {
  return 'ab';
}
} // namespace multi_char

// f returns -59
namespace char_type_arithmetic {
int f(int a) {
  char c = 'a';
  c += 100;
  return c;
}
} // namespace char_type_arithmetic

// f returns 1
namespace size_of_char_literal {
int f(int a) {
  return sizeof('a');
}
} // namespace size_of_char_literal

// f is 8
namespace size_of_expression {
int f(int a) {
  return sizeof(1L + 1);
}
} // namespace size_of_expression

// f is 4
namespace size_of_short_sum {
int f(int a) {
  short s = 1;
  return sizeof(s + s);
}
} // namespace size_of_short_sum

// f is 1
namespace size_of_bool_compare {
int f(int a) {
  return sizeof(a > 1);
}
} // namespace size_of_bool_compare

// f returns 4
namespace size_of_float_expression {
int f(int a) {
  float x = 1;
  return sizeof(x * 2);
}
} // namespace size_of_float_expression

// f returns 12
namespace size_of_array_over_element {
int f(int a) {
  int t[12];
  return sizeof(t) / sizeof(t[0]);
}
} // namespace size_of_array_over_element

// f returns 12
namespace size_of_array_over_element_deref {
int f(int a) {
  int t[12];
  return sizeof(t) / sizeof(*t);
}
} // namespace size_of_array_over_element_deref

// f returns 3
namespace size_of_global_array_unsized {
int t[] = {1, 2, 3};
int f(int a) {
  return sizeof(t) / sizeof(t[0]);
}
} // namespace size_of_global_array_unsized

// f returns 4
namespace size_of_string {
int f(int a) {
  char s[] = "abc";
  return sizeof(s);
}
} // namespace size_of_string

// f returns 4
namespace size_of_string_literal {
int f(int a) {
  return sizeof("abc");
}
} // namespace size_of_string_literal

// f is 12
namespace size_of_pointer_parameter {
int g(int t[12]) {
  return sizeof(t) / sizeof(int);
}
int f(int a) {
  int t[12];
  return sizeof(t) / sizeof(int);
}
} // namespace size_of_pointer_parameter

// f is 1
namespace size_of_reference {
int f(int a) {
  char c;
  char &r = c;
  return sizeof(r);
}
} // namespace size_of_reference

// f returns 20
namespace size_of_literal_suffix {
int f(int a) {
  return sizeof(1ull) + sizeof(1.0f) + sizeof(1.0);
}
} // namespace size_of_literal_suffix

// f is 8
namespace size_of_shadowed_by_type {
int f(int a) {
  double n;
  return sizeof n;
}
} // namespace size_of_shadowed_by_type

// f is 16
namespace size_of_in_parens_product {
int f(int a) {
  return sizeof(int) * 4;
}
} // namespace size_of_in_parens_product

// f is 16
namespace size_of_a_variable_in_parentheses {
int f(int a) {
  int x = 3;
  return sizeof(x) * 4;
}
} // namespace size_of_a_variable_in_parentheses

// f returns 8
namespace size_of_auto {
int f(int a) {
  auto x = 3L;
  return sizeof(x);
}
} // namespace size_of_auto

// f returns 2
namespace size_of_auto_short {
int f(int a) {
  short s = 0;
  auto x = s;
  return sizeof(x);
}
} // namespace size_of_auto_short

// f returns 1
namespace size_of_enum {
enum class E : unsigned char { A };
int f(int a) {
  return sizeof(E);
}
} // namespace size_of_enum

// f is 4
namespace size_of_plain_enum {
enum E2 { A2 };
int f(int a) {
  return sizeof(E2);
}
} // namespace size_of_plain_enum

// f returns 1
namespace size_of_enumerator {
enum class E3 : unsigned char { A };
int f(int a) {
  return sizeof(E3::A);
}
} // namespace size_of_enumerator

// f is 8
namespace size_of_local_struct {
int f(int a) {
  struct L {
    char c;
    int n;
  };
  return sizeof(L);
}
} // namespace size_of_local_struct

// f returns 8
namespace size_of_local_struct_shadows {
struct L {
  double d[4];
};
int f(int a) {
  struct L {
    char c;
    int n;
  };
  return sizeof(L);
}
} // namespace size_of_local_struct_shadows

// f returns 1
namespace size_of_member {
struct S {
  char c;
  double n;
};
int f(int a) {
  return sizeof(S::c);
}
} // namespace size_of_member

// f returns 1
namespace size_of_object_member {
struct S {
  char c;
  double n;
};
int f(int a) {
  S s;
  return sizeof(s.c);
}
} // namespace size_of_object_member

// f is 16
namespace size_of_long_double {
int f(int a) {
  return sizeof(long double);
}
} // namespace size_of_long_double

// f is 1
namespace size_of_bool {
int f(int a) {
  return sizeof(bool);
}
} // namespace size_of_bool

// f returns 6
namespace size_of_wchar {
int f(int a) {
  return sizeof(wchar_t) + sizeof(char16_t);
}
} // namespace size_of_wchar

// f returns 26
namespace size_of_unsigned_long_long_int {
int f(int a) {
  return sizeof(unsigned long long int) + sizeof(long int) + sizeof(short int unsigned) +
         sizeof(int long);
}
} // namespace size_of_unsigned_long_long_int

// f returns 0
namespace branches_of_a_conditional_have_one_type {
int f(int a) {
  return (false ? 7u : -7) <= 65535;
}
} // namespace branches_of_a_conditional_have_one_type
