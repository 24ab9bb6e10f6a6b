// Members of objects: what they start with, what is assigned to them, what methods give.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <utility>

// f is 256
namespace default_member {
struct C {
  int wg = 256;
  int rows = 4;
};
int f(int a) {
  C c;
  return c.wg;
}
} // namespace default_member

// f is 64
namespace aggregate {
struct A {
  const int n = 128;
  int m = n;
};
int f(int a) {
  A x{64};
  return x.n;
}
} // namespace aggregate

// f is 64
namespace aggregate_hangs {
struct A {
  const int n = 128;
  int m = n;
};
int f(int a) {
  A x{64};
  return x.m;
}
} // namespace aggregate_hangs

// f is 128
namespace written {
struct C {
  int wg = 256;
  int total = wg * 2;
};
int f(int a) {
  C c;
  c.wg = 128;
  return c.wg;
}
} // namespace written

// f is 512
namespace written_after {
struct C {
  int wg = 256;
  int total = wg * 2;
};
int f(int a) {
  C c;
  c.wg = 128;
  return c.total;
}
} // namespace written_after

// f is 256
namespace compound {
struct C {
  int wg = 128;
};
int f(int a) {
  C c;
  c.wg *= 2;
  return c.wg;
}
} // namespace compound

// f is 32
namespace designated {
struct C {
  int wg = 256;
  int rows = 4;
};
int f(int a) {
  C c{.rows = 32};
  return c.rows;
}
} // namespace designated

// f is 256
namespace designated_other {
struct C {
  int wg = 256;
  int rows = 4;
};
int f(int a) {
  C c = {.rows = 32};
  return c.wg;
}
} // namespace designated_other

// f is 16
namespace nested {
struct T {
  int r = 8;
  int c = 2;
};
struct C {
  int wg = 256;
  T t;
  T u{16};
};
int f(int a) {
  C c;
  return c.u.r;
}
} // namespace nested

// f is 8
namespace nested_default {
struct T {
  int r = 8;
  int c = 2;
};
struct C {
  int wg = 256;
  T t;
  T u{16};
};
int f(int a) {
  C c;
  return c.t.r;
}
} // namespace nested_default

// f is 5
namespace nested_written {
struct T {
  int r = 8;
  int c = 2;
};
struct C {
  int wg = 256;
  T t;
};
int f(int a) {
  C c;
  c.t.r = 5;
  return c.t.r;
}
} // namespace nested_written

// f is 2
namespace nested_written_other {
struct T {
  int r = 8;
  int c = 2;
};
struct C {
  int wg = 256;
  T t;
};
int f(int a) {
  C c;
  c.t.r = 5;
  return c.t.c;
}
} // namespace nested_written_other

// f is 7
namespace nested_replaced {
struct T {
  int r = 8;
  int c = 2;
};
struct C {
  int wg = 256;
  T t;
};
int f(int a) {
  C c;
  c.t.r = 5;
  c.t = T{7, 9};
  return c.t.r;
}
} // namespace nested_replaced

// f is 9
namespace nested_replaced_list {
struct T {
  int r = 8;
  int c = 2;
};
struct C {
  int wg = 256;
  T t;
};
int f(int a) {
  C c;
  c.t = {7, 9};
  c.t.r = 1;
  return c.t.c;
}
} // namespace nested_replaced_list

// f is 3
namespace static_member {
struct C {
  static constexpr int k = 3;
  int n = k;
};
int f(int a) {
  C c;
  return c.n;
}
} // namespace static_member

// f is 3
namespace static_through_object {
struct C {
  static constexpr int k = 3;
  int n = k;
};
int f(int a) {
  C c;
  return c.k;
}
} // namespace static_through_object

// f is 256
namespace constant_object {
struct C {
  int wg = 256;
};
constexpr C cfg{};
int f(int a) {
  return cfg.wg;
}
} // namespace constant_object

// f is 64
namespace constructor {
struct C {
  int wg;
  int n;
  C(int w, int k = 3) : wg(w), n{k * w} {}
};
int f(int a) {
  C c(64);
  return c.wg;
}
} // namespace constructor

// f is 192
namespace constructor_second {
struct C {
  int wg;
  int n;
  C(int w, int k = 3) : wg(w), n{k * w} {}
};
int f(int a) {
  C c(64);
  return c.n;
}
} // namespace constructor_second

// f is 64
namespace constructor_body {
struct C {
  int wg;
  C(int w) {
    wg = w;
  }
};
int f(int a) {
  C c(64);
  return c.wg;
}
} // namespace constructor_body

// f returns 65
namespace constructor_this {
struct C {
  int wg = 7;
  C(int w) {
    this->wg = w + 1;
  }
};
int f(int a) {
  C c(64);
  return c.wg;
}
} // namespace constructor_this

// f is 64
namespace parameter_of_same_name {
struct C {
  int wg = 7;
  C(int wg) : wg(wg) {}
};
int f(int a) {
  C c(64);
  return c.wg;
}
} // namespace parameter_of_same_name

// f returns 9
namespace setter {
struct C {
  int wg = 7;
  void set(int n) {
    wg = n;
  }
};
int f(int a) {
  C c;
  c.set(9);
  return c.wg;
}
} // namespace setter

// f returns 9
namespace by_reference {
struct C {
  int wg = 7;
};
void set(C &c) {
  c.wg = 9;
}
int f(int a) {
  C c;
  set(c);
  return c.wg;
}
} // namespace by_reference

// f returns 9
namespace by_pointer {
struct C {
  int wg = 7;
};
void set(C *c) {
  c->wg = 9;
}
int f(int a) {
  C c;
  set(&c);
  return c.wg;
}
} // namespace by_pointer

// f returns 9
namespace alias {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  C &d = c;
  d.wg = 9;
  return c.wg;
}
} // namespace alias

// f returns 9
namespace alias_member {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  int &d = c.wg;
  d = 9;
  return c.wg;
}
} // namespace alias_member

// f is 7 | 9
namespace branch {
struct C {
  int wg = 7;
  int k = 1;
};
int f(int a) {
  C c;
  if (a > 3) c.wg = 9;
  return c.wg;
}
} // namespace branch

// f is 1
namespace branch_other {
struct C {
  int wg = 7;
  int k = 1;
};
int f(int a) {
  C c;
  if (a > 3) c.wg = 9;
  return c.k;
}
} // namespace branch_other

// f is 28
namespace method {
struct C {
  int wg = 7;
  int k = 4;
  int total() const {
    return wg * k;
  }
};
int f(int a) {
  C c;
  return c.total();
}
} // namespace method

// f is 36
namespace method_after {
struct C {
  int wg = 7;
  int k = 4;
  int total(int n) const {
    return wg * k * n;
  }
};
int f(int a) {
  C c;
  c.wg = 3;
  return c.total(3);
}
} // namespace method_after

// f is 128
namespace template_member {
template <int N> struct C {
  int wg = N;
  int k = N * 2;
};
int f(int a) {
  C<64> c;
  return c.k;
}
} // namespace template_member

// f is 128
namespace returned {
struct C {
  int wg = 7;
};
C make(int n) {
  C c;
  c.wg = n * 2;
  return c;
}
int f(int a) {
  C c = make(64);
  return c.wg;
}
} // namespace returned

// f is 128
namespace returned_auto {
struct C {
  int wg = 7;
  int n = 3;
};
C make(int n) {
  return {n * 2, n};
}
int f(int a) {
  auto c = make(64);
  return c.wg;
}
} // namespace returned_auto

// f is 128
namespace returned_call {
struct C {
  int wg = 7;
  int n = 3;
};
C make(int n) {
  return C{n * 2, n};
}
int f(int a) {
  return make(64).wg;
}
} // namespace returned_call

// f is 7
namespace passed {
struct C {
  int wg = 7;
  int n = 3;
};
int get(const C &c) {
  return c.wg;
}
int f(int a) {
  C c;
  return get(c);
}
} // namespace passed

// f is 0
namespace zeroed {
struct C {
  int wg;
  int n;
};
int f(int a) {
  C c{};
  return c.wg;
}
} // namespace zeroed

// f is 0
namespace zeroed_rest {
struct C {
  int wg;
  int n;
};
int f(int a) {
  C c = {4};
  return c.n;
}
} // namespace zeroed_rest

// f is 300
namespace narrowed {
struct C {
  int wg;
  unsigned char n;
};
int f(int a) {
  C c = {4, 44};
  c.wg = 300;
  return c.wg;
}
} // namespace narrowed

// f is 44
namespace narrowed_write {
struct C {
  int wg;
  unsigned char n;
};
int f(int a) {
  C c = {4, 44};
  c.n = 300;
  return c.n;
}
} // namespace narrowed_write

// f returns 3
namespace elided {
struct T {
  int x;
  int y;
};
struct C {
  T t;
  int n;
};
int f(int a) {
  C c = {1, 2, 3};
  return c.n;
}
} // namespace elided

// f returns 3
namespace elided_array {
struct C {
  int t[2];
  int n;
};
int f(int a) {
  C c = {1, 2, 3};
  return c.n;
}
} // namespace elided_array

// f is 2
namespace array_member {
struct C {
  int t[2] = {1, 2};
  int n;
};
int f(int a) {
  C c;
  return c.t[1];
}
} // namespace array_member

// f is 256
namespace base_member {
struct B {
  int wg = 256;
};
struct C : B {
  int n = 3;
};
int f(int a) {
  C c;
  return c.wg;
}
} // namespace base_member

// f returns 64
namespace base_aggregate {
struct B {
  int wg = 256;
};
struct C : B {
  int n = 3;
};
int f(int a) {
  C c{{64}, 4};
  return c.wg;
}
} // namespace base_aggregate

// f returns 64
namespace base_constructed {
struct B {
  int wg = 256;
  B(int n) : wg(n) {}
};
struct C : B {
  int n = 3;
  C() : B(64) {}
};
int f(int a) {
  C c;
  return c.wg;
}
} // namespace base_constructed

// f returns 64
namespace base_sets {
struct B {
  int wg = 256;
};
struct C : B {
  int n = 3;
  C() {
    wg = 64;
  }
};
int f(int a) {
  C c;
  return c.wg;
}
} // namespace base_sets

// f returns 9
namespace lambda_changes {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  auto g = [&] { c.wg = 9; };
  g();
  return c.wg;
}
} // namespace lambda_changes

// f is 7
namespace copy {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  C d = c;
  d.wg = 9;
  return c.wg;
}
} // namespace copy

// f is 9
namespace copy_then {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  c.wg = 9;
  C d(c);
  c.wg = 4;
  return d.wg;
}
} // namespace copy_then

// f is 12
namespace whole {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  c.wg = 9;
  c = C{12};
  return c.wg;
}
} // namespace whole

// f is 7
namespace whole_default {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  c.wg = 9;
  c = {};
  return c.wg;
}
} // namespace whole_default

// f returns 14
namespace loop {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  for (int i = 0; i < 7; ++i) c.wg++;
  return c.wg;
}
} // namespace loop

// f returns 7
namespace swapped {
struct C {
  int wg = 7;
};
int f(int a) {
  C c;
  C d{9};
  std::swap(c, d);
  return d.wg;
}
} // namespace swapped

// f is 5
namespace constant_member_of_class {
struct C {
  const int n = 5;
  int get() const {
    return n;
  }
};
int f(int a) {
  C c;
  return c.get();
}
} // namespace constant_member_of_class

// f is 6
namespace constant_member_overridden {
struct C {
  const int n = 5;
  int get() const {
    return n;
  }
};
int f(int a) {
  C c{6};
  return c.get();
}
} // namespace constant_member_overridden

// f is 8
namespace member_hides_outer {
constexpr int wg = 3;
struct C {
  int wg = 8;
  int get() const {
    return wg;
  }
};
int f(int a) {
  C c;
  return c.get();
}
} // namespace member_hides_outer

// f returns 8
namespace local_class {
int f(int a) {
  constexpr int wg = 3;
  struct C {
    int wg = 8;
    int get() const {
      return wg;
    }
  };
  C c;
  return c.get();
}
} // namespace local_class

// f is 3
namespace local_class_default {
int f(int a) {
  constexpr int k = 3;
  struct C {
    int wg = k;
  };
  C c;
  return c.wg;
}
} // namespace local_class_default

// f returns 4
namespace incremented {
struct C {
  int wg = 3;
};
int f(int a) {
  C c;
  c.wg++;
  return c.wg;
}
} // namespace incremented

// f returns 2
namespace conditional_object {
struct C {
  int wg = 3;
};
int f(int a) {
  C c{1};
  C d{2};
  C e = a > 100 ? c : d;
  return e.wg;
}
} // namespace conditional_object
