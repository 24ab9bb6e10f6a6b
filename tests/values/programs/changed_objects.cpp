// Objects whose members are changed in every way there is, and templates that are hard to tell apart.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <array>
#include <type_traits>

// f is 1
namespace ctad {
template <int N = 4> struct K { int n; K(int m) : n(m) {}
int size() const {
  return N;
}
};
int f(int a) {
  K k(3);
  return k.size() - k.n;
}
} // namespace ctad

// f returns 3
namespace pack {
template <int... Ns> struct K {
  static constexpr int n = sizeof...(Ns);
};
int f(int a) {
  return K<5, 6, 7>::n;
}
} // namespace pack

// f returns 5
namespace pack_first {
template <int N, int... Ns> struct K {
  static constexpr int n = N;
};
int f(int a) {
  return K<5, 6, 7>::n;
}
} // namespace pack_first

// f is 6
namespace nested_recursion {
template <int N> struct K {
  static constexpr int n = N + K<N - 1>::n;
};
template <> struct K<0> {
  static constexpr int n = 0;
};
int f(int a) {
  return K<3>::n;
}
} // namespace nested_recursion

// f is 4
namespace argument_at_use {
constexpr int N = 4;
namespace inner {
  constexpr int N = 9;
  template <int M> struct K {
    static constexpr int n = M;
  };
}
int f(int a) {
  return inner::K<N>::n;
}
} // namespace argument_at_use

// f is 8
namespace swapped {
template <int A, int B> struct K {
  static constexpr int n = A * 10 + B;
};
template <int A, int B> struct S {
  static constexpr int n = K<B, A>::n - 13;
};
int f(int a) {
  return S<1, 2>::n;
}
} // namespace swapped

// f is 2
namespace static_and_member {
struct C {
  static constexpr int n = 1;
  int m = n + 1;
};
int f(int a) {
  C c;
  return c.m;
}
} // namespace static_and_member

// f is 5
namespace assigned_in_order {
struct C {
  int n = 1;
  int m = 2;
};
int f(int a) {
  C c;
  c.n = 5;
  c.m = c.n;
  c.n = 7;
  return c.m;
}
} // namespace assigned_in_order

// f is 7
namespace two_objects {
struct C {
  int n = 1;
};
int f(int a) {
  C c, d;
  c.n = 5;
  d.n = 7;
  return d.n;
}
} // namespace two_objects

// f returns 1
namespace array_of_objects {
struct C {
  int n = 1;
};
int f(int a) {
  C c[2];
  c[0].n = 5;
  return c[1].n;
}
} // namespace array_of_objects

// f returns 5
namespace array_of_objects_changed {
struct C {
  int n = 1;
};
int f(int a) {
  C c[2] = {};
  c[0].n = 5;
  return c[0].n;
}
} // namespace array_of_objects_changed

// f returns 5
namespace member_array_changed {
struct C {
  int n[2] = {1, 2};
};
int f(int a) {
  C c;
  c.n[1] = 5;
  return c.n[1];
}
} // namespace member_array_changed

// f returns 3
namespace member_pointer {
struct C {
  int n = 1;
};
int f(int a) {
  C c;
  C *p = &c;
  p->n = 3;
  return c.n;
}
} // namespace member_pointer

// f returns 3
namespace reference_member {
struct C {
  int n = 1;
};
struct H {
  C &c;
  void set() {
    c.n = 3;
  }
};
int f(int a) {
  C c;
  H h{c};
  h.set();
  return c.n;
}
} // namespace reference_member

// f returns 3
namespace friend_changes {
struct C {
  int n = 1;
  friend void poke(C &c) {
    c.n = 3;
  }
};
int f(int a) {
  C c;
  poke(c);
  return c.n;
}
} // namespace friend_changes

// f returns 3
namespace operator_changes {
struct C {
  int n = 1;
  C &operator++() {
    n = 3;
    return *this;
  }
};
int f(int a) {
  C c;
  ++c;
  return c.n;
}
} // namespace operator_changes

// f returns 4
namespace operator_compound {
struct C {
  int n = 1;
  C &operator+=(int m) { n += m; return *this; }
};
int f(int a) {
  C c;
  c += 3;
  return c.n;
}
} // namespace operator_compound

// f returns 3
namespace operator_stream {
struct C {
  int n = 1;
};
C &operator<<(C &c, int m) {
  c.n = m;
  return c;
}
int f(int a) {
  C c;
  c << 3;
  return c.n;
}
} // namespace operator_stream

// f returns 3
namespace operator_call {
struct C {
  int n = 1;
  void operator()(int m) {
    n = m;
  }
};
int f(int a) {
  C c;
  c(3);
  return c.n;
}
} // namespace operator_call

// f returns 3
namespace operator_index {
struct C {
  int n = 1;
  int &operator[](int) {
    return n;
  }
};
int f(int a) {
  C c;
  c[0] = 3;
  return c.n;
}
} // namespace operator_index

// f returns 3
namespace operator_assign {
struct C {
  int n = 1;
  C &operator=(int m) { n = m; return *this; }
};
int f(int a) {
  C c;
  c = 3;
  return c.n;
}
} // namespace operator_assign

// f returns 3
namespace chained {
struct C {
  int n = 1;
  C &set(int m) {
    n = m;
    return *this;
  }
};
int f(int a) {
  C c;
  c.set(2).set(3);
  return c.n;
}
} // namespace chained

// f returns 3
namespace mutable_member {
struct C {
  mutable int n = 1;
  void set(int m) const {
    n = m;
  }
};
int f(int a) {
  C c;
  c.set(3);
  return c.n;
}
} // namespace mutable_member

// f returns 3
namespace mutable_of_constant {
struct C {
  mutable int n = 1;
  void set(int m) const {
    n = m;
  }
};
int f(int a) {
  const C c;
  c.set(3);
  return c.n;
}
} // namespace mutable_of_constant

// f returns 2
namespace virtual_method {
struct B {
  virtual int n() const {
    return 1;
  }
};
struct D : B {
  int n() const override { return 2; }
};
int f(int a) {
  D d;
  const B &b = d;
  return b.n();
}
} // namespace virtual_method

// f is 2
namespace hidden_base {
struct B {
  int n = 1;
};
struct D : B {
  int n = 2;
};
int f(int a) {
  D d;
  return d.n;
}
} // namespace hidden_base

// f returns 9
namespace base_changed {
struct B {
  int n = 1;
  void set() {
    n = 9;
  }
};
struct D : B {
  int m = 2;
};
int f(int a) {
  D d;
  d.set();
  return d.n;
}
} // namespace base_changed

// f returns 9
namespace slice_reference {
struct B {
  int n = 1;
};
struct D : B {
  int m = 2;
};
void set(B &b) {
  b.n = 9;
}
int f(int a) {
  D d;
  set(d);
  return d.n;
}
} // namespace slice_reference

// f returns 9
namespace nested_method {
struct T {
  int n = 1;
  void set() {
    n = 9;
  }
};
struct C {
  T t;
};
int f(int a) {
  C c;
  c.t.set();
  return c.t.n;
}
} // namespace nested_method

// f returns 9
namespace loop_write {
struct C {
  int n = 1;
};
int f(int a) {
  C c;
  int last = 0;
  for (int i = 0; i < 2; ++i) {
    last = c.n;
    c.n = 9;
  }
  return last;
}
} // namespace loop_write

// f is 9
namespace goes_back {
struct C {
  int n = 1;
};
int f(int a) {
  C c;
  int i = 0;
  while (i < 3) {
    if (i == 2) return c.n;
    c.n = 9;
    ++i;
  }
  return 9;
}
} // namespace goes_back

// f returns 7
namespace conversion {
struct C {
  int n = 7;
  operator int() const {
    return n;
  }
};
int f(int a) {
  C c;
  return c;
}
} // namespace conversion

// f returns 5
namespace by_its_own_name_after_a_method_of_the_reference {
struct C {
  int x = 4, y = 1;
  void n() { y = x; }
};
int f(int a) {
  C c;
  C &o = c;
  o.n();
  c.x = 5;
  return o.x;
}
} // namespace by_its_own_name_after_a_method_of_the_reference

// f returns 5
namespace by_its_own_name_after_another_member {
struct C {
  int x = 4, y = 1;
};
int f(int a) {
  C c;
  C &o = c;
  o.y = 3;
  c.x = 5;
  return o.x;
}
} // namespace by_its_own_name_after_another_member

// f returns 5
namespace a_number_by_its_own_name {
int f(int a) {
  int n = 4;
  int &m = n;
  m = 6;
  {
    n = 5;
  }
  return m;
}
} // namespace a_number_by_its_own_name

// f is 6
namespace only_by_the_reference {
int f(int a) {
  int n = 4;
  int &m = n;
  m = 6;
  return m;
}
} // namespace only_by_the_reference

// f returns 13
namespace after_a_method_that_is_not_followed {
struct S {
  int x = 3, y = 1, z = 5;
  void add() { y += z + z; }
  void keep() { this->x = x; }
  void turn() {
    for (int i = 0; i < 2; i++) {
      keep();
    }
    set();
  }
  void set() { z = x + x; }
};
int f(int a) {
  S c;
  c.turn();
  c.add();
  return c.y;
}
} // namespace after_a_method_that_is_not_followed

// f returns 7
namespace a_member_after_a_method_that_is_not_followed {
struct S {
  int x = 3, z = 5;
  void keep() { this->x = x; }
  void turn() {
    for (int i = 0; i < 2; i++) {
      keep();
    }
    z = 6;
  }
};
int f(int a) {
  S c;
  c.turn();
  c.z += 1;
  return c.z;
}
} // namespace a_member_after_a_method_that_is_not_followed

// f is 12
namespace set_by_the_caller_of_the_caller {
struct S {
  int x = 2, y = 9;
  void inner() { x = y + y; }
  void middle() { inner(); }
  void outer(int v) {
    y = v + 1;
    middle();
  }
};
int f(int a) {
  S c;
  c.outer(5);
  return c.x;
}
} // namespace set_by_the_caller_of_the_caller
