/* ISO C 7.15: the names are keywords of C++. */
#define __alignas_is_defined 1
#define __alignof_is_defined 1
