// Which assignment reaches the place of use.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// f returns 128
namespace while_loop {
int f(int a) {
  int n = 4;
  while (n < 100)
    n *= 2;
  return n;
}
} // namespace while_loop

// f returns 0, 1, 4, 6, 63
namespace assigned_in_a_loop {
int f(int a) {
  int n = 4;
  for (int i = 0; i < a; ++i)
    n = i;
  return n;
}
} // namespace assigned_in_a_loop

// f returns 0, 1, 2, 5, 7, 64
namespace assigned_by_the_head_of_a_loop {
int f(int a) {
  int n = 4;
  for (n = 0; n < a; ++n)
    ;
  return n;
}
} // namespace assigned_by_the_head_of_a_loop

// f returns 5
namespace do_loop {
int f(int a) {
  int n = 4;
  do
    n = 5;
  while (false);
  return n;
}
} // namespace do_loop

// f returns -3, 0, 1, 2, 5, 7, 64
namespace assignment_in_condition {
int f(int a) {
  int n = 4;
  if ((n = a)) {
    a = 0;
  }
  return n;
}
} // namespace assignment_in_condition

// f returns -3, 0, 5
namespace assignment_in_if_with_arms {
int f(int a) {
  int n = 4;
  if ((n = a) > 0)
    n = 5;
  return n;
}
} // namespace assignment_in_if_with_arms

// f returns -3, 0, 1, 2, 5, 7, 64
namespace assignment_in_while_condition {
int f(int a) {
  int n = 4;
  while ((n = a) < 0)
    break;
  return n;
}
} // namespace assignment_in_while_condition

// f returns 9
namespace assignment_in_expression {
int f(int a) {
  int n = 4;
  int m = (n = 9);
  return n;
}
} // namespace assignment_in_expression

// f returns 9
namespace chained_assign {
int f(int a) {
  int n = 4, m;
  m = n = 9;
  return n;
}
} // namespace chained_assign

// f is 9
namespace chained_assign_inner {
int f(int a) {
  int n = 4, m;
  n = m = 9;
  return n;
}
} // namespace chained_assign_inner

// f returns 44
namespace chained_through_narrowing {
int f(int a) {
  int n;
  unsigned char m;
  n = m = 300;
  return n;
}
} // namespace chained_through_narrowing

// f returns 7
namespace comma_operator {
int f(int a) {
  int n = 4;
  a = 1, n = 7;
  return n;
}
} // namespace comma_operator

// f returns 5, 6
namespace conditional_assign {
int f(int a) {
  int n = 4;
  a ? n = 5 : n = 6;
  return n;
}
} // namespace conditional_assign

// f returns 4, 5
namespace short_circuit_assign {
int f(int a) {
  int n = 4;
  a && (n = 5);
  return n;
}
} // namespace short_circuit_assign

// f returns 5
namespace postfix_in_initializer {
int f(int a) {
  int n = 4;
  int m = n++;
  return n;
}
} // namespace postfix_in_initializer

// f returns 4
namespace postfix_value {
int f(int a) {
  int n = 4;
  return n++;
}
} // namespace postfix_value

// f returns 5
namespace prefix_value {
int f(int a) {
  int n = 4;
  return ++n;
}
} // namespace prefix_value

// f returns 5
namespace prefix_value_in_declaration {
int f(int a) {
  int n = 4;
  int m = ++n;
  return m;
}
} // namespace prefix_value_in_declaration

// f returns 6
namespace prefix_in_declaration_twice {
int f(int a) {
  int n = 4;
  int m = ++n, k = ++n;
  return k;
}
} // namespace prefix_in_declaration_twice

// f returns 5
namespace later_declarator_uses_changed {
int f(int a) {
  int n = 4, m = n++, k = n;
  return k;
}
} // namespace later_declarator_uses_changed

// f is 12
namespace self_assign_expression {
int f(int a) {
  int n = 4;
  n = n * 2 + n;
  return n;
}
} // namespace self_assign_expression

// f returns 4, 5
namespace goto_forward {
int f(int a) {
  int n = 4;
  if (a)
    goto end;
  n = 5;
end:
  return n;
}
} // namespace goto_forward

// f returns 6
namespace goto_back {
int f(int a) {
  int n = 4;
  int k = 0;
again:
  if (k++ < 2) {
    n = n + 1;
    goto again;
  }
  return n;
}
} // namespace goto_back

// f returns 9
namespace goto_over {
int f(int a) {
  int n = 4;
again:
  if (n == 9)
    goto out;
  n = 9;
  goto again;
out:
  return n;
}
} // namespace goto_over

// f returns 4, 6
namespace goto_skipping_in_block {
int f(int a) {
  int n = 4;
  {
    if (a > 0)
      goto end;
    n = 5;
  }
  n = 6;
  if (false) {
  end:;
  }
  return n;
}
} // namespace goto_skipping_in_block

// f returns 9
namespace label_launch_before_change {
int f(int a) {
  int n = 4;
  int k = 0;
top:
  int m = n;
  n = 9;
  if (k++ == 0)
    goto top;
  return m;
}
} // namespace label_launch_before_change

// f returns 4, 5
namespace break_in_loop {
int f(int a) {
  int n = 4;
  for (;;) {
    if (a > 0) {
      n = 5;
      break;
    }
    break;
  }
  return n;
}
} // namespace break_in_loop

// f returns 4, 5
namespace the_continue {
int f(int a) {
  int n = 4;
  for (int i = 0; i < 3; ++i) {
    if (a > i)
      continue;
    n = 5;
  }
  return n;
}
} // namespace the_continue

// f is 7
namespace return_in_loop_nest {
int f(int a) {
  int n = 4;
  for (int i = 0; i < 3; ++i) {
    n = 7;
    if (i == 1)
      return n;
    n = 8;
  }
  throw 0;
}
} // namespace return_in_loop_nest

// f returns 5
namespace value_before_assignment_in_same_loop {
int f(int a) {
  int n = 4, r = 0;
  for (int i = 0; i < 2; ++i) {
    r = n;
    n = 5;
  }
  return r;
}
} // namespace value_before_assignment_in_same_loop

// f returns 6
namespace value_after_assignment_in_a_loop_with_continue {
int f(int a) {
  int n = 4;
  int r = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == 1)
      n = 6;
    r = n;
  }
  return r;
}
} // namespace value_after_assignment_in_a_loop_with_continue

// f is 3
namespace loop_if_with_continue_arm {
int f(int a) {
  for (int i = 0; i < 2; ++i) {
    int n = 1;
    if (a > 2) {
      n = 2;
      continue;
    }
    n = 3;
    if (i == 0)
      continue;
    return n;
  }
  throw 0;
}
} // namespace loop_if_with_continue_arm

// f is 2 | 3
namespace loop_decrement_arms_leave_continue_inner_if {
int f(int a) {
  for (;;) {
    int n = 1;
    if (a > 2) {
      n = 2;
      for (;;) {
        break;
      }
    } else {
      n = 3;
    }
    return n;
  }
}
} // namespace loop_decrement_arms_leave_continue_inner_if

// f returns 2, 4
namespace if_arm_break_inside_a_switch {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    n = 2;
    if (a)
      break;
    n = 3;
    break;
  default:
    n = 4;
  }
  return n;
}
} // namespace if_arm_break_inside_a_switch

// f returns 1, 3
namespace switch_fallthrough {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    n = 2;
  case 2:
    n = 3;
    break;
  }
  return n;
}
} // namespace switch_fallthrough

// f returns 1, 2
namespace switch_fallthrough_partial {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    n = 2;
  case 2:
    a = 3;
    break;
  }
  return n;
}
} // namespace switch_fallthrough_partial

// f is 2 | 7
namespace switch_grouped {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
  case 2:
    n = 2;
    break;
  default:
    n = 7;
  }
  return n;
}
} // namespace switch_grouped

// f is 2 | 5 | 7
namespace switch_default_in_the_middle {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    n = 5;
    break;
  default:
    n = 7;
    break;
  case 2:
    n = 2;
  }
  return n;
}
} // namespace switch_default_in_the_middle

// f returns 2
namespace switch_on_constant {
int f(int a) {
  const int k = 2;
  int n = 1;
  switch (k) {
  case 1:
    n = 5;
    break;
  case 2:
    n = 2;
  }
  return n;
}
} // namespace switch_on_constant

// f returns 1, 5, 6
namespace switch_with_block {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1: {
    n = 5;
    break;
  }
  case 2: {
    n = 6;
  } break;
  default:
    break;
  }
  return n;
}
} // namespace switch_with_block

// f returns 1, 5, 9
namespace switch_block_fall {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1: {
    n = 5;
  }
  case 2: {
    break;
  }
  default:
    n = 9;
  }
  return n;
}
} // namespace switch_block_fall

// f returns 1, 4
namespace switch_before_first_case {
int f(int a) {
  int n = 1;
  switch (a) {
    n = 3;
  case 1:
    break;
  case 2:
    n = 4;
    break;
  }
  return n;
}
} // namespace switch_before_first_case

// f returns 1, 4, 8
namespace case_inside_a_block {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    if (a == 9) {
    case 2:
      n = 8;
    }
    break;
  default:
    n = 4;
  }
  return n;
}
} // namespace case_inside_a_block

// f is 1 | 8
namespace switch_no_break_return {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    throw 3;
  case 2:
    n = 8;
    break;
  }
  return n;
}
} // namespace switch_no_break_return

// f returns -3, 0, 1, 5, 7, 8, 64
namespace switch_condition_change {
int f(int a) {
  int n = 1;
  switch (n = a) {
  case 1:
    break;
  case 2:
    n = 8;
    break;
  }
  return n;
}
} // namespace switch_condition_change

// f is 1 | 3
namespace switch_initialiser {
int f(int a) {
  int n = 1;
  switch (int k = a; k) {
  case 1:
    n = 3;
  }
  return n;
}
} // namespace switch_initialiser

// f returns 1, 3
namespace inside_switch_after_case_fall {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    n = 3;
  case 2:
    return n;
  }
  throw 0;
}
} // namespace inside_switch_after_case_fall

// f returns 1
namespace inside_switch_return_in_case {
int f(int a) {
  int n = 1;
  switch (a) {
  case 1:
    n = 3;
    break;
  case 2:
    return n;
  }
  throw 0;
}
} // namespace inside_switch_return_in_case

// f returns -3, 0, 1, 2, 5, 7, 64
namespace options_in_a_loop {
int f(int a) {
  int n = 1;
  int k = 0;
  while (k < 3) {
    switch (k++) {
    case 1:
      n = a;
      break;
    }
  }
  return n;
}
} // namespace options_in_a_loop

// f returns 5
namespace try_block {
int f(int a) {
  int n = 1;
  try {
    n = 2;
    throw 3;
    n = 4;
  } catch (int) {
    n = 5;
  }
  return n;
}
} // namespace try_block

// f returns 1, 2
namespace try_throw_hidden {
void g(int a) {
  if (a > 0)
    throw 1;
}
int f(int a) {
  int n = 1;
  try {
    g(a);
    n = 2;
  } catch (...) {
  }
  return n;
}
} // namespace try_throw_hidden

// f returns 3
namespace try_throw_inside_read_in_handler {
void g(int a) {
  if (a > 0)
    throw 1;
}
int f(int a) {
  int n = 1;
  try {
    n = 3;
    g(a);
    n = 2;
  } catch (...) {
    return n;
  }
  throw 0;
}
} // namespace try_throw_inside_read_in_handler

// f is 2
namespace if_constexpr {
int f(int a) {
  int n = 1;
  if constexpr (sizeof(int) == 4)
    n = 2;
  else
    n = 3;
  return n;
}
} // namespace if_constexpr

// f is 1
namespace if_with_initialiser {
int f(int a) {
  int n = 1;
  if (int n = 5; n > 3) {
    a = n;
  }
  return n;
}
} // namespace if_with_initialiser

// f returns 5
namespace if_with_initialiser_declaration_used {
int f(int a) {
  int n = 1;
  if (int m = 5; m > 3) {
    n = m;
  }
  return n;
}
} // namespace if_with_initialiser_declaration_used

// f is 2 | 3 | 7
namespace if_declaration_condition {
int f(int a) {
  int n = 1;
  if (int m = a) {
    n = m > 0 ? 2 : 3;
  } else {
    n = 7;
  }
  return n;
}
} // namespace if_declaration_condition

// f returns 0
namespace if_declaration_shadow_in_else {
int f(int a) {
  int m = 1;
  if (int m = a) {
  } else {
    return m;
  }
  throw 0;
}
} // namespace if_declaration_shadow_in_else

// f returns 256, 1024
namespace conditional_expression {
int f(int a) {
  int n = a > 2 ? 16 : 32;
  return n * n;
}
} // namespace conditional_expression

// f returns 0
namespace correlated {
int f(int a) {
  int n = a > 2 ? 16 : 32;
  return n - n;
}
} // namespace correlated

// f returns 512
namespace correlated_product {
int f(int a) {
  int n = a > 2 ? 16 : 32;
  int m = 512 / n;
  return n * m;
}
} // namespace correlated_product

// f is 1
namespace leaves_if {
int f(int a) {
  int n = 1;
  if (a > 2) {
    n = 3;
    throw 0;
  }
  return n;
}
} // namespace leaves_if

// f is 3
namespace leave_else {
int f(int a) {
  int n = 1;
  if (a > 2) {
    n = 3;
  } else {
    n = 4;
    throw 0;
  }
  return n;
}
} // namespace leave_else

// f is 1 | 3
namespace user_exit_function {
struct L {
  void exit(int) {
  }
};
int f(int a) {
  L l;
  int n = 1;
  if (a > 2) {
    n = 3;
    l.exit(1);
  }
  return n;
}
} // namespace user_exit_function

// f returns 1, 3
namespace user_free_abort_in_namespace {
namespace my {
void terminate() {
}
}
int f(int a) {
  int n = 1;
  if (a > 2) {
    n = 3;
    my::terminate();
  }
  return n;
}
} // namespace user_free_abort_in_namespace

// f is 1
namespace nested_blocks {
int f(int a) {
  int n = 1;
  {
    int n = 2;
    n = 3;
  }
  return n;
}
} // namespace nested_blocks

// f returns 3
namespace nested_block_changed_outer {
int f(int a) {
  int n = 1;
  {
    n = 3;
    int n = 2;
    n = 4;
  }
  return n;
}
} // namespace nested_block_changed_outer

// f is 8
namespace same_statement_shadow {
int f(int a) {
  int n = 1;
  {
    int m = n, n = 7;
    return m + n;
  }
}
} // namespace same_statement_shadow

// f is 8
namespace self_initialiser {
int f(int a) {
  const int n = 4;
  {
    const int m = n * 2;
    const int n = m;
    return n;
  }
}
} // namespace self_initialiser

// f returns 3, 5, 7, 9, 11, 13, 15
namespace static_local {
int g() {
  static int n = 1;
  n++;
  return n;
}
int f(int a) {
  g();
  return g();
}
} // namespace static_local

// f returns 1, 5
namespace static_local_same {
int f(int a) {
  static int n = 1;
  int r = n;
  n = 5;
  return r;
}
} // namespace static_local_same

// f returns 1, 2, 3, 4, 5, 6, 7
namespace static_local_before {
int f(int a) {
  static int n = 1;
  int r = n;
  n++;
  return r;
}
} // namespace static_local_before

// f returns -3, 0, 1, 2, 5, 7, 64
namespace the_thread_local {
thread_local int tl = 4;
int f(int a) {
  tl = a;
  return tl;
}
} // namespace the_thread_local

// f is 3 | 4
namespace uninit_then_assigned_in_one_arm {
int f(int a) {
  int n;
  if (a > 2)
    n = 3;
  else
    n = 4;
  return n;
}
} // namespace uninit_then_assigned_in_one_arm

// f returns 7
namespace member_of_an_object {
struct S {
  int n = 4;
};
int f(int a) {
  S s;
  s.n = 7;
  return s.n;
}
} // namespace member_of_an_object

// f returns 4
namespace member_initialiser {
struct S {
  int n = 4;
};
int f(int a) {
  S s;
  return s.n;
}
} // namespace member_initialiser

// f returns 9
namespace member_agg {
struct S {
  int n = 4;
};
int f(int a) {
  S s{9};
  return s.n;
}
} // namespace member_agg

// f returns 9
namespace const_member_via_constructor {
struct S {
  const int n = 4;
  S(int k) : n(k) {
  }
};
int f(int a) {
  S s(9);
  return s.n;
}
} // namespace const_member_via_constructor

// f returns 9
namespace method_reading_member {
struct S {
  const int n = 4;
  S(int k) : n(k) {
  }
  int g() {
    return n;
  }
};
int f(int a) {
  S s(9);
  return s.g();
}
} // namespace method_reading_member

// f returns 9
namespace lambda_later_change_by_reference {
int f(int a) {
  int n = 4;
  auto g = [&] { return n; };
  n = 9;
  return g();
}
} // namespace lambda_later_change_by_reference

// f is 4
namespace lambda_by_copy {
int f(int a) {
  int n = 4;
  auto g = [=] { return n; };
  n = 9;
  return g();
}
} // namespace lambda_by_copy

// f is 4
namespace lambda_mutable {
int f(int a) {
  int n = 4;
  auto g = [=]() mutable { n = 9; };
  g();
  return n;
}
} // namespace lambda_mutable

// f returns 9
namespace lambda_by_reference_called_later {
int f(int a) {
  int n = 4;
  auto g = [&] { n = 9; };
  n = 5;
  g();
  return n;
}
} // namespace lambda_by_reference_called_later

// f returns 9
namespace lambda_by_reference_called_later_via_function {
int f(int a) {
  int n = 4;
  std::function<void()> g = [&n] { n = 9; };
  n = 5;
  g();
  return n;
}
} // namespace lambda_by_reference_called_later_via_function

// f returns 9
namespace lambda_initialiser_capture_reference {
int f(int a) {
  int n = 4;
  auto g = [&m = n] { m = 9; };
  g();
  return n;
}
} // namespace lambda_initialiser_capture_reference

// f returns 9
namespace lambda_returned_in_argument {
template <class F> void call(F g) {
  g();
}
int f(int a) {
  int n = 4;
  call([&] { n = 9; });
  return n;
}
} // namespace lambda_returned_in_argument

// f returns 9
namespace lambda_stored_given_changed {
template <class F> void call(F g) {
  g();
}
int f(int a) {
  int n = 4;
  auto g = [&] { n = 9; };
  n = 6;
  call(g);
  return n;
}
} // namespace lambda_stored_given_changed

// f returns 9
namespace bound_reference {
void g(int &p) {
  p = 9;
}
int f(int a) {
  int n = 4;
  auto h = std::bind(g, std::ref(n));
  n = 6;
  h();
  return n;
}
} // namespace bound_reference

// f returns 9
namespace local_struct_method {
int f(int a) {
  static int n = 4;
  struct L {
    static void g() {
      n = 9;
    }
  };
  L::g();
  return n;
}
} // namespace local_struct_method

// f returns 7
namespace range_loop_by_reference_over_initialiser {
int f(int a) {
  int n = 4, m = 5;
  for (int *p : {&n, &m})
    *p = 7;
  return n;
}
} // namespace range_loop_by_reference_over_initialiser

// f returns 7
namespace range_loop_by_reference_array {
int f(int a) {
  int t[2] = {4, 5};
  for (int &p : t)
    p = 7;
  return t[0];
}
} // namespace range_loop_by_reference_array

// f returns 7
namespace range_loop_auto {
int f(int a) {
  int t[2] = {4, 5};
  for (auto &p : t)
    p = 7;
  return t[0];
}
} // namespace range_loop_auto

// f returns 4
namespace range_loop_value {
int f(int a) {
  for (int n : {4, 5})
    if (a > 3)
      return n;
  throw 0;
}
} // namespace range_loop_value

// f returns 0, 20
namespace a_label_is_what_the_switch_is_on {
int g(int a) {
  switch (a) {
  case 2:
    return 0;
  case 5: {
    int b = a * 4;
    if (a > 1)
      return b;
  }
  }
  return 0;
}
int f(int a) {
  return g(a);
}
} // namespace a_label_is_what_the_switch_is_on

// f is 70
namespace a_case_of_one_label {
int g(int n) {
  switch (n) {
  case 1:
    break;
  case 7:
    return n * 10;
  }
  return 70;
}
int f(int a) {
  return g(7);
}
} // namespace a_case_of_one_label

// f returns 1, 2, 5, 7, 64
namespace control_falls_into_a_case {
int g(int a) {
  int b = 7;
  switch (a) {
  case 1:
    b = a;
  case 2:
    return a;
  case 5:
  case 64:
    b = a;
  default:
    break;
  }
  return b;
}
int f(int a) {
  return g(a);
}
} // namespace control_falls_into_a_case

// f returns 0, 1, 2, 5
namespace a_label_inside_a_loop_of_another_case {
int g(int a) {
  int b = 5;
  switch (a) {
  case 0:
    do {
      b = 0;
    case 1:
    case 2:
      b = a;
    } while (b > 100);
    return b;
  }
  return b;
}
int f(int a) {
  return g(a);
}
} // namespace a_label_inside_a_loop_of_another_case

// f returns 3, 6
namespace a_case_that_changes_what_the_switch_is_on {
int g(int a) {
  switch (a) {
  case 5:
    a = 6;
    return a;
  default:
    return 3;
  }
}
int f(int a) {
  return g(a);
}
} // namespace a_case_that_changes_what_the_switch_is_on

// f is 64
namespace ends_in_a_function_that_throws {
void fail(const char *) { throw 1; }
int f(int a) {
  int n = 64;
  if (a > 1000) {
    n = 3;
    fail("too large");
  }
  return n;
}
} // namespace ends_in_a_function_that_throws

// f is 64
namespace ends_in_a_function_that_says_so {
[[noreturn]] void fail(const char *why);
void fail(const char *) { std::abort(); }
int f(int a) {
  int n;
  if (a < 1000)
    n = 64;
  else
    fail("too large");
  return n;
}
} // namespace ends_in_a_function_that_says_so

// f is 64
namespace ends_two_calls_deep {
void fail() { std::abort(); }
template <typename T> void refuse(T) { fail(); }
int f(int a) {
  int n = 64;
  if (a > 1000) {
    n = 3;
    refuse(a);
  }
  return n;
}
} // namespace ends_two_calls_deep

// f is 64
namespace ends_in_the_function_of_its_own_namespace {
namespace quiet {
void fail(int) {}
} // namespace quiet
namespace loud {
void fail(int) { throw 1; }
int f(int a) {
  int n = 64;
  if (a > 1000) {
    n = 3;
    fail(a);
  }
  return n;
}
} // namespace loud
int f(int a) { return loud::f(a); }
} // namespace ends_in_the_function_of_its_own_namespace

// f returns 3, 64
namespace goes_on_after_the_function_of_another_namespace {
void fail(int) { throw 1; }
namespace quiet {
void fail(int) {}
} // namespace quiet
int f(int a) {
  int n = 64;
  if (a > 4) {
    n = 3;
    quiet::fail(a);
  }
  return n;
}
} // namespace goes_on_after_the_function_of_another_namespace

// f is 64
namespace ends_in_a_method_of_its_class {
struct Solver {
  void fail() { throw 1; }
  int run(int a) {
    int n = 64;
    if (a > 1000) {
      n = 3;
      fail();
    }
    return n;
  }
};
int f(int a) {
  Solver s;
  return s.run(a);
}
} // namespace ends_in_a_method_of_its_class

// f returns 3, 64
namespace goes_on_after_a_method_that_hides_a_function {
void fail() { throw 1; }
struct Solver {
  void fail() {}
  int run(int a) {
    int n = 64;
    if (a > 4) {
      n = 3;
      fail();
    }
    return n;
  }
};
int f(int a) {
  Solver s;
  return s.run(a);
}
} // namespace goes_on_after_a_method_that_hides_a_function

// f is 64
namespace ends_in_a_macro {
#define FAIL(why) do { std::puts(why); std::abort(); } while (0)
int f(int a) {
  int n = 64;
  if (a > 1000) {
    n = 3;
    FAIL("too large");
  }
  return n;
}
} // namespace ends_in_a_macro

// f is 64
namespace ends_in_a_macro_that_throws {
#define NOT_SUPPORTED throw 1
int f(int a) {
  int n = 64;
  switch (a) {
  case 1000: n = 3; NOT_SUPPORTED;
  default: break;
  }
  return n;
}
} // namespace ends_in_a_macro_that_throws

// f is 64
namespace ends_in_a_check_of_false {
#define CHECK(condition) if (!(condition)) { std::abort(); }
int f(int a) {
  int n = 64;
  if (a > 1000) {
    n = 3;
    CHECK(false);
  }
  return n;
}
} // namespace ends_in_a_check_of_false

// f returns 3, 64
namespace goes_on_after_a_check {
#define CHECK_ANY(condition) if (!(condition)) { std::abort(); }
int f(int a) {
  int n = 64;
  if (a > 4) {
    n = 3;
    CHECK_ANY(a < 1000);
  }
  return n;
}
} // namespace goes_on_after_a_check

// f returns 3, 64
namespace goes_on_after_a_function_that_may_throw {
void check(int a) { if (a < 1000) return; throw 1; }
int f(int a) {
  int n = 64;
  if (a > 4) {
    n = 3;
    check(a);
  }
  return n;
}
} // namespace goes_on_after_a_function_that_may_throw

// f returns 3, 64
namespace goes_on_after_a_loop_that_is_left {
void check(int a) { do { if (a < 1000) break; throw 1; } while (0); }
int f(int a) {
  int n = 64;
  if (a > 4) {
    n = 3;
    check(a);
  }
  return n;
}
} // namespace goes_on_after_a_loop_that_is_left

// f returns 3, 64
namespace goes_on_after_an_overload {
void fail(const char *) { throw 1; }
void fail(int) {}
int f(int a) {
  int n = 64;
  if (a > 4) {
    n = 3;
    fail(a);
  }
  return n;
}
} // namespace goes_on_after_an_overload

// f returns 3, 64
namespace goes_on_after_a_virtual_function {
struct Base { virtual void fail() { throw 1; } virtual ~Base() = default; void run() { fail(); } };
struct Derived : Base { void fail() override {} };
int f(int a) {
  Derived d;
  int n = 64;
  if (a > 4) {
    n = 3;
    d.run();
  }
  return n;
}
} // namespace goes_on_after_a_virtual_function

// f returns 3, 64
namespace goes_on_after_a_macro_of_two_kinds {
#if defined(CHECKED_FULLY)
#define REFUSE(why) std::abort()
#else
#define REFUSE(why) (void)0
#endif
int f(int a) {
  int n = 64;
  if (a > 4) {
    n = 3;
    REFUSE("why");
  }
  return n;
}
} // namespace goes_on_after_a_macro_of_two_kinds
