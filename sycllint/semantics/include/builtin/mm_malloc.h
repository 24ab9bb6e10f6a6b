#ifndef SYCLLINT_MM_MALLOC
#define SYCLLINT_MM_MALLOC
#include <stddef.h>
void *_mm_malloc(size_t size, size_t alignment);
void _mm_free(void *memory);
#endif
