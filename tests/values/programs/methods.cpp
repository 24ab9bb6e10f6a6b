// Methods and conversions of classes in sight: what they give, and what they do to their object.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

// f is 12
namespace method_without_const {
struct Grid { int x, y; Grid(int a, int b = 1) : x(a), y(b) {} int size() { return x * y; } };
int f(int a) {
  Grid g(4, 3);
  return g.size();
}
} // namespace method_without_const

// f is 12
namespace method_outside_the_class {
struct Grid { int x = 4, y = 3; int size() const; };
int Grid::size() const { return x * y; }
int f(int a) {
  Grid g;
  return g.size();
}
} // namespace method_outside_the_class

// f is 20
namespace method_outside_without_const {
class Grid {
 public:
  Grid(int a, int b);
  int size();

 private:
  int x_;
  int y_ = 5;
};
Grid::Grid(int a, int b) : x_(a) { y_ = b; }
int Grid::size() {
  int product = x_ * y_;
  return product;
}
int f(int a) {
  Grid g(4, 5);
  return g.size();
}
} // namespace method_outside_without_const

// f returns 4, 8
namespace method_that_counts {
struct Grid { int x = 4; int next() { int now = x; x *= 2; return now; } };
int f(int a) {
  Grid g;
  g.next();
  return a > 1 ? g.next() : 4;
}
} // namespace method_that_counts

// f is 64
namespace setter {
struct Config { int n = 32; void set(int v) { n = v; } int get() const { return n; } };
int f(int a) {
  Config c;
  c.set(64);
  return c.get();
}
} // namespace setter

// f is 64
namespace setter_through_this {
struct Config { int n = 32; void set(int n) { this->n = n; } };
int f(int a) {
  Config c;
  c.set(64);
  return c.n;
}
} // namespace setter_through_this

// f is 128
namespace setter_after_a_setter {
class Config {
 public:
  Config &set(int v) { n_ = v; return *this; }
  void twice() { n_ *= 2; }
  int get() { return n_; }

 private:
  int n_ = 32;
};
int f(int a) {
  Config c;
  c.set(8);
  c.set(64);
  c.twice();
  return c.get();
}
} // namespace setter_after_a_setter

// f is 32
namespace setter_after_the_question {
struct Config { int n = 32; void set(int v) { n = v; } };
int f(int a) {
  Config c;
  int found = c.n;
  c.set(64);
  return found;
}
} // namespace setter_after_the_question

// f returns 32, 64
namespace setter_in_a_branch {
struct Config { int n = 32; void set(int v) { n = v; } };
int f(int a) {
  Config c;
  if (a > 1)
    c.set(64);
  return c.n;
}
} // namespace setter_in_a_branch

// f returns 32, 64
namespace setter_that_returns_early {
struct Config { int n = 32; void set(int v) { if (v < 2) return; n = 64; } };
int f(int a) {
  Config c;
  c.set(a);
  return c.n;
}
} // namespace setter_that_returns_early

// f returns 32, 64
namespace constructor_that_returns_early {
struct Config { int n = 32; Config(int v) { if (v < 2) return; n = 64; } };
int f(int a) {
  Config c(a);
  return c.n;
}
} // namespace constructor_that_returns_early

// f returns 64, 128, 256
namespace setter_in_a_loop {
struct Config { int n = 32; void twice() { n *= 2; } };
int f(int a) {
  Config c;
  for (int i = 0; i < (a > 4 ? 3 : a > 1 ? 2 : 1); ++i)
    c.twice();
  return c.n;
}
} // namespace setter_in_a_loop

// f returns 64
namespace setter_through_a_reference {
struct Config { int n = 32; void set(int v) { n = v; } };
int f(int a) {
  Config c;
  Config &d = c;
  d.set(64);
  return c.n;
}
} // namespace setter_through_a_reference

// f returns 64
namespace setter_behind_a_reference {
struct Config { int n = 32; void set(int v) { n = v; } };
int f(int a) {
  Config c;
  const Config &d = c;
  c.set(64);
  return d.n;
}
} // namespace setter_behind_a_reference

// f returns 64
namespace setter_in_a_lambda {
struct Config { int n = 32; void set(int v) { n = v; } };
int f(int a) {
  Config c;
  auto change = [&] { c.set(64); };
  change();
  return c.n;
}
} // namespace setter_in_a_lambda

// f returns 64
namespace setter_after_a_lambda {
struct Config { int n = 32; void set(int v) { n = v; } };
int f(int a) {
  Config c;
  auto read = [&] { return c.n; };
  c.set(64);
  return read();
}
} // namespace setter_after_a_lambda

// f returns 64
namespace setter_that_calls_a_setter {
struct Config { int n = 32; void put(int v) { n = v; } void set(int v) { put(v); } };
int f(int a) {
  Config c;
  c.set(64);
  return c.n;
}
} // namespace setter_that_calls_a_setter

// f returns 64
namespace setter_of_a_pointer {
struct Config { int n = 32; int *p = &n; void set(int v) { *p = v; } };
int f(int a) {
  Config c;
  c.set(64);
  return c.n;
}
} // namespace setter_of_a_pointer

// f returns 64
namespace setter_of_a_global {
struct Config { int n = 32; void set(int v) { n = v; } };
Config c;
int f(int a) {
  c.set(64);
  return c.n;
}
} // namespace setter_of_a_global

// f returns 64
namespace setter_of_a_member {
struct Config { int n = 32; void set(int v) { n = v; } };
struct Both { Config first; void init() { first.set(64); } };
int f(int a) {
  Both b;
  b.init();
  return b.first.n;
}
} // namespace setter_of_a_member

// f returns 64
namespace setter_by_reference {
struct Config { int n = 32; int &get() { return n; } };
int f(int a) {
  Config c;
  c.get() = 64;
  return c.n;
}
} // namespace setter_by_reference

// f is 16
namespace setter_of_a_copy {
struct Config { int n = 16; void set(int v) { n = v; } };
int changed(Config c) { c.set(64); return c.n; }
int f(int a) {
  Config c;
  changed(c);
  return c.n;
}
} // namespace setter_of_a_copy

// f is 64
namespace setter_of_a_parameter {
struct Config { int n = 16; void set(int v) { n = v; } };
int changed(Config c) { c.set(64); return c.n; }
int f(int a) {
  Config c;
  return changed(c);
}
} // namespace setter_of_a_parameter

// f returns 6
namespace arguments_called_like_members {
struct Config {
  int n = 2;
  int times(int v) const { return n * v; }
  int of(const Config &other) const { return other.times(n + 1); }
};
int f(int a) {
  Config c;
  return c.of(c);
}
} // namespace arguments_called_like_members

// f returns 15
namespace members_as_arguments_for_another {
struct Config {
  int n;
  Config(int v) : n(v) {}
  int times(int v) const { return n * v; }
  int of() const { Config other(5); return other.times(n); }
};
int f(int a) {
  Config c(3);
  return c.of();
}
} // namespace members_as_arguments_for_another

// f is 256
namespace number_becomes_an_object {
struct Block { unsigned x, y; Block(unsigned a, unsigned b = 1) : x(a), y(b) {} unsigned size() { return x * y; } };
int size(Block b) { return b.size(); }
int f(int a) { return size(256); }
} // namespace number_becomes_an_object

// f is 32
namespace list_becomes_an_object {
struct Block { unsigned x, y; Block(unsigned a, unsigned b = 1) : x(a), y(b) {} unsigned size() { return x * y; } };
int size(const Block &b) { return b.x * b.y; }
int f(int a) { return size({8, 4}); }
} // namespace list_becomes_an_object

// f is 40
namespace number_returned_as_an_object {
struct Block { int x; int y = 5; Block(int a) : x(a) {} };
Block made(int n) { return n; }
int f(int a) {
  Block b = made(8);
  return b.x * b.y;
}
} // namespace number_returned_as_an_object

// f is 24
namespace number_as_a_member {
struct Block { int x; Block(int a) : x(a) {} };
struct Shape { Block block; int count; };
int f(int a) {
  Shape s{8, 3};
  return s.block.x * s.count;
}
} // namespace number_as_a_member

// f returns 1
namespace overloads_of_a_constructor {
struct Block { int x; Block(int a) : x(a) {} Block(long a) : x(1) {} };
int size(Block b) { return b.x; }
int f(int a) { return size(256l); }
} // namespace overloads_of_a_constructor

// f returns 1
namespace overloaded_by_a_template {
struct Block { int x; Block(long a) : x(256) {} template <typename T> Block(T a) : x(1) {} };
int size(Block b) { return b.x; }
int f(int a) { return size(256); }
} // namespace overloaded_by_a_template

// f returns 1
namespace explicit_is_left_out {
struct Block { int x; explicit Block(int a) : x(a) {} Block(double a) : x(1) {} };
int size(Block b) { return b.x; }
int f(int a) { return size(256); }
} // namespace explicit_is_left_out

// f is 48
namespace conversion_to_a_number {
struct Size { int n; operator int() const { return n; } };
int f(int a) {
  Size s{48};
  int n = s;
  return n;
}
} // namespace conversion_to_a_number

// f is 96
namespace conversion_in_an_expression {
struct Size { std::size_t n = 48; operator std::size_t() const { return n; } };
int f(int a) {
  Size s;
  return 2 * s;
}
} // namespace conversion_in_an_expression

// f returns 7
namespace one_of_two_conversions {
struct Size { operator int() const { return 7; } operator double() const { return 8.0; } };
int f(int a) {
  Size s;
  int n = s;
  return n;
}
} // namespace one_of_two_conversions

// f is 21
namespace operator_of_the_class {
struct Size { int n; int operator*(int other) const { return n * other; } };
int f(int a) {
  Size s{7};
  return s * 3;
}
} // namespace operator_of_the_class

// f returns 9
namespace operator_that_changes {
struct Size { int n; };
int operator*(Size &s, int other) { s.n = 9; return other; }
int f(int a) {
  Size s{7};
  int three = s * 3;
  return s.n;
}
} // namespace operator_that_changes

// f is 5
namespace object_of_a_function {
struct Sizes { int whole, part; };
Sizes chosen(int n) {
  Sizes s;
  s.whole = n;
  s.part = 5;
  return s;
}
int f(int a) {
  auto s = chosen(a);
  return s.part;
}
} // namespace object_of_a_function

// f is 72
namespace constant_through_an_object {
struct Traits { static constexpr int size = 72; };
int f(int a) {
  Traits t;
  return t.size;
}
} // namespace constant_through_an_object

// f is 40
namespace tuple_in_a_variable {
int f(int a) {
  auto t = std::make_tuple(a, 40);
  return std::get<1>(t);
}
} // namespace tuple_in_a_variable

// f is 48
namespace parts_of_a_pair {
std::pair<int, int> sizes(int n) { return {n, 48}; }
int f(int a) {
  auto [whole, part] = sizes(a);
  return part;
}
} // namespace parts_of_a_pair

// f is 48
namespace tied_to_a_pair {
std::pair<int, int> sizes(int n) { return {n, 48}; }
int f(int a) {
  int whole, part;
  std::tie(whole, part) = sizes(a);
  return part;
}
} // namespace tied_to_a_pair

// f is 48
namespace tied_but_for_one {
std::tuple<int, int> sizes(int n) { return std::make_tuple(n, 48); }
int f(int a) {
  int part = 3;
  std::tie(std::ignore, part) = sizes(a);
  return part;
}
} // namespace tied_but_for_one

// f is 9
namespace pair_in_a_variable {
int f(int a) {
  std::pair<int, int> p{a, 9};
  return p.second;
}
} // namespace pair_in_a_variable

// f returns 8
namespace pair_that_is_set {
int f(int a) {
  std::pair<int, int> p{a, 9};
  p.second = 8;
  return p.second;
}
} // namespace pair_that_is_set

// f returns 8
namespace tuple_that_is_set {
int f(int a) {
  auto t = std::make_tuple(a, 9);
  std::get<1>(t) = 8;
  return std::get<1>(t);
}
} // namespace tuple_that_is_set

// f returns 8
namespace tuple_set_through_a_reference {
int f(int a) {
  auto t = std::make_tuple(a, 9);
  auto &second = std::get<1>(t);
  second = 8;
  return std::get<1>(t);
}
} // namespace tuple_set_through_a_reference

// f returns 8
namespace tuple_set_through_a_binding {
int f(int a) {
  auto t = std::make_tuple(a, 9);
  auto &[first, second] = t;
  second = 8;
  return std::get<1>(t);
}
} // namespace tuple_set_through_a_binding

// f returns 8
namespace array_that_is_filled {
int f(int a) {
  std::array<int, 2> n{4, 9};
  n.fill(8);
  return n[1];
}
} // namespace array_that_is_filled

// f returns 8
namespace array_set_by_an_iterator {
int f(int a) {
  std::array<int, 2> n{4, 9};
  for (auto &each : n)
    each = 8;
  return n[1];
}
} // namespace array_set_by_an_iterator

// f is 9
namespace array_in_a_variable {
int f(int a) {
  std::array<int, 2> n{4, 9};
  return n[1];
}
} // namespace array_in_a_variable
