// What initialisers and constructors do to other members, and to objects they are given.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <utility>

// f returns 64
namespace member_ctor_call {
struct B { int n = 1024; void set() { n = 64; } };
struct D { B b; D() { b.set(); } };
int f(int a) {
  D d;
  return d.b.n;
}
} // namespace member_ctor_call

// f returns 64
namespace member_other_init {
struct D { int n = 1024; int m = change(); int change() { n = 64; return 1; } };
int f(int a) {
  D d;
  return d.n;
}
} // namespace member_other_init

// f returns 64
namespace member_other_init_list {
struct D { int n = 1024; int m; D() : m(n = 64) {} };
int f(int a) {
  D d;
  return d.n;
}
} // namespace member_other_init_list

// f returns 64
namespace member_init_lambda {
struct D { int n = 1024; int m = [this] { n = 64; return 1; }(); };
int f(int a) {
  D d;
  return d.n;
}
} // namespace member_init_lambda

// f returns 1025
namespace member_init_incr {
struct D { int n = 1024; int m = n++; };
int f(int a) {
  D d;
  return d.n;
}
} // namespace member_init_incr

// f returns 64
namespace member_init_ref {
inline int g(int &x) { x = 64; return 1; }
struct D { int n = 1024; int m = g(n); };
int f(int a) {
  D d;
  return d.n;
}
} // namespace member_init_ref

// f returns 64
namespace member_ref_member {
struct D { int n = 1024; int &m = n; };
int f(int a) {
  D d;
  d.m = 64;
  return d.n;
}
} // namespace member_ref_member

// f returns 64
namespace member_ptr_member {
struct D { int n = 1024; int *m = &n; };
int f(int a) {
  D d;
  *d.m = 64;
  return d.n;
}
} // namespace member_ptr_member

// f returns 64
namespace hiding_local_in_ctor {
struct C { int n = 64; C(int k) { int n = 1024; n += k; } };
int f(int a) {
  C c(64);
  return c.n;
}
} // namespace hiding_local_in_ctor

// f returns 64
namespace other_ctor_nonconst {
struct C { int n = 1024; };
struct K { K(C &o) { o.n = 64; } };
int f(int a) {
  C c;
  K d = c;
  return c.n;
}
} // namespace other_ctor_nonconst

// f returns 64
namespace global_default_member {
int k = 1024;
struct C { int n = k; };
int f(int a) {
  k = 64;
  C c;
  return c.n;
}
} // namespace global_default_member

// f returns 64
namespace global_default_member2 {
int k = 1024;
struct C { int n = k; };
int f(int a) {
  k = 64;
  C c;
  k = 1024;
  return c.n;
}
} // namespace global_default_member2

// f returns 64
namespace local_default_arg {
int k = 1024;
int g(int n = k) { return n; }
int f(int a) {
  k = 64;
  return g();
}
} // namespace local_default_arg

// f returns 64
namespace init_order {
struct C { int b = 1024; int a; C(int x) : a(x), b(a) {} };
int f(int a) {
  C c(64);
  return c.a;
}
} // namespace init_order

// f returns 64
namespace deleg {
struct C { int n = 1024; C(int x) : n(x) {} C() : C(64) {} };
int f(int a) {
  C c;
  return c.n;
}
} // namespace deleg

// f returns 64
namespace inherit_ctor {
struct B { int n = 1024; B(int x) : n(x) {} };
struct D : B { using B::B; };
int f(int a) {
  D d(64);
  return d.n;
}
} // namespace inherit_ctor

// f returns 64
namespace inherit_ctor2 {
struct B { int n = 1024; B(int x) { n = x; } };
struct D : B { using B::B; int m = n; };
int f(int a) {
  D d(64);
  return d.m;
}
} // namespace inherit_ctor2

// f returns 64
namespace base_ctor_arg {
struct B { int n = 1024; B(int x) : n(x) {} B() {} };
struct D : B { D() : B(64) {} };
int f(int a) {
  D d;
  return d.n;
}
} // namespace base_ctor_arg

// f returns 64
namespace member_ctor_method {
struct D { int n = 1024; D() { init(); } void init() { n = 64; } };
int f(int a) {
  D d;
  return d.n;
}
} // namespace member_ctor_method

// f returns 64
namespace ctor_il {
struct A { int n; A(std::initializer_list<int> l) : n(64) {} A(int x) : n(x) {} };
int f(int a) {
  A c{1024};
  return c.n;
}
} // namespace ctor_il

// f returns 64
namespace ctor_conv_overload {
struct A { int n; A(double) : n(64) {} A(int x) : n(x) {} };
int f(int a) {
  A c(1024.0);
  return c.n;
}
} // namespace ctor_conv_overload

// f returns 64
namespace ctor_template {
struct A { int n; template <typename T> A(T x) : n(64) {} };
int f(int a) {
  A c(1024);
  return c.n;
}
} // namespace ctor_template

// f returns 64
namespace ctor_ctad_guide {
template <typename T> struct A { int n = sizeof(T) == 4 ? 1024 : 64; A(int) {} };
A(int) -> A<double>;
int f(int a) {
  A c(1);
  return c.n;
}
} // namespace ctor_ctad_guide
