// sizeof of structs, unions, aliases and what shadows them.
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

// f is 24
namespace size_of_struct {
struct S {
  char c;
  double d;
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_struct

// f is 14
namespace size_of_nested {
struct T {
  char c;
  short s;
};
struct S {
  T t[3];
  char k;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_nested

// f is 1
namespace size_of_empty {
struct S {};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_empty

// f is 8
namespace size_of_empty_member {
struct E {};
struct S {
  E e;
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_empty_member

// f returns 16
namespace size_of_virtual {
struct S {
  virtual void g() {
  }
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_virtual

// f returns 16
namespace size_of_virtual_destructor {
struct S {
  virtual ~S() {
  }
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_virtual_destructor

// f returns 16
namespace size_of_virtual_declaration_only {
struct S {
  virtual void g() = 0;
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_virtual_declaration_only

// f is 4
namespace size_of_static {
struct S {
  static int k;
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_static

// f is 4
namespace size_of_static_constexpr {
struct S {
  static constexpr int k = 1;
  int n;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_static_constexpr

// f returns 4
namespace size_of_bitfield {
struct S {
  unsigned a : 3;
  unsigned b : 5;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_bitfield

// f returns 16
namespace size_of_alignas {
struct alignas(16) S {
  int a;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_alignas

// f returns 16
namespace size_of_alignas_member {
struct S {
  alignas(16) int a;
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_alignas_member

// f returns 5
namespace size_of_packed {
struct __attribute__((packed)) S {
  char c;
  int a;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_packed

// f returns 5
namespace size_of_packed_after {
struct S {
  char c;
  int a;
} __attribute__((packed));
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_packed_after

// f returns 5
namespace size_of_packed_member {
struct S {
  char c;
  int a __attribute__((packed));
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_packed_member

// f returns 32
namespace size_of_aligned_after {
struct S {
  char c;
} __attribute__((aligned(32)));
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_aligned_after

// f returns 5
namespace size_of_pragma_pack {
#pragma pack(push, 1)
struct S {
  char c;
  int a;
};
#pragma pack(pop)
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_pragma_pack

// f is 16
namespace size_of_union {
union S {
  char c;
  double a;
  int k[3];
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_union

// f returns 16
namespace size_of_anonymous_union {
struct S {
  int n;
  union {
    double d;
    int k;
  };
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_anonymous_union

// f returns 24
namespace size_of_anonymous_struct {
struct S {
  int n;
  struct {
    double d;
    int k;
  };
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_anonymous_struct

// f is 24
namespace size_of_nested_struct_with_member {
struct S {
  int n;
  struct T {
    double d;
    int k;
  } t;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_nested_struct_with_member

// f is 4
namespace size_of_nested_struct_no_member {
struct S {
  int n;
  struct T {
    double d;
    int k;
  };
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_nested_struct_no_member

// f is 8
namespace size_of_nested_enum_member {
struct S {
  enum E { A, B } e;
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_nested_enum_member

// f is 1
namespace size_of_nested_enum {
struct S {
  enum E { A, B };
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_nested_enum

// f returns 8
namespace size_of_derived {
struct B {
  int n;
};
struct S : B {
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_derived

// f is 16
namespace size_of_pointer_members {
struct S {
  int *p;
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_pointer_members

// f returns 16
namespace size_of_function_pointer_member {
struct S {
  int (*p)(int);
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_function_pointer_member

// f returns 16
namespace size_of_array_pointer_member {
struct S {
  int (*p)[4];
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_array_pointer_member

// f is 40
namespace size_of_array_of_pointer_member {
struct S {
  int *p[4];
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_array_of_pointer_member

// f is 16
namespace size_of_reference_member {
struct S {
  int &r;
  char c;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_reference_member

// f is 24
namespace size_of_multi {
struct S {
  int a, b;
  char c, d[3], *e;
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_multi

// f is 60
namespace size_of_2d {
struct S {
  float a[3][5];
};
int f(int a) {
  return sizeof(S);
}
} // namespace size_of_2d

// f is 7
namespace size_of_const_extent {
const int N = 7;
struct S {
  char a[N];
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_const_extent

// f is 3
namespace size_of_const_extent_in_struct {
const int N = 7;
struct S {
  static const int N = 3;
  char a[N];
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_const_extent_in_struct

// f is 3
namespace size_of_const_extent_in_struct_after {
struct S {
  enum { M = 3 };
  char a[M];
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_const_extent_in_struct_after

// f returns 16
namespace size_of_typedef_array {
typedef float row[4];
int f(int x) {
  return sizeof(row);
}
} // namespace size_of_typedef_array

// f returns 48
namespace size_of_typedef_array_of {
typedef float row[4];
int f(int x) {
  row r[3];
  return sizeof(r);
}
} // namespace size_of_typedef_array_of

// f returns 8
namespace size_of_typedef_pointer {
typedef float *fp;
int f(int x) {
  return sizeof(fp);
}
} // namespace size_of_typedef_pointer

// f returns 24
namespace size_of_typedef_pointer_array {
typedef float *fp;
int f(int x) {
  fp r[3];
  return sizeof(r);
}
} // namespace size_of_typedef_pointer_array

// f is 8
namespace size_of_typedef_struct {
typedef struct {
  char c;
  int n;
} TS;
int f(int x) {
  return sizeof(TS);
}
} // namespace size_of_typedef_struct

// f is 8
namespace size_of_typedef_struct_tag {
typedef struct tag {
  char c;
  int n;
} TS;
int f(int x) {
  return sizeof(TS);
}
} // namespace size_of_typedef_struct_tag

// f is 8
namespace size_of_typedef_struct_same {
typedef struct TS {
  char c;
  int n;
} TS;
int f(int x) {
  return sizeof(TS);
}
} // namespace size_of_typedef_struct_same

// f is 8
namespace size_of_struct_keyword {
struct S {
  char c;
  int n;
};
int f(int x) {
  return sizeof(struct S);
}
} // namespace size_of_struct_keyword

// f returns 16
namespace size_of_two_structs_in_namespace {
namespace a1 {
struct S {
  int n;
};
}
namespace b1 {
struct S {
  double d[2];
};
}
int f(int x) {
  return sizeof(b1::S);
}
} // namespace size_of_two_structs_in_namespace

// f is 20
namespace size_of_two_structs_one_in_namespace {
struct S {
  int n;
};
namespace b1 {
struct T {
  double d[2];
};
}
int f(int x) {
  return sizeof(b1::T) + sizeof(S);
}
} // namespace size_of_two_structs_one_in_namespace

// f returns 16
namespace size_of_namespace_struct_only_other_std_like_name {
namespace b1 {
struct pair {
  char c;
};
}
int f(int x) {
  return sizeof(std::pair<int, double>);
}
} // namespace size_of_namespace_struct_only_other_std_like_name

// f is 12
namespace size_of_user_float3 {
struct float3 {
  float x, y, z;
};
int f(int x) {
  return sizeof(float3);
}
} // namespace size_of_user_float3

// f returns 6
namespace size_of_user_half {
struct half {
  char c[6];
};
int f(int x) {
  return sizeof(half);
}
} // namespace size_of_user_half

// f returns 6
namespace size_of_user_byte {
struct byte {
  char c[6];
};
int f(int x) {
  return sizeof(byte);
}
} // namespace size_of_user_byte

// f is 4
namespace size_of_forward_declaration {
struct S;
struct S {
  int n;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_forward_declaration

// f returns 16
namespace size_of_template {
template <class T> struct V {
  T x, y;
};
int f(int x) {
  return sizeof(V<double>);
}
} // namespace size_of_template

// f is 10
namespace size_of_std_array {
int f(int x) {
  return sizeof(std::array<short, 5>);
}
} // namespace size_of_std_array

// f is 16
namespace size_of_std_pair {
int f(int x) {
  return sizeof(std::pair<char, double>);
}
} // namespace size_of_std_pair

// f returns 24
namespace size_of_vector {
int f(int x) {
  return sizeof(std::vector<int>);
}
} // namespace size_of_vector

// f is 8
namespace size_of_complex {
template <class T> struct complexx {
  T a, b;
};
int f(int x) {
  return sizeof(float) * 2;
}
} // namespace size_of_complex

// f returns 4
namespace size_of_lambda {
int f(int x) {
  auto g = [x] { return x; };
  return sizeof(g);
}
} // namespace size_of_lambda

// f returns 16
namespace size_of_with_constructor_and_methods {
struct S {
  S();
  S(int);
  ~S() {
  }
  int g() const {
    return n;
  }
  operator int() {
    return 1;
  }

private:
  int n;
  char c;

public:
  double d;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_with_constructor_and_methods

// f returns 16
namespace size_of_macro_member {
#define MEMB                                                                                       \
  int q;                                                                                           \
  double r;
struct S {
  char c;
  MEMB
};
int f(int x) {
  return sizeof(S);
}
#undef MEMB
} // namespace size_of_macro_member

// f returns 1
namespace size_of_macro_conditional {
struct S {
  char c;
#ifdef NOPE
  int x;
#endif
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_macro_conditional

// f is 4
namespace size_of_friend {
struct S {
  friend struct T;
  int n;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_friend

// f is 8
namespace size_of_using_in_struct {
struct S {
  using T = double;
  T n;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_using_in_struct

// f is 8
namespace size_of_using_in_struct_twice {
using T = char;
struct S {
  using T = double;
  T n;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_using_in_struct_twice

// f is 8
namespace size_of_using_shadow {
using T = char;
int f(int x) {
  using T = double;
  return sizeof(T);
}
} // namespace size_of_using_shadow

// f is 8
namespace size_of_mutable_volatile {
struct S {
  mutable char c;
  volatile int n;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_mutable_volatile

// f returns 16
namespace size_of_member_function_pointer {
struct S {
  void (S::*p)();
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_member_function_pointer

// f is 1
namespace size_of_member_declaration_function {
struct S {
  int g(int);
  char c;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_member_declaration_function

// f returns 4
namespace size_of_no_unique_address {
struct E {};
struct S {
  [[no_unique_address]] E e;
  int n;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_no_unique_address

// f returns 4
namespace size_of_enum_typed_alias {
enum class E : short { A };
using EE = E;
struct S {
  EE a;
  char c;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_enum_typed_alias

// f returns 8
namespace size_of_enum_64 {
enum E { A = 5000000000 };
int f(int x) {
  return sizeof(E);
}
} // namespace size_of_enum_64

// f returns 8
namespace size_of_nullptr {
int f(int x) {
  return sizeof(nullptr);
}
} // namespace size_of_nullptr

// f is 18
namespace size_of_std_size_t_ptrdiff {
int f(int x) {
  return sizeof(std::size_t) + sizeof(std::ptrdiff_t) + sizeof(std::int16_t);
}
} // namespace size_of_std_size_t_ptrdiff

// f returns 48
namespace size_of_std_atomic_like {
struct S {
  int a[2];
  S *next;
};
int f(int x) {
  return sizeof(S[3]);
}
} // namespace size_of_std_atomic_like

// f returns 4
namespace size_of_flexible {
struct S {
  int n;
  char d[];
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_flexible

// f is 5
namespace size_of_vla {
int f(int x) {
  int n = 5;
  char d[n];
  return sizeof(d);
}
} // namespace size_of_vla

// f returns 12
namespace size_of_volatile_var_product {
int f(int x) {
  float d[2][3];
  return sizeof(d[0]);
}
} // namespace size_of_volatile_var_product

// f returns 8
namespace alignment {
int f(int x) {
  return alignof(double);
}
} // namespace alignment

// f returns 4
namespace offset_of_a_member {
struct S {
  char c;
  int n;
};
int f(int x) {
  return offsetof(S, n);
}
} // namespace offset_of_a_member

// f returns 16
namespace size_of_int128 {
int f(int x) {
  return sizeof(__int128);
}
} // namespace size_of_int128

// f returns 8
namespace size_of_wchar {
struct S {
  wchar_t w;
  char c;
};
int f(int x) {
  return sizeof(S);
}
} // namespace size_of_wchar

// f returns 8
namespace size_of_int_with_macro_name {
#define real double
int f(int x) {
  return sizeof(real);
}
#undef real
} // namespace size_of_int_with_macro_name

// f returns 4
namespace size_of_two_macro {
#ifdef DOUBLE_PREC
#define real2 double
#else
#define real2 float
#endif
int f(int x) {
  return sizeof(real2);
}
#undef real2
} // namespace size_of_two_macro

// f returns 4
namespace size_of_two_typedef {
#ifdef DOUBLE_PREC
typedef double real3;
#else
typedef float real3;
#endif
int f(int x) {
  return sizeof(real3);
}
} // namespace size_of_two_typedef

// f returns 4
namespace size_of_two_struct_variants {
#ifdef DOUBLE_PREC
struct R {
  double x;
};
#else
struct R {
  float x;
};
#endif
int f(int x) {
  return sizeof(R);
}
} // namespace size_of_two_struct_variants

// f returns 804
namespace size_of_typedef_in_namespaces {
namespace aa {
typedef double real4;
}
namespace bb {
typedef float real4;
}
int f(int x) {
  return sizeof(aa::real4) * 100 + sizeof(bb::real4);
}
} // namespace size_of_typedef_in_namespaces

// f is 800
namespace size_of_typedef_in_one_namespace {
namespace aa {
typedef double int_t;
}
typedef char int_tt;
int f(int x) {
  return sizeof(aa::int_t) * 100;
}
} // namespace size_of_typedef_in_one_namespace

// f is 8
namespace size_of_typedef_in_class_vs_unqualified {
struct P {
  typedef double value_type;
};
struct Q {
  typedef char value_type2;
};
int f(int x) {
  return sizeof(P::value_type);
}
} // namespace size_of_typedef_in_class_vs_unqualified

// f is 1
namespace size_of_local_typedef_in_other_function {
int g() {
  typedef double loc;
  return sizeof(loc);
}
typedef char loc;
int f(int x) {
  return sizeof(loc);
}
} // namespace size_of_local_typedef_in_other_function

// f returns 1
namespace size_of_local_struct_in_other_function {
int g() {
  struct loc2 {
    double d[3];
  };
  return sizeof(loc2);
}
struct loc2 {
  char c;
};
int f(int x) {
  return sizeof(loc2);
}
} // namespace size_of_local_struct_in_other_function

// f is 1
namespace size_of_local_struct_in_other_function_vs_using {
int g() {
  struct loc3 {
    double d[3];
  };
  return sizeof(loc3);
}
using loc3 = char;
int f(int x) {
  return sizeof(loc3);
}
} // namespace size_of_local_struct_in_other_function_vs_using

// f is 2
namespace size_deduced_from_a_pointer {
template <typename T> int g(const T *p) {
  return sizeof(T);
}
int f(int a) {
  short n[4] = {0};
  short *p = n + 1;
  return g(p);
}
} // namespace size_deduced_from_a_pointer

// f is 8
namespace size_deduced_from_an_array {
template <typename T> int g(T *p) {
  return sizeof(T);
}
int f(int a) {
  double n[4] = {0};
  return g(n);
}
} // namespace size_deduced_from_an_array

// f is 1
namespace size_deduced_from_an_address {
template <typename T> int g(T *p) {
  return sizeof(T);
}
int f(int a) {
  char n[4] = {0};
  return g(&n[2]);
}
} // namespace size_deduced_from_an_address

// f is 4
namespace size_deduced_through_auto {
template <typename T> int g(T *p) {
  return sizeof(T);
}
int f(int a) {
  std::vector<float> v(4);
  auto p = v.data();
  return g(p);
}
} // namespace size_deduced_through_auto

// f is 2
namespace size_deduced_from_a_cast {
template <typename T> int g(const T *p) {
  return sizeof(T);
}
int f(int a) {
  double d = 0;
  return g(reinterpret_cast<short *>(&d));
}
} // namespace size_deduced_from_a_cast

// f is 12
namespace size_deduced_from_a_class {
struct S {
  int x, y, z;
};
template <typename T> int g(T p) {
  return sizeof(T);
}
int f(int a) {
  S s = {1, 2, 3};
  return g(s);
}
} // namespace size_deduced_from_a_class

// f is 8
namespace size_deduced_from_a_pointer_to_a_pointer {
template <typename T> int g(T *p) {
  return sizeof(T);
}
int f(int a) {
  char c = 0;
  char *p = &c;
  return g(&p);
}
} // namespace size_deduced_from_a_pointer_to_a_pointer

// f is 2
namespace size_deduced_from_an_argument_of_a_template {
template <typename T> int g(const std::vector<T> &v) {
  return sizeof(T);
}
int f(int a) {
  std::vector<short> v(3);
  return g(v);
}
} // namespace size_deduced_from_an_argument_of_a_template

// f is 8
namespace size_deduced_in_two_steps {
template <typename T> int g(T *p) {
  return sizeof(T);
}
template <typename K> int h(K *p) {
  return g(p);
}
int f(int a) {
  double d = 0;
  return h(&d);
}
} // namespace size_deduced_in_two_steps

// f is 8
namespace size_deduced_from_literals {
template <typename T> int g(T x) {
  return sizeof(T);
}
int f(int a) {
  return g(1.5f) + g(1);
}
} // namespace size_deduced_from_literals

// f is 8
namespace deduction_outweighs_a_default {
template <typename T = char> int g(T x) {
  return sizeof(T);
}
int f(int a) {
  double d = 0;
  return g(d);
}
} // namespace deduction_outweighs_a_default

// f is 1
namespace a_default_where_nothing_is_deduced {
template <typename T = char> int g(int x) {
  return sizeof(T);
}
int f(int a) {
  return g(1);
}
} // namespace a_default_where_nothing_is_deduced

// f is 16
namespace size_of_an_instance {
template <typename T, int N> struct P {
  T a[N];
  char b;
};
int f(int a) {
  return sizeof(P<int, 3>);
}
} // namespace size_of_an_instance

// f is 4
namespace size_of_an_instance_of_a_parameter {
template <typename T> struct P {
  T a, b;
};
template <typename V> int g(const P<V> &p) {
  return sizeof(P<V>);
}
int f(int a) {
  P<short> p = {1, 2};
  return g(p);
}
} // namespace size_of_an_instance_of_a_parameter

// f is 4
namespace the_alias_that_is_compiled {
#define SINGLE
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
int f(int a) {
  return sizeof(real);
}
} // namespace the_alias_that_is_compiled

// f is 2
namespace an_alias_of_the_nearest_scope {
using T = double;
namespace inner {
using T = short;
int g() {
  return sizeof(T);
}
} // namespace inner
int f(int a) {
  return inner::g();
}
} // namespace an_alias_of_the_nearest_scope

// f returns 8
namespace a_parameter_is_no_alias_elsewhere {
struct Other {
  using T = char;
};
template <typename T> int g(T x) {
  return sizeof(T);
}
double value() {
  return 1;
}
int f(int a) {
  return g(value());
}
} // namespace a_parameter_is_no_alias_elsewhere
