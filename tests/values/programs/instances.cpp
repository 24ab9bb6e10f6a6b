// Members of class templates, their specialisations, bases and nested classes.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <array>
#include <type_traits>

// f is 128
namespace specialised {
template <typename T> struct P {
  static constexpr int wg = 256;
};
template <> struct P<double> {
  static constexpr int wg = 128;
};
int f(int a) {
  return P<double>::wg;
}
} // namespace specialised

// f is 256
namespace general {
template <typename T> struct P {
  static constexpr int wg = 256;
};
template <> struct P<double> {
  static constexpr int wg = 128;
};
int f(int a) {
  return P<float>::wg;
}
} // namespace general

// f is 64
namespace partial {
template <typename T, int N> struct P {
  static constexpr int wg = 256;
};
template <typename T> struct P<T, 4> {
  static constexpr int wg = 64;
};
int f(int a) {
  return P<float, 4>::wg;
}
} // namespace partial

// f is 8
namespace partial_value {
template <typename T, int N> struct P {
  static constexpr int wg = 256;
};
template <int N> struct P<float, N> {
  static constexpr int wg = 2 * N;
};
int f(int a) {
  return P<float, 4>::wg;
}
} // namespace partial_value

// f returns 7
namespace pointer {
template <typename T> struct P {
  static constexpr int wg = 256;
};
template <typename T> struct P<T *> {
  static constexpr int wg = 7;
};
int f(int a) {
  return P<int *>::wg;
}
} // namespace pointer

// f is 128
namespace through_parameter {
template <typename T> struct P {
  static constexpr int wg = 256;
};
template <> struct P<double> {
  static constexpr int wg = 128;
};
template <typename T> int g() {
  return P<T>::wg;
}
int f(int a) {
  return g<double>();
}
} // namespace through_parameter

// f is 64
namespace inherited {
struct B {
  static constexpr int wg = 64;
};
struct D : B {};
int f(int a) {
  return D::wg;
}
} // namespace inherited

// f is 64
namespace inherited_template {
template <int N> struct B {
  static constexpr int wg = N;
};
struct D : B<64> {};
int f(int a) {
  return D::wg;
}
} // namespace inherited_template

// f is 32
namespace crtp {
template <class D> struct Base {
  static int get() {
    return D::wg;
  }
};
struct K : Base<K> {
  static constexpr int wg = 32;
};
int f(int a) {
  return K::wg;
}
} // namespace crtp

// f is 8
namespace nested {
template <int N> struct P {
  static constexpr int rows = 1;
  struct Tile {
    static constexpr int rows = N * 2;
  };
};
int f(int a) {
  return P<4>::Tile::rows;
}
} // namespace nested

// f is 16
namespace alias_template {
template <class T, int N> struct P {
  static constexpr int n = N;
};
template <class T> using P16 = P<T, 16>;
int f(int a) {
  return P16<float>::n;
}
} // namespace alias_template

// f is 24
namespace alias_template_value {
template <class T, int N> struct P {
  static constexpr int n = N;
};
template <int N> using PF = P<float, N * 3>;
int f(int a) {
  return PF<8>::n;
}
} // namespace alias_template_value

// f is 4
namespace integral_constant {
using N = std::integral_constant<int, 4>;
int f(int a) {
  return N::value;
}
} // namespace integral_constant

// f is 4
namespace integral_constant_own {
template <class T, T V> struct ic {
  static constexpr T value = V;
};
using N = ic<int, 4>;
int f(int a) {
  return N::value;
}
} // namespace integral_constant_own

// f is 5
namespace derived_constant {
template <class T, T V> struct ic {
  static constexpr T value = V;
};
struct N : ic<int, 5> {};
int f(int a) {
  return N::value;
}
} // namespace derived_constant

// f returns 3
namespace conditional {
struct A {
  static constexpr int v = 3;
};
struct B {
  static constexpr int v = 5;
};
int f(int a) {
  return std::conditional_t<true, A, B>::v;
}
} // namespace conditional

// f is 64
namespace outside {
struct A {
  static const int v;
};
const int A::v = 64;
int f(int a) {
  return A::v;
}
} // namespace outside

// f returns 8
namespace variable_template {
template <int N> constexpr int v = N * 2;
int f(int a) {
  return v<4>;
}
} // namespace variable_template

// f is 16
namespace static_method {
template <int N> struct P {
  static constexpr int size() {
    return N * 2;
  }
};
int f(int a) {
  return P<8>::size();
}
} // namespace static_method

// f is 16
namespace member_alias {
template <int N> struct P {
  static constexpr int n = N;
};
struct T {
  using Q = P<16>;
};
int f(int a) {
  return T::Q::n;
}
} // namespace member_alias

// f is 16
namespace member_alias_template {
template <int N> struct P {
  static constexpr int n = N;
};
template <int M> struct T {
  using Q = P<M * 2>;
};
int f(int a) {
  return T<8>::Q::n;
}
} // namespace member_alias_template

// f is 2
namespace enumerator {
template <int N> struct P {
  enum {
    n = N, m = n * 2
  };
};
int f(int a) {
  return P<1>::m;
}
} // namespace enumerator

// f is 6
namespace default_argument {
template <int N, int M = N * 2> struct P { static constexpr int n = M; };
int f(int a) {
  return P<3>::n;
}
} // namespace default_argument

// f is 12
namespace same_name {
namespace x {
  template <int N> struct P {
    static constexpr int n = N;
  };
}
namespace y {
  template <int N> struct P {
    static constexpr int n = N * 3;
  };
}
int f(int a) {
  return y::P<4>::n;
}
} // namespace same_name

// f is 4
namespace hidden_by_own {
struct B {
  static constexpr int n = 3;
};
struct D : B {
  static constexpr int n = 4;
};
int f(int a) {
  return D::n;
}
} // namespace hidden_by_own

// f returns 7
namespace own_parameter {
template <int N> struct P {
  static constexpr int n = N;
  template <int M> struct Q {
    static constexpr int m = N + M;
  };
};
int f(int a) {
  return P<3>::Q<4>::m;
}
} // namespace own_parameter

// f is 20
namespace object_of_template {
template <int N> struct P {
  int n = N;
  int twice() const {
    return n * 2;
  }
};
int f(int a) {
  P<10> p;
  return p.twice();
}
} // namespace object_of_template

// f returns 20
namespace generic_lambda {
int f(int a) {
  auto g = [](auto n) { return decltype(n)::value * 5; };
  return g(std::integral_constant<int, 4>{});
}
} // namespace generic_lambda

// f returns 64
namespace constexpr_if {
template <int N> constexpr int pick() {
  if constexpr (N > 3) {
    return 64;
  } else {
    return 32;
  }
}
int f(int a) {
  return pick<4>();
}
} // namespace constexpr_if

// f returns 1
namespace long_long {
template <class T> struct P {
  static constexpr int n = 1;
};
template <> struct P<long> {
  static constexpr int n = 2;
};
int f(int a) {
  return P<long long>::n;
}
} // namespace long_long

// f returns 3
namespace const_type {
template <class T> struct P {
  static constexpr int n = 3;
};
template <> struct P<float> {
  static constexpr int n = 2;
};
int f(int a) {
  return P<const float>::n;
}
} // namespace const_type

// f is 2
namespace alias_of_type {
template <class T> struct P {
  static constexpr int n = 3;
};
using real = float;
template <> struct P<float> {
  static constexpr int n = 2;
};
int f(int a) {
  return P<real>::n;
}
} // namespace alias_of_type

// f is 2
namespace class_argument {
struct X {};
struct Y {};
template <class T> struct P {
  static constexpr int n = 3;
};
template <> struct P<Y> {
  static constexpr int n = 2;
};
int f(int a) {
  return P<Y>::n;
}
} // namespace class_argument

// f is 9
namespace template_template {
template <int N> struct A {
  static constexpr int n = N;
};
template <template <int> class C> struct P {
  static constexpr int m = C<9>::n;
};
int f(int a) {
  return P<A>::m;
}
} // namespace template_template

// f is 3
namespace recursion {
template <int N> struct Log {
  static constexpr int v = 1 + Log<N / 2>::v;
};
template <> struct Log<1> {
  static constexpr int v = 0;
};
int f(int a) {
  return Log<8>::v;
}
} // namespace recursion

// f is 27
namespace template_parameter_hides {
template <int N> struct C {
  static constexpr int n = 1;
};
template <int N> struct A {
  static constexpr int n = N * 3;
};
template <template <int> class C> struct P {
  static constexpr int m = C<9>::n;
};
int f(int a) {
  return P<A>::m;
}
} // namespace template_parameter_hides
