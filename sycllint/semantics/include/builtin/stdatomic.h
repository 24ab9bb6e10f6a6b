/* C++ has the names of C's atomic types from its own header. */
#ifndef SYCLLINT_STDATOMIC
#define SYCLLINT_STDATOMIC
#ifdef __cplusplus
#include <atomic>
#define _Atomic(type) std::atomic<type>
using std::atomic_bool;
using std::atomic_char;
using std::atomic_flag;
using std::atomic_int;
using std::atomic_intptr_t;
using std::atomic_llong;
using std::atomic_long;
using std::atomic_short;
using std::atomic_size_t;
using std::atomic_uchar;
using std::atomic_uint;
using std::atomic_uintptr_t;
using std::atomic_ullong;
using std::atomic_ulong;
using std::atomic_ushort;
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
#endif
#endif
