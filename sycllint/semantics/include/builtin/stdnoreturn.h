/* ISO C 7.23. */
#ifndef __cplusplus
#define noreturn _Noreturn
#endif
