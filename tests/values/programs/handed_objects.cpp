// Objects that are cast, captured, moved, or given twice, and arrays that become pointers.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <utility>

// f returns 64
namespace const_cast_ptr {
struct C { int n = 1024; void set() const { const_cast<C *>(this)->n = 64; } };
int f(int a) {
  C c;
  c.set();
  return c.n;
}
} // namespace const_cast_ptr

// f returns 64
namespace cast_lvalue {
struct C { int n = 1024; };
int f(int a) {
  C c;
  ((C &)c).n = 64;
  return c.n;
}
} // namespace cast_lvalue

// f returns 64
namespace static_cast_lvalue {
struct B { int n = 1024; }; struct C : B { };
int f(int a) {
  C c;
  static_cast<B &>(c).n = 64;
  return c.n;
}
} // namespace static_cast_lvalue

// f returns 64
namespace reinterpret_lvalue {
struct C { int n = 1024; };
int f(int a) {
  C c;
  reinterpret_cast<int &>(c) = 64;
  return c.n;
}
} // namespace reinterpret_lvalue

// f returns 64
namespace rref {
struct C { int n = 1024; };
int f(int a) {
  C c;
  C &&r = std::move(c);
  r.n = 64;
  return c.n;
}
} // namespace rref

// f returns 64
namespace const_ref_param {
struct C { int n = 1024; };
int g(const C &r, C &s) { s.n = 64; return r.n; }
int f(int a) {
  C c;
  return g(c, c);
}
} // namespace const_ref_param

// f returns 64
namespace int_ref_alias {
int g(const int &r, int &s) { s = 64; return r; }
int f(int a) {
  int n = 1024;
  return g(n, n);
}
} // namespace int_ref_alias

// f returns 64
namespace method_self_arg {
struct A { int n = 1024; int get(A &o) const { o.n = 64; return n; } };
int f(int a) {
  A x;
  return x.get(x);
}
} // namespace method_self_arg

// f returns 64
namespace array_in_object_data {
struct C { int p[2] = {1024, 2}; };
int f(int a) {
  C c;
  *c.p = 64;
  return c.p[0];
}
} // namespace array_in_object_data

// f returns 64
namespace array_in_object_ptr {
struct C { int p[2] = {1024, 2}; };
int f(int a) {
  C c;
  int *q = c.p;
  q[0] = 64;
  return c.p[0];
}
} // namespace array_in_object_ptr

// f returns 64
namespace copy_then_method9 {
struct A { int n = 1024; void set() { n = 64; } };
int f(int a) {
  A k;
  auto l = [m = &k] { m->set(); };
  l();
  return k.n;
}
} // namespace copy_then_method9

// f returns 64
namespace init_capture_mutable {
int f(int a) {
  auto l = [n = 1024]() mutable { n /= 4; return n; };
  l();
  return l();
}
} // namespace init_capture_mutable

// f returns 64
namespace init_capture_mutable2 {
struct A { int n = 1024; };
int f(int a) {
  auto l = [c = A()]() mutable { c.n /= 4; return c.n; };
  l();
  return l();
}
} // namespace init_capture_mutable2

// f returns 64
namespace std_mem_fn {
struct A { int n = 1024; void set() { n = 64; } };
int f(int a) {
  A c;
  std::mem_fn(&A::set)(c);
  return c.n;
}
} // namespace std_mem_fn

// f returns 64
namespace fn_object_tmp {
struct A { int n = 1024; };
struct G { void operator()(A &x) const { x.n = 64; } };
int f(int a) {
  A c;
  G{}(c);
  return c.n;
}
} // namespace fn_object_tmp

// f returns 64
namespace method_conv_ref3 {
struct A { int n = 1024; operator int &() { return n; } };
int f(int a) {
  A c;
  static_cast<int &>(c) = 64;
  return c.n;
}
} // namespace method_conv_ref3

// f returns 64
namespace macro_method {
struct C { int n = 1024; void set(int m) { n = m; } };
#define SET_64(c) c.set(64)
int f(int a) {
  C c;
  SET_64(c);
  return c.n;
}
} // namespace macro_method

// f returns 64
namespace macro_method_bare {
struct C { int n = 1024; void set(int m) { n = m; } };
#define SET_C c.set(64)
int f(int a) {
  C c;
  SET_C;
  return c.n;
}
} // namespace macro_method_bare

// f returns 64
namespace macro_object {
struct C { int n = 1024; };
#define OBJECT c
int f(int a) {
  C c;
  OBJECT.n = 64;
  return c.n;
}
} // namespace macro_object

// f returns 64
namespace macro_number {
#define NUMBER k
int f(int a) {
  int k = 1024;
  NUMBER = 64;
  return k;
}
} // namespace macro_number

// f returns 64
namespace captured_copy {
struct C { int n = 1024; };
int f(int a) {
  C c;
  auto l = [c]() mutable { c.n /= 4; return c.n; };
  l();
  return l();
}
} // namespace captured_copy

// f returns 64
namespace captured_by_default {
int f(int a) {
  int n = 1024;
  auto l = [=]() mutable { n /= 4; return n; };
  l();
  return l();
}
} // namespace captured_by_default
