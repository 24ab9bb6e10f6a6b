// Names taken by reference by functions whose bodies are in sight.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <functional>
#include <utility>

// f is 64
namespace only_read {
int twice(int &n) { return n * 2; }
int f(int a) {
  int n = 64;
  twice(n);
  return n;
}
} // namespace only_read

// f is 64
namespace forwarded_and_only_read {
template <typename T> int twice(T &&n) { return n * 2; }
template <typename T> int more(T &&n) { return twice(std::forward<T>(n)) + 1; }
int f(int a) {
  int n = 64;
  more(n);
  return n;
}
} // namespace forwarded_and_only_read

// f returns 3
namespace forwarded_and_set {
template <typename T> void set(T &&n) { n = 3; }
template <typename T> void more(T &&n) { set(std::forward<T>(n)); }
int f(int a) {
  int n = 64;
  more(n);
  return n;
}
} // namespace forwarded_and_set

// f returns 3
namespace moved_and_set {
void set(int &&n) { n = 3; }
int f(int a) {
  int n = 64;
  set(std::move(n));
  return n;
}
} // namespace moved_and_set

// f returns 3
namespace set_in_a_pack {
template <typename... T> void set(T &...n) { ((n = 3), ...); }
int f(int a) {
  int n = 64;
  set(n);
  return n;
}
} // namespace set_in_a_pack

// f returns 3
namespace set_five_calls_deep {
void one(int &n) { n = 3; }
void two(int &n) { one(n); }
void three(int &n) { two(n); }
void four(int &n) { three(n); }
void five(int &n) { four(n); }
int f(int a) {
  int n = 64;
  five(n);
  return n;
}
} // namespace set_five_calls_deep

// f returns 3
namespace set_through_what_is_returned {
int &same(int &n) { return n; }
int f(int a) {
  int n = 64;
  same(n) = 3;
  return n;
}
} // namespace set_through_what_is_returned

// f returns 3
namespace set_by_a_pointer_returned {
int *address(int &n) { return &n; }
int f(int a) {
  int n = 64;
  *address(n) = 3;
  return n;
}
} // namespace set_by_a_pointer_returned

// f returns 3
namespace kept_by_a_constructor {
struct Setter { int &n; Setter(int &v) : n(v) {} void run() { n = 3; } };
int f(int a) {
  int n = 64;
  Setter s(n);
  s.run();
  return n;
}
} // namespace kept_by_a_constructor

// f returns 3
namespace kept_by_a_function {
struct Setter { int &n; void run() { n = 3; } };
Setter made(int &v) { return Setter{v}; }
int f(int a) {
  int n = 64;
  auto s = made(n);
  s.run();
  return n;
}
} // namespace kept_by_a_function

// f returns 3
namespace kept_by_a_lambda {
auto made(int &v) { return [&v] { v = 3; }; }
int f(int a) {
  int n = 64;
  auto set = made(n);
  set();
  return n;
}
} // namespace kept_by_a_lambda

// f returns 3
namespace set_by_a_callback {
template <typename F> void run(F set, int &n) { set(n); }
int f(int a) {
  int n = 64;
  run([](int &v) { v = 3; }, n);
  return n;
}
} // namespace set_by_a_callback

// f returns 3
namespace set_in_a_lambda_of_the_function {
void run(int &n) { auto set = [&] { n = 3; }; set(); }
int f(int a) {
  int n = 64;
  run(n);
  return n;
}
} // namespace set_in_a_lambda_of_the_function

// f returns 3
namespace object_set_by_reference {
struct Config { int n = 64; void set(int v) { n = v; } };
void run(Config &c) { c.set(3); }
int f(int a) {
  Config c;
  run(c);
  return c.n;
}
} // namespace object_set_by_reference

// f returns 64
namespace object_read_by_reference {
struct Config { int n = 64; void set(int v) { n = v; } int get() { return n; } };
int run(Config &c) { return c.get(); }
int f(int a) {
  Config c;
  run(c);
  return c.n;
}
} // namespace object_read_by_reference

// f returns 3
namespace member_set_by_reference {
struct Config { int n = 64; };
void run(Config &c) { c.n = 3; }
int f(int a) {
  Config c;
  run(c);
  return c.n;
}
} // namespace member_set_by_reference

// f returns 3, 64
namespace recursive {
void run(int &n, int depth) { if (depth > 0) run(n, depth - 1); else if (depth < 0) n = 3; }
int f(int a) {
  int n = 64;
  run(n, a);
  return n;
}
} // namespace recursive

// f returns 3
namespace set_by_a_macro {
#define SET(v) v = 3
void run(int &n) { SET(n); }
int f(int a) {
  int n = 64;
  run(n);
  return n;
}
} // namespace set_by_a_macro

// f returns 3
namespace elements_set_by_reference {
void run(int (&n)[2]) { n[1] = 3; }
int f(int a) {
  int n[2] = {64, 64};
  run(n);
  return n[1];
}
} // namespace elements_set_by_reference
