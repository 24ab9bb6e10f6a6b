// Loops that do nothing but step a number, and numbers kept between bounds.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>

// f is 1 | 2 | 4 | 8
namespace doubled_up_to_a_bound {
int f(int a) {
  int n = 1;
  while (n * 2 < a + 2 && n < 8)
    n *= 2;
  return n;
}
} // namespace doubled_up_to_a_bound

// f is 64
namespace doubled_to_a_known_number {
int f(int a) {
  int n = 1;
  while (n < 50)
    n <<= 1;
  return n;
}
} // namespace doubled_to_a_known_number

// f is 8 | 16 | 32
namespace doubled_while_twice_fits {
int f(int a) {
  int n = 8;
  while (n * 2 <= a * 3 && n < 32) {
    n = n * 2;
  }
  return n;
}
} // namespace doubled_while_twice_fits

// f is 64 | 128 | 256
namespace halved {
int f(int a) {
  unsigned n = 256;
  for (; n > 64 && n > (unsigned)a * 20; n /= 2)
    ;
  return n;
}
} // namespace halved

// f is 2 | 4 | 8
namespace doubled_once_at_least {
int f(int a) {
  int n = 1;
  do
    n *= 2;
  while (n < a - 1 && n < 8);
  return n;
}
} // namespace doubled_once_at_least

// f returns 1, 2, 8, 64
namespace doubled_without_a_bound {
int f(int a) {
  int n = 1;
  while (n < a)
    n *= 2;
  return n;
}
} // namespace doubled_without_a_bound

// f returns 2, 3, 4
namespace left_early {
int f(int a) {
  int n = 2;
  while (n < 4) {
    if (a > 4) { n = 3; break; }
    if (a < 1) break;
    n *= 2;
  }
  return n;
}
} // namespace left_early

// f returns 16
namespace bound_moves {
int f(int a) {
  int n = 1, bound = 2;
  while (n < bound && bound < 17) {
    n *= 2;
    bound *= 2;
  }
  return n;
}
} // namespace bound_moves

// f returns 3
namespace changed_by_the_condition {
int f(int a) {
  int n = 1;
  while (n++ < 3)
    ;
  return n - 1;
}
} // namespace changed_by_the_condition

// f returns 7
namespace changed_by_something_else {
int f(int a) {
  int n = 1;
  auto seven = [&] { n = 7; return false; };
  while (n < 4 && seven())
    n *= 2;
  return n;
}
} // namespace changed_by_something_else

// f is 4
namespace another_variable_of_the_name {
int f(int a) {
  int n = 4;
  for (int n = 1; n < 64; n *= 2)
    ;
  return n;
}
} // namespace another_variable_of_the_name

// f is 64
namespace stepped_by_the_loop_itself {
int f(int a) {
  int n;
  for (n = 1; n < 64; n *= 2)
    ;
  return n;
}
} // namespace stepped_by_the_loop_itself

// f is 32 | 64
namespace least_of_one_of_several {
int f(int a) {
  int n = a > 1 ? 32 : 128;
  return std::min(n, 64);
}
} // namespace least_of_one_of_several

// f is 64
namespace clamped_to_its_bound {
int f(int a) { return std::clamp(500, 16, 64); }
} // namespace clamped_to_its_bound

// f returns 16, 64
namespace clamped {
int f(int a) { return std::clamp(a, 16, 64); }
} // namespace clamped
