// Classes and constants of one name in several scopes.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <utility>

// f returns 64
namespace hiding_base_static {
constexpr int n = 1024;
struct B { static constexpr int n = 64; };
struct C : B { static int get() { return n; } };
int f(int a) {
  return C::get();
}
} // namespace hiding_base_static

// f returns 64
namespace hiding_local_struct {
struct C { static constexpr int n = 1024; };
int f(int a) {
  struct C { int n = 64; };
  C c;
  return c.n;
}
} // namespace hiding_local_struct

// f returns 64
namespace hiding_local_struct2 {
struct C { static constexpr int n = 1024; };
int f(int a) {
  struct C { enum { n = 64 }; };
  return C::n;
}
} // namespace hiding_local_struct2

// f returns 64
namespace hiding_using {
namespace x { struct C { static constexpr int n = 64; }; }
struct C2 { static constexpr int n = 1024; };
int f(int a) {
  using C2 = x::C;
  return C2::n;
}
} // namespace hiding_using

// f returns 64
namespace hiding_using_tpl {
namespace x { template <int N> struct C { static constexpr int n = N; }; }
namespace y { template <int N> struct C { static constexpr int n = 1024; }; }
using y::C;
int f(int a) {
  using x::C;
  return C<64>::n;
}
} // namespace hiding_using_tpl

// f returns 64
namespace nested_equal {
struct A { struct T { static constexpr int n = 1024; }; };
struct B { struct T { static constexpr int n = 64; }; };
template <typename X> int g() { using T = typename X::T; return T::n; }
int f(int a) {
  return g<B>();
}
} // namespace nested_equal

// f returns 64
namespace nested_equal_member {
struct A { struct T { int n = 1024; }; T t; };
struct B { struct T { int n = 64; }; T t; };
int f(int a) {
  B b;
  return b.t.n;
}
} // namespace nested_equal_member

// f returns 64
namespace nested_base_type {
struct A { struct T { int n = 64; }; };
struct T { int n = 1024; };
struct B : A { T t; };
int f(int a) {
  B b;
  return b.t.n;
}
} // namespace nested_base_type

// f returns 64
namespace nested_base_alias_dep {
struct T1 { int n = 64; }; struct T2 { int n = 1024; };
template <typename X> struct A { using T = T1; };
template <typename X> struct B : A<X> { using typename A<X>::T; T t; };
using T = T2;
int f(int a) {
  B<int> b;
  return b.t.n;
}
} // namespace nested_base_alias_dep

// f returns 64
namespace inline_ns {
inline namespace v2 { struct C { int n = 64; }; }
namespace v1 { struct C { int n = 1024; }; }
int f(int a) {
  C c;
  return c.n;
}
} // namespace inline_ns

// f returns 64
namespace anon_ns {
namespace { struct C { int n = 64; }; }
namespace z { struct C { int n = 1024; }; }
int f(int a) {
  C c;
  return c.n;
}
} // namespace anon_ns

// f returns 64
namespace hiding_ns_alias {
namespace x { struct C { int n = 64; }; }
namespace y { struct C { int n = 1024; }; }
int f(int a) {
  namespace y = x;
  y::C c;
  return c.n;
}
} // namespace hiding_ns_alias

// f returns 64
namespace hiding_enum {
constexpr int n = 1024;
struct C { enum { n = 64 }; int m = n; };
int f(int a) {
  C c;
  return c.m;
}
} // namespace hiding_enum

// f returns 1024
namespace other_scope {
struct P { int n = 64; };
namespace inner { struct P { int n = 1024; }; }
int f(int a) {
  inner::P p;
  return p.n;
}
} // namespace other_scope

// f returns 64
namespace first_of_two {
namespace one { struct P { int n = 1024; }; }
namespace two { struct P { int n = 64; }; int g() { P p; return p.n; } }
int f(int a) {
  two::P p;
  return p.n;
}
} // namespace first_of_two
