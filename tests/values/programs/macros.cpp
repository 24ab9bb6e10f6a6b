// Macros are text: redefinition, conditionals, and what lacks its parentheses.
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

// f is 8
namespace macro_redefined {
#define N 4
#undef N
#define N 8
int f(int a) {
  return N;
}
#undef N
} // namespace macro_redefined

// f returns 9
namespace macro_undef_then_const {
#define M1 4
#undef M1
const int M1 = 9;
int f(int a) {
  return M1;
}
#undef M1
} // namespace macro_undef_then_const

// f returns 6
namespace macro_undef_after_use_var {
#define M2 4
int g() {
  return M2;
}
#undef M2
enum { M2 = 6 };
int f(int a) {
  return M2;
}
#undef M2
} // namespace macro_undef_after_use_var

// f is 5
namespace macro_in_function {
int g() {
#define M3 4
  return M3;
}
#undef M3
#define M3 5
int f(int a) {
  return M3;
}
#undef M3
} // namespace macro_in_function

// f returns 2
namespace ifdef_undefined {
#define A1 1
#undef A1
#ifdef A1
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
#undef A1
} // namespace ifdef_undefined

// f is 1
namespace if_expression {
#define V 3
#if V > 2
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
#undef V
} // namespace if_expression

// f is 1
namespace if_defined_and {
#define V1 3
#if defined(V1) && V1 == 3
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
#undef V1
} // namespace if_defined_and

// f is 20
namespace if_elif {
#define V2 2
#if V2 == 1
#define W2 10
#elif V2 == 2
#define W2 20
#else
#define W2 30
#endif
int f(int a) {
  return W2;
}
#undef V2
#undef W2
} // namespace if_elif

// f is 32
namespace ifndef_default {
#ifndef WW
#define WW 32
#endif
int f(int a) {
  return WW;
}
#undef WW
} // namespace ifndef_default

// f returns 1
namespace ifndef_cplusplus {
#ifdef __cplusplus
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
} // namespace ifndef_cplusplus

// f returns 1
namespace ifdef_linux {
#ifdef __linux__
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
} // namespace ifdef_linux

// f returns 2
namespace if_not_define {
#if !__cplusplus
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
} // namespace if_not_define

// f is 2
namespace if_0_nested {
#if 0
#define Z 1
#endif
#ifndef Z
#define Z 2
#endif
int f(int a) {
  return Z;
}
#undef Z
} // namespace if_0_nested

// f is 5
namespace include_guard_like {
#ifndef GUARD_H
#define GUARD_H
#define ZZ 5
#endif
int f(int a) {
  return ZZ;
}
#undef GUARD_H
#undef ZZ
} // namespace include_guard_like

// f is 0
namespace text_precedence_minus {
#define D 8 - 2
int f(int a) {
  return 10 - D;
}
#undef D
} // namespace text_precedence_minus

// f is 18
namespace text_precedence_right_assoc {
#define D2 2 * 3
int f(int a) {
  return 12 / D2;
}
#undef D2
} // namespace text_precedence_right_assoc

// f returns -2
namespace text_precedence_unary_minus {
#define D3 4 + 2
int f(int a) {
  return -D3;
}
#undef D3
} // namespace text_precedence_unary_minus

// f returns 3
namespace text_precedence_not {
#define D4 0 + 2
int f(int a) {
  return !D4;
}
#undef D4
} // namespace text_precedence_not

// f is 46
namespace text_precedence_cast {
#define D5 300 + 2
int f(int a) {
  return (unsigned char)D5;
}
#undef D5
} // namespace text_precedence_cast

// f is 5
namespace text_precedence_both {
#define D6 1 + 2
int f(int a) {
  return D6 * D6;
}
#undef D6
} // namespace text_precedence_both

// f is 8
namespace text_precedence_shift {
#define D7 1 << 2
int f(int a) {
  return D7 + 1;
}
#undef D7
} // namespace text_precedence_shift

// f returns 2
namespace text_precedence_conditional {
#define D8 1 ? 2 : 3
int f(int a) {
  return D8 + 10;
}
#undef D8
} // namespace text_precedence_conditional

// f returns 2
namespace text_precedence_conditional_right {
#define D8b 0 ? 2 : 3
int f(int a) {
  return 1 + D8b;
}
#undef D8b
} // namespace text_precedence_conditional_right

// f is 2
namespace text_precedence_comma {
#define D9 1, 2
int f(int a) {
  int n = (D9);
  return n;
}
#undef D9
} // namespace text_precedence_comma

// f is 5
namespace text_nested_macros {
#define E1 1 + 2
#define E2 E1 * 2
int f(int a) {
  return E2;
}
#undef E1
#undef E2
} // namespace text_nested_macros

// f returns 10
namespace text_nested_macros_in_product {
#define E3 1 + 2
#define E4 2 * E3
int f(int a) {
  return E4 * 4;
}
#undef E3
#undef E4
} // namespace text_nested_macros_in_product

// f returns 9
namespace text_nested_alias {
#define F1 1 + 2
#define F2 F1
int f(int a) {
  return F2 * 4;
}
#undef F1
#undef F2
} // namespace text_nested_alias

// f returns 11
namespace text_in_function_macro_argument {
#define MUL(x, y) x *y
int f(int a) {
  return MUL(1 + 2, 3 + 4);
}
#undef MUL
} // namespace text_in_function_macro_argument

// f returns 8
namespace text_function_macro_unparenthesized {
#define ADD(x, y) x + y
int f(int a) {
  return 2 * ADD(1, 2) * 3;
}
#undef ADD
} // namespace text_function_macro_unparenthesized

// f returns 6
namespace text_function_macro_inner {
#define DIV(x) x / 2
int f(int a) {
  return DIV(4 + 4);
}
#undef DIV
} // namespace text_function_macro_inner

// f returns 163
namespace function_macro_ceil_no_parens {
#define CEIL(x, y) (x + y - 1) / y
int f(int a) {
  return 64 * CEIL(100, 64);
}
#undef CEIL
} // namespace function_macro_ceil_no_parens

// f returns 10
namespace ceil_with_argument_exprs {
#define CEIL2(x, y) (x + y - 1) / y
int f(int a) {
  return CEIL2(100, 32 * 2);
}
#undef CEIL2
} // namespace ceil_with_argument_exprs

// f returns 1
namespace function_macro_minus {
#define NEG(x) -x
int f(int a) {
  return NEG(2 + 3);
}
#undef NEG
} // namespace function_macro_minus

// f is 46
namespace function_macro_cast {
#define TOU8(x) (unsigned char)x
int f(int a) {
  return TOU8(300 + 2);
}
#undef TOU8
} // namespace function_macro_cast

// f returns 3, 4
namespace function_macro_conditional_argument {
#define DBL(x) 2 * x
int f(int a) {
  return DBL(a > 2 ? 3 : 4);
}
#undef DBL
} // namespace function_macro_conditional_argument

// f is 11
namespace function_macro_argument_shadows_local {
#define SHAD(n) ((n) + 1)
int f(int a) {
  int n = 5;
  return SHAD(n * 2);
}
#undef SHAD
} // namespace function_macro_argument_shadows_local

// f is 106
namespace function_macro_parameter_named_like_global {
const int x = 100;
#define PX(x) ((x) + 1)
int f(int a) {
  return PX(5) + x;
}
#undef PX
} // namespace function_macro_parameter_named_like_global

// f is 14
namespace macro_uses_local_at_use {
#define USEN (n * 2)
int f(int a) {
  int n = 5;
  {
    int n = 7;
    return USEN;
  }
}
#undef USEN
} // namespace macro_uses_local_at_use

// f is 10
namespace macro_uses_later_redefined_macro {
#define IN 4
#define OUT (IN * 2)
#undef IN
#define IN 5
int f(int a) {
  return OUT;
}
#undef IN
#undef OUT
} // namespace macro_uses_later_redefined_macro

// f is 25
namespace function_macro_nested_twice {
#define SQ(x) ((x) * (x))
int f(int a) {
  return SQ(SQ(2) + 1);
}
#undef SQ
} // namespace function_macro_nested_twice

// f is 8
namespace function_macro_with_side_effect_argument {
#define MX(a, b) ((a) > (b) ? (a) : (b))
int f(int a) {
  return MX(3, 8);
}
#undef MX
} // namespace function_macro_with_side_effect_argument

// f returns 4
namespace recursive_macro_name {
const int foo = 3;
#define foo foo + 1
int f(int a) {
  return foo;
}
#undef foo
} // namespace recursive_macro_name

// f is 3
namespace macro_hides_variable {
#define hid 3
const int hidd = 3;
int f(int a) {
  const int k = hid;
  return k;
}
#undef hid
} // namespace macro_hides_variable

// f is 5
namespace macro_after_variable {
int f(int a) {
  const int kk = 4;
#define kk 5
  return kk;
}
#undef kk
} // namespace macro_after_variable

// f returns 4
namespace macro_stringify {
#define CAT(a, b) a##b
const int xy = 4;
int f(int a) {
  return CAT(x, y);
}
#undef CAT
} // namespace macro_stringify

// f returns 12
namespace macro_cat_number {
#define CATN(a, b) a##b
int f(int a) {
  return CATN(1, 2);
}
#undef CATN
} // namespace macro_cat_number

// f returns 7
namespace variadic_macro {
#define FIRST(x, ...) x
int f(int a) {
  return FIRST(7, 8, 9);
}
#undef FIRST
} // namespace variadic_macro

// f returns 7
namespace empty_macro_argument {
#define OPT(x) 5 x
int f(int a) {
  return OPT(+2);
}
#undef OPT
} // namespace empty_macro_argument

// f returns 9
namespace object_like_macro_to_function {
#define SQF(x) ((x) * (x))
#define AL SQF
int f(int a) {
  return AL(3);
}
#undef SQF
#undef AL
} // namespace object_like_macro_to_function

// f is 13
namespace macro_multi_line {
#define ML 4 + 5
int f(int a) {
  return 2 * ML;
}
#undef ML
} // namespace macro_multi_line

// f returns 9
namespace macro_comment {
#define MC 4 /* four */ + 1 // x
int f(int a) {
  return 2 * MC;
}
#undef MC
} // namespace macro_comment

// f returns 4
namespace macro_keyword {
#define CONSTX const
CONSTX int nx = 4;
int f(int a) {
  return nx;
}
#undef CONSTX
} // namespace macro_keyword

// f returns 44
namespace macro_type {
#define TY unsigned char
int f(int a) {
  TY n = 300;
  return n;
}
#undef TY
} // namespace macro_type

// f returns 44
namespace macro_type_2 {
#define TY2 unsigned char
int f(int a) {
  return (TY2)300;
}
#undef TY2
} // namespace macro_type_2

// f returns 7
namespace macro_type_real {
#define real float
int f(int a) {
  real n = 7;
  return n / 2 * 2;
}
#undef real
} // namespace macro_type_real

// f is 7
namespace typedef_float {
typedef float re;
int f(int a) {
  re n = 7;
  return n / 2 * 2;
}
} // namespace typedef_float

// f returns 3
namespace macro_conditional_three {
#ifdef P1
#define Q1 1
#endif
#ifdef P2
#define Q1 2
#endif
#ifndef Q1
#define Q1 3
#endif
int f(int a) {
  return Q1;
}
#undef Q1
} // namespace macro_conditional_three

// f returns 1
namespace macro_conditional_undef {
#define Q2 1
#ifdef P3
#undef Q2
#define Q2 5
#endif
int f(int a) {
  return Q2;
}
#undef Q2
} // namespace macro_conditional_undef

// f returns 5
namespace macro_conditional_undef_other {
#define Q3 1
#ifndef P4
#undef Q3
#define Q3 5
#endif
int f(int a) {
  return Q3;
}
#undef Q3
} // namespace macro_conditional_undef_other

// f is 1
namespace defined_or {
#define DA 1
#if defined(DB) || defined(DA)
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
#undef DA
} // namespace defined_or

// f is 2
namespace if_macro_zero {
#define FLAG 0
#if FLAG
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
#undef FLAG
} // namespace if_macro_zero

// f is 1
namespace ifdef_macro_zero {
#define FLAG2 0
#ifdef FLAG2
const int n = 1;
#else
const int n = 2;
#endif
int f(int a) {
  return n;
}
#undef FLAG2
} // namespace ifdef_macro_zero

// f is 3
namespace if_inside_function {
#define FLAG3 0
int f(int a) {
  int n = 1;
#if FLAG3
  n = 2;
#else
  n = 3;
#endif
  return n;
}
#undef FLAG3
} // namespace if_inside_function

// f returns 3
namespace if_inside_statement {
#define FLAG4 0
int f(int a) {
  int n =
#if FLAG4
      2
#else
      3
#endif
      ;
  return n;
}
#undef FLAG4
} // namespace if_inside_statement

// f is 5
namespace if_inside_call {
int g(int x) {
  return x;
}
#define FLAG5 1
int f(int a) {
  int n = 4;
  if (a > 0)
#if FLAG5
    n = 2;
#endif
  n = 5;
  return n;
}
#undef FLAG5
} // namespace if_inside_call

// f is 4 | 5
namespace if_brace_split {
#define FLAG6 0
int f(int a) {
  int n = 4;
#if FLAG6
  if (a > 0) {
#else
  if (a > 1) {
#endif
    n = 5;
  }
  return n;
}
#undef FLAG6
} // namespace if_brace_split

// f returns 6
namespace else_split {
int f(int a) {
  int n = 4;
#ifdef NOPE
  if (a > 0)
    n = 5;
  else
#endif
    n = 6;
  return n;
}
} // namespace else_split

// f returns 4
namespace push_macro {
#define PM 4
#pragma push_macro("PM")
#undef PM
#define PM 5
#pragma pop_macro("PM")
int f(int a) {
  return PM;
}
#undef PM
} // namespace push_macro

// f is 7
namespace function_like_vs_object {
#define FO(x) ((x) + 1)
int f(int a) {
  int FO = 7;
  return FO;
}
#undef FO
} // namespace function_like_vs_object

// f returns 4
namespace macro_use_before_define {
const int before =
#define LATE 4
    LATE;
#undef LATE
#define LATE 9
int f(int a) {
  return before;
}
#undef LATE
} // namespace macro_use_before_define

// f is 4
namespace expansion_point_of_a_const_initialised_by_a_macro {
#define K0 4
const int kk0 = K0;
#undef K0
#define K0 9
int f(int a) {
  return kk0;
}
#undef K0
} // namespace expansion_point_of_a_const_initialised_by_a_macro

// f is 7
namespace macro_in_static_assert {
#define LONGM 5000000000
int f(int a) {
  return LONGM > 4 ? 7 : 8;
}
#undef LONGM
} // namespace macro_in_static_assert

// f is 128
namespace macro_argument_used_twice_with_precedence {
#define ALIGNUP(x, n) (((x) + (n) - 1) & ~((n) - 1))
int f(int a) {
  return ALIGNUP(100, 1 << 5);
}
#undef ALIGNUP
} // namespace macro_argument_used_twice_with_precedence

// f is 32
namespace constant_handed_on_in_an_arm {
struct Blocks {
  Blocks(int const &n) : size(n) {}
  int size;
};
void spread(Blocks *first);
void spread(Blocks *first) { first->size = 1; }
int f(int a) {
  constexpr int count = 32;
#if defined(SPREAD_THINLY)
  Blocks one[] = {Blocks(count)};
  spread(one);
#else
  Blocks two[] = {Blocks(count), Blocks{count}};
  spread(two);
#endif
  return count;
}
} // namespace constant_handed_on_in_an_arm
