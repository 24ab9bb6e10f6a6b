/* ISO C 7.19 from the compiler's own macros: the headers that come with a clang installation are not in libclang's
   package. No include guard: the C library asks for single names by __need_ macros, again and again. */
#if defined(__need_ptrdiff_t) || defined(__need_size_t) || defined(__need_wchar_t) || defined(__need_NULL) || \
    defined(__need_wint_t) || defined(__need_max_align_t) || defined(__need_offsetof)
#define SYCLLINT_SINGLE_NAMES
#endif
#if defined(__need_ptrdiff_t) || !defined(SYCLLINT_SINGLE_NAMES)
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#undef __need_ptrdiff_t
#endif
#if defined(__need_size_t) || !defined(SYCLLINT_SINGLE_NAMES)
typedef __SIZE_TYPE__ size_t;
#undef __need_size_t
#endif
#if defined(__need_wchar_t) || !defined(SYCLLINT_SINGLE_NAMES)
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#endif
#undef __need_wchar_t
#endif
#if defined(__need_NULL) || !defined(SYCLLINT_SINGLE_NAMES)
#undef NULL
#ifdef __cplusplus
#define NULL __null
#else
#define NULL ((void *)0)
#endif
#undef __need_NULL
#endif
#ifdef __need_wint_t
typedef __WINT_TYPE__ wint_t;
#undef __need_wint_t
#endif
#ifndef SYCLLINT_SINGLE_NAMES
#ifndef SYCLLINT_MAX_ALIGN
#define SYCLLINT_MAX_ALIGN
typedef struct {
  long long sycllint_integer __attribute__((__aligned__(__alignof__(long long))));
  long double sycllint_real __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;
#endif
#ifdef __cplusplus
namespace std {
typedef decltype(nullptr) nullptr_t;
}
using ::std::nullptr_t;
#endif
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#undef __need_max_align_t
#undef __need_offsetof
#undef SYCLLINT_SINGLE_NAMES
