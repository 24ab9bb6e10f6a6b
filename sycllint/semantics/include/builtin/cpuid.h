#ifndef SYCLLINT_CPUID
#define SYCLLINT_CPUID
#define __cpuid(leaf, a, b, c, d) ((void)((a) = (b) = (c) = (d) = 0))
#define __cpuid_count(leaf, count, a, b, c, d) ((void)((a) = (b) = (c) = (d) = 0))
unsigned int __get_cpuid_max(unsigned int leaf, unsigned int *signature);
int __get_cpuid(unsigned int leaf, unsigned int *a, unsigned int *b, unsigned int *c, unsigned int *d);
int __get_cpuid_count(unsigned int leaf, unsigned int count, unsigned int *a, unsigned int *b, unsigned int *c,
                      unsigned int *d);
#endif
