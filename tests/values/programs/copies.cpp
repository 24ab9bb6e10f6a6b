// Copies, conversions and slices: an object of one class where another is wanted.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <utility>

// f returns 64
namespace copy_ctor {
struct C { int n = 1024; C() {} C(const C &o) : n(o.n / 16) {} };
int f(int a) {
  C c;
  C d = c;
  return d.n;
}
} // namespace copy_ctor

// f returns 64
namespace copy_ctor2 {
struct C { int n = 1024; C() {} C(const C &o) { n = 64; } };
int f(int a) {
  C c;
  C d(c);
  return d.n;
}
} // namespace copy_ctor2

// f returns 64
namespace copy_ctor3 {
struct C { int n = 1024; C() {} C(const C &o) { n = 64; } };
int f(int a) {
  C c;
  auto d = c;
  return d.n;
}
} // namespace copy_ctor3

// f returns 64
namespace copy_ctor4 {
struct C { int n = 1024; C() {} C(const C &o) { n = 64; } };
int f(int a) {
  C c;
  auto d{c};
  return d.n;
}
} // namespace copy_ctor4

// f returns 64
namespace copy_ctor_byvalue {
struct C { int n = 1024; C() {} C(const C &o) { n = 64; } };
int g(C c) { return c.n; }
int f(int a) {
  C c;
  return g(c);
}
} // namespace copy_ctor_byvalue

// f returns 64
namespace copy_member_ctor {
struct C { int n = 1024; C() {} C(const C &o) { n = 64; } };
struct H { C c; };
int f(int a) {
  H h;
  H k = h;
  return k.c.n;
}
} // namespace copy_member_ctor

// f returns 64
namespace copy_capture {
struct C { int n = 1024; C() {} C(const C &o) { n = 64; } };
int f(int a) {
  C c;
  auto l = [c] { return c.n; };
  return l();
}
} // namespace copy_capture

// f returns 64
namespace copy_assign_member {
struct C { int n = 1024; C &operator=(const C &o) { n = 64; return *this; } };
struct H { C c; };
int f(int a) {
  H h;
  C d;
  h.c = d;
  return h.c.n;
}
} // namespace copy_assign_member

// f returns 64
namespace copy_assign_nested {
struct C { int n = 1024; C &operator=(const C &o) { n = 64; return *this; } };
struct H { C c; };
int f(int a) {
  H h, k;
  h = k;
  return h.c.n;
}
} // namespace copy_assign_nested

// f returns 64
namespace move_ctor {
struct C { int n = 1024; C() {} C(C &&o) { n = o.n; o.n = 64; } };
int f(int a) {
  C c;
  C d = std::move(c);
  return c.n;
}
} // namespace move_ctor

// f returns 64
namespace move_ctor_arg {
struct C { int n = 1024; C() {} C(C &&o) { n = o.n; o.n = 64; } };
int g(C c) { return 1; }
int f(int a) {
  C c;
  g(std::move(c));
  return c.n;
}
} // namespace move_ctor_arg

// f returns 64
namespace copy_ctor_nonconst {
struct C { int n = 1024; C() {} C(C &o) { o.n = 64; } };
int f(int a) {
  C c;
  C d = c;
  return c.n;
}
} // namespace copy_ctor_nonconst

// f returns 64
namespace slice {
struct B { int n = 64; };
struct D : B { int n = 1024; };
int f(int a) {
  D d;
  B b = d;
  return b.n;
}
} // namespace slice

// f returns 64
namespace slice2 {
struct B { int n = 64; int get() const { return n; } };
struct D : B { int n = 1024; int get() const { return n; } };
int g(B b) { return b.get(); }
int f(int a) {
  D d;
  return g(d);
}
} // namespace slice2

// f returns 64
namespace slice_member {
struct B { int n = 64; };
struct D : B { int n = 1024; };
struct H { B b; H(const D &d) : b(d) {} };
int f(int a) {
  D d;
  H h(d);
  return h.b.n;
}
} // namespace slice_member

// f returns 64
namespace slice_assign {
struct B { int n = 1; };
struct D : B { int n = 1024; };
int f(int a) {
  D d;
  d.B::n = 64;
  B b;
  b = d;
  return b.n;
}
} // namespace slice_assign

// f returns 64
namespace virt_param {
struct B { int n = 1024; };
struct D : B { int n = 64; };
int g(const B &b) { return b.n; }
int f(int a) {
  D d;
  return g(d) / 16;
}
} // namespace virt_param

// f returns 64
namespace convert_return {
struct A { int n = 1024; }; struct B { int n = 1024; B(const A &) : n(64) {} };
B g() { A a; return a; }
int f(int a) {
  return g().n;
}
} // namespace convert_return

// f returns 64
namespace convert_var {
struct A { int n = 1024; }; struct B { int n = 1024; B(const A &) : n(64) {} };
int f(int a) {
  A x;
  B b = x;
  return b.n;
}
} // namespace convert_var

// f returns 64
namespace convert_param {
struct A { int n = 1024; }; struct B { int n = 1024; B(const A &) : n(64) {} };
int g(B b) { return b.n; }
int f(int a) {
  A x;
  return g(x);
}
} // namespace convert_param

// f returns 64
namespace convert_member {
struct A { int n = 1024; }; struct B { int n = 1024; B(const A &) : n(64) {} B() {} };
struct H { B b; };
int f(int a) {
  A x;
  H h{x};
  return h.b.n;
}
} // namespace convert_member

// f returns 64
namespace convert_member_assign {
struct A { int n = 1024; }; struct B { int n = 1024; B(const A &) : n(64) {} B() {} };
struct H { B b; };
int f(int a) {
  A x;
  H h;
  h.b = x;
  return h.b.n;
}
} // namespace convert_member_assign

// f returns 64
namespace convert_assign {
struct A { int n = 1024; }; struct B { int n = 1024; B(const A &) : n(64) {} B() {} };
int f(int a) {
  A x;
  B b;
  b = x;
  return b.n;
}
} // namespace convert_assign

// f returns 64
namespace convert_op {
struct B { int n = 64; };
struct A { int n = 1024; operator B() const { return B{}; } };
int f(int a) {
  A x;
  B b = x;
  return b.n;
}
} // namespace convert_op

// f returns 64
namespace convert_op_param {
struct B { int n = 64; };
struct A { int n = 1024; operator B() const { return B{}; } };
int g(B b) { return b.n; }
int f(int a) {
  A x;
  return g(x);
}
} // namespace convert_op_param

// f returns 64
namespace convert_op_assign {
struct B { int n = 64; };
struct A { int n = 1024; operator B() const { return B{}; } };
int f(int a) {
  A x;
  B b{1};
  b = x;
  return b.n;
}
} // namespace convert_op_assign

// f returns 64
namespace convert_op_ternary {
struct B { int n = 64; };
struct A { int n = 1024; operator B() const { return B{}; } };
int f(int a) {
  A x;
  B b{64};
  auto c = a > 1 ? b : x;
  return c.n;
}
} // namespace convert_op_ternary
