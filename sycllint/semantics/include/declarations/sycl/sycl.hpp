// The names of SYCL 2020 as declarations, written for sycllint after the specification: enough for a kernel to parse
// and for the types in it to be known. Only what is given a lambda has a body, since nobody else could define it. No size
// of a class of SYCL's is one of an implementation.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#define SYCL_LANGUAGE_VERSION 202012L
#define SYCL_EXTERNAL

namespace sycl {
inline namespace _V1 {

// ------------------------------------------------------------------------------------------------- scalars and enums

using byte = std::uint8_t;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_float = float;
using cl_double = double;

class half {
 public:
  constexpr half() = default;
  constexpr half(float) {}
  constexpr operator float() const { return 0; }
  template <class T> half &operator+=(const T &);
  template <class T> half &operator-=(const T &);
  template <class T> half &operator*=(const T &);
  template <class T> half &operator/=(const T &);

 private:
  std::uint16_t bits_ = 0;
};

enum class memory_order : int { relaxed, acquire, __consume_unsupported, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
enum class memory_scope : int { work_item, sub_group, work_group, device, system };
enum class access_mode : int { read, write, read_write, discard_write, discard_read_write, atomic };
enum class target : int { device, global_buffer = device, constant_buffer, local, host_buffer, host_task, host_image, image };
enum class image_channel_order : int { rgba };
enum class image_channel_type : int { fp32 };
namespace access {
using mode = access_mode;
using target = sycl::target;
enum class fence_space : int { local_space, global_space, global_and_local };
enum class address_space : int { global_space, local_space, constant_space, private_space, generic_space };
enum class decorated : int { no, yes, legacy };
enum class placeholder : int { false_t, true_t };
}  // namespace access
enum class backend : int { host, opencl, ext_oneapi_level_zero, ext_oneapi_cuda, ext_oneapi_hip };
enum class rounding_mode : int { automatic, rte, rtz, rtp, rtn };
enum class aspect : int { cpu, gpu, accelerator, custom, emulated, host_debuggable, fp16, fp64, atomic64, image,
  online_compiler, online_linker, queue_profiling, usm_device_allocations, usm_host_allocations,
  usm_atomic_host_allocations, usm_shared_allocations, usm_atomic_shared_allocations, usm_system_allocations };

struct read_only_tag {};
struct write_only_tag {};
struct read_write_tag {};
inline constexpr read_only_tag read_only{};
inline constexpr write_only_tag write_only{};
inline constexpr read_write_tag read_write{};
inline constexpr read_only_tag read_only_host_task{};
inline constexpr write_only_tag write_only_host_task{};
inline constexpr read_write_tag read_write_host_task{};
struct no_init_tag {};
inline constexpr no_init_tag no_init{};
inline constexpr no_init_tag noinit{};

// ------------------------------------------------------------------------------------------------------ index space

template <int Dims = 1> class id;
template <int Dims = 1> class range {
 public:
  static constexpr int dimensions = Dims;
  constexpr range() = default;
  template <class... T, class = std::enable_if_t<sizeof...(T) == Dims && (std::is_convertible_v<T, std::size_t> && ...)>>
  constexpr range(T... extents) : at_{static_cast<std::size_t>(extents)...} {}
  constexpr std::size_t get(int dimension) const { return at_[dimension]; }
  constexpr std::size_t &operator[](int dimension) { return at_[dimension]; }
  constexpr const std::size_t &operator[](int dimension) const { return at_[dimension]; }
  constexpr std::size_t size() const { return Dims == 1 ? at_[0] : Dims == 2 ? at_[0] * at_[1 % Dims] : at_[0] * at_[1 % Dims] * at_[2 % Dims]; }
  operator id<Dims>() const;

 private:
  std::size_t at_[Dims] = {};
};
template <class... T> range(T...) -> range<sizeof...(T)>;

template <int Dims = 1, bool Offset = true> class item;
namespace detail {
template <class T, int Dims> struct as_number {};
template <class T> struct as_number<T, 1> {
  constexpr operator std::size_t() const { return static_cast<const T *>(this)->get(0); }
};
}  // namespace detail
template <int Dims> class id : public detail::as_number<id<Dims>, Dims> {
 public:
  static constexpr int dimensions = Dims;
  constexpr id() = default;
  template <class... T, class = std::enable_if_t<sizeof...(T) == Dims && (std::is_convertible_v<T, std::size_t> && ...)>>
  constexpr id(T... at) : at_{static_cast<std::size_t>(at)...} {}
  id(const range<Dims> &);
  template <bool Offset> id(const item<Dims, Offset> &);
  constexpr std::size_t get(int dimension) const { return at_[dimension]; }
  constexpr std::size_t &operator[](int dimension) { return at_[dimension]; }
  constexpr const std::size_t &operator[](int dimension) const { return at_[dimension]; }

 private:
  std::size_t at_[Dims] = {};
};
template <class... T> id(T...) -> id<sizeof...(T)>;

#define SYCLLINT_ARITHMETIC(OP)                                                              \
  template <int D> range<D> operator OP(const range<D> &, const range<D> &);                 \
  template <int D> range<D> operator OP(const range<D> &, std::size_t);                      \
  template <int D> range<D> operator OP(std::size_t, const range<D> &);                      \
  template <int D> range<D> &operator OP##=(range<D> &, const range<D> &);                   \
  template <int D> range<D> &operator OP##=(range<D> &, std::size_t);                        \
  template <int D> std::enable_if_t<(D > 1), id<D>> operator OP(const id<D> &, const id<D> &); \
  template <int D> std::enable_if_t<(D > 1), id<D>> operator OP(const id<D> &, std::size_t);  \
  template <int D> id<D> &operator OP##=(id<D> &, const id<D> &);                            \
  template <int D> id<D> &operator OP##=(id<D> &, std::size_t);
SYCLLINT_ARITHMETIC(+)
SYCLLINT_ARITHMETIC(-)
SYCLLINT_ARITHMETIC(*)
SYCLLINT_ARITHMETIC(/)
SYCLLINT_ARITHMETIC(%)
#undef SYCLLINT_ARITHMETIC
template <int D> bool operator==(const range<D> &, const range<D> &);
template <int D> bool operator!=(const range<D> &, const range<D> &);
template <int D> std::enable_if_t<(D > 1), bool> operator==(const id<D> &, const id<D> &);
template <int D> std::enable_if_t<(D > 1), bool> operator!=(const id<D> &, const id<D> &);

template <int Dims = 1> class nd_range {
 public:
  static constexpr int dimensions = Dims;
  nd_range(range<Dims> global, range<Dims> local, id<Dims> offset = {});
  range<Dims> get_global_range() const;
  range<Dims> get_local_range() const;
  range<Dims> get_group_range() const;
  id<Dims> get_offset() const;
};
template <int Dims> nd_range(range<Dims>, range<Dims>) -> nd_range<Dims>;

template <int Dims, bool Offset> class item : public detail::as_number<item<Dims, Offset>, Dims> {
 public:
  std::size_t get(int) const;
  id<Dims> get_id() const;
  std::size_t get_id(int) const;
  std::size_t operator[](int) const;
  range<Dims> get_range() const;
  std::size_t get_range(int) const;
  std::size_t get_linear_id() const;
  id<Dims> get_offset() const;
};

class device_event {
 public:
  void wait();
};
template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy> class multi_ptr;
class sub_group;
template <int Dims = 1> class h_item {
 public:
  item<Dims, false> get_global() const;
  item<Dims, false> get_local() const;
  id<Dims> get_global_id() const;
  std::size_t get_global_id(int) const;
  id<Dims> get_local_id() const;
  std::size_t get_local_id(int) const;
  range<Dims> get_local_range() const;
  std::size_t get_local_range(int) const;
  range<Dims> get_global_range() const;
  std::size_t get_global_range(int) const;
};
template <int Dims = 1> class group {
 public:
  using id_type = id<Dims>;
  using range_type = range<Dims>;
  static constexpr int dimensions = Dims;
  static constexpr memory_scope fence_scope = memory_scope::work_group;
  id<Dims> get_group_id() const;
  std::size_t get_group_id(int) const;
  id<Dims> get_id() const;
  std::size_t get_id(int) const;
  id<Dims> get_local_id() const;
  std::size_t get_local_id(int) const;
  range<Dims> get_local_range() const;
  std::size_t get_local_range(int) const;
  range<Dims> get_group_range() const;
  std::size_t get_group_range(int) const;
  range<Dims> get_max_local_range() const;
  range<Dims> get_global_range() const;
  std::size_t get_global_range(int) const;
  std::size_t operator[](int) const;
  std::size_t get_group_linear_id() const;
  std::size_t get_linear_id() const;
  std::size_t get_local_linear_id() const;
  std::size_t get_group_linear_range() const;
  std::size_t get_local_linear_range() const;
  bool leader() const;
  template <class F> void parallel_for_work_item(F &&) const {}
  template <class F> void parallel_for_work_item(range<Dims>, F &&) const {}
  template <class... T> device_event async_work_group_copy(T...) const;
  template <class... T> void wait_for(T...) const;
};
template <int Dims = 1> class nd_item {
 public:
  static constexpr int dimensions = Dims;
  id<Dims> get_global_id() const;
  std::size_t get_global_id(int) const;
  std::size_t get_global_linear_id() const;
  id<Dims> get_local_id() const;
  std::size_t get_local_id(int) const;
  std::size_t get_local_linear_id() const;
  group<Dims> get_group() const;
  std::size_t get_group(int) const;
  std::size_t get_group_linear_id() const;
  range<Dims> get_group_range() const;
  std::size_t get_group_range(int) const;
  range<Dims> get_global_range() const;
  std::size_t get_global_range(int) const;
  range<Dims> get_local_range() const;
  std::size_t get_local_range(int) const;
  id<Dims> get_offset() const;
  nd_range<Dims> get_nd_range() const;
  sub_group get_sub_group() const;
  void barrier(access::fence_space = access::fence_space::global_and_local) const;
  template <access_mode Mode = access_mode::read_write> void mem_fence(access::fence_space = access::fence_space::global_and_local) const;
  template <class... T> device_event async_work_group_copy(T...) const;
  template <class... T> void wait_for(T...) const;
};
class sub_group {
 public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;
  id<1> get_local_id() const;
  linear_id_type get_local_linear_id() const;
  range<1> get_local_range() const;
  range<1> get_max_local_range() const;
  linear_id_type get_local_linear_range() const;
  id<1> get_group_id() const;
  linear_id_type get_group_linear_id() const;
  range<1> get_group_range() const;
  linear_id_type get_group_linear_range() const;
  bool leader() const;
  void barrier(access::fence_space = access::fence_space::global_and_local) const;
  template <class T> T shuffle(T, id<1>) const;
  template <class T> T shuffle_down(T, std::uint32_t) const;
  template <class T> T shuffle_up(T, std::uint32_t) const;
  template <class T> T shuffle_xor(T, id<1>) const;
  template <class T> T load(T *) const;
  template <class T, class U> void store(T *, U) const;
};

// ---------------------------------------------------------------------------------------------------------- vectors

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3, r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
};
template <class T, int N> class alignas(sizeof(T) * (N == 3 ? 4 : N) > 64 ? 64 : sizeof(T) * (N == 3 ? 4 : N)) vec {
 public:
  using element_type = T;
  using value_type = T;
  constexpr vec() = default;
  template <class... U, class = std::enable_if_t<(sizeof...(U) > 0)>> constexpr vec(const U &...) {}
  static constexpr int size() { return N; }
  static constexpr int get_count() { return N; }
  static constexpr std::size_t byte_size() { return sizeof(vec); }
  T &operator[](int);
  const T &operator[](int) const;
  template <int... I> vec<T, sizeof...(I)> &swizzle() const;
  template <class U, rounding_mode R = rounding_mode::automatic> vec<U, N> convert() const;
  template <class U> U as() const;
  template <class... U> void load(std::size_t, U...);
  template <class... U> void store(std::size_t, U...) const;
  template <int M = N, class = std::enable_if_t<M == 1>> operator T() const;
#define SYCLLINT_ELEMENT(NAME) T &NAME(); const T &NAME() const;
  SYCLLINT_ELEMENT(x) SYCLLINT_ELEMENT(y) SYCLLINT_ELEMENT(z) SYCLLINT_ELEMENT(w)
  SYCLLINT_ELEMENT(r) SYCLLINT_ELEMENT(g) SYCLLINT_ELEMENT(b) SYCLLINT_ELEMENT(a)
  SYCLLINT_ELEMENT(s0) SYCLLINT_ELEMENT(s1) SYCLLINT_ELEMENT(s2) SYCLLINT_ELEMENT(s3)
  SYCLLINT_ELEMENT(s4) SYCLLINT_ELEMENT(s5) SYCLLINT_ELEMENT(s6) SYCLLINT_ELEMENT(s7)
  SYCLLINT_ELEMENT(s8) SYCLLINT_ELEMENT(s9) SYCLLINT_ELEMENT(sA) SYCLLINT_ELEMENT(sB)
  SYCLLINT_ELEMENT(sC) SYCLLINT_ELEMENT(sD) SYCLLINT_ELEMENT(sE) SYCLLINT_ELEMENT(sF)
#undef SYCLLINT_ELEMENT
#define SYCLLINT_PART(NAME, COUNT) vec<T, COUNT> &NAME() const;
  SYCLLINT_PART(lo, (N + 1) / 2) SYCLLINT_PART(hi, (N + 1) / 2) SYCLLINT_PART(odd, (N + 1) / 2) SYCLLINT_PART(even, (N + 1) / 2)
  SYCLLINT_PART(xy, 2) SYCLLINT_PART(zw, 2) SYCLLINT_PART(yx, 2) SYCLLINT_PART(xz, 2) SYCLLINT_PART(yz, 2) SYCLLINT_PART(yw, 2)
  SYCLLINT_PART(xyz, 3) SYCLLINT_PART(yzw, 3) SYCLLINT_PART(yzx, 3) SYCLLINT_PART(zxy, 3) SYCLLINT_PART(xyzw, 4)
#undef SYCLLINT_PART
#define SYCLLINT_ASSIGN(OP) template <class U> vec &operator OP(const U &);
  SYCLLINT_ASSIGN(=) SYCLLINT_ASSIGN(+=) SYCLLINT_ASSIGN(-=) SYCLLINT_ASSIGN(*=) SYCLLINT_ASSIGN(/=) SYCLLINT_ASSIGN(%=)
  SYCLLINT_ASSIGN(&=) SYCLLINT_ASSIGN(|=) SYCLLINT_ASSIGN(^=) SYCLLINT_ASSIGN(<<=) SYCLLINT_ASSIGN(>>=)
#undef SYCLLINT_ASSIGN
  vec &operator++();
  vec operator++(int);
  vec &operator--();
  vec operator--(int);
  vec operator-() const;
  vec operator+() const;
  vec operator~() const;
  vec operator!() const;

 private:
  T at_[N == 3 ? 4 : N] = {};
};
#define SYCLLINT_BINARY(OP)                                                   \
  template <class T, int N> vec<T, N> operator OP(const vec<T, N> &, const vec<T, N> &); \
  template <class T, int N, class U, class = std::enable_if_t<std::is_arithmetic_v<U>>> vec<T, N> operator OP(const vec<T, N> &, U); \
  template <class T, int N, class U, class = std::enable_if_t<std::is_arithmetic_v<U>>> vec<T, N> operator OP(U, const vec<T, N> &);
SYCLLINT_BINARY(+) SYCLLINT_BINARY(-) SYCLLINT_BINARY(*) SYCLLINT_BINARY(/) SYCLLINT_BINARY(%)
SYCLLINT_BINARY(&) SYCLLINT_BINARY(|) SYCLLINT_BINARY(^) SYCLLINT_BINARY(<<) SYCLLINT_BINARY(>>)
SYCLLINT_BINARY(<) SYCLLINT_BINARY(>) SYCLLINT_BINARY(<=) SYCLLINT_BINARY(>=) SYCLLINT_BINARY(==) SYCLLINT_BINARY(!=)
SYCLLINT_BINARY(&&) SYCLLINT_BINARY(||)
#undef SYCLLINT_BINARY
#define SYCLLINT_NAMES(TYPE, NAME)                                                                       \
  using NAME##2 = vec<TYPE, 2>; using NAME##3 = vec<TYPE, 3>; using NAME##4 = vec<TYPE, 4>;              \
  using NAME##8 = vec<TYPE, 8>; using NAME##16 = vec<TYPE, 16>;
SYCLLINT_NAMES(std::int8_t, char) SYCLLINT_NAMES(std::uint8_t, uchar) SYCLLINT_NAMES(std::int16_t, short)
SYCLLINT_NAMES(std::uint16_t, ushort) SYCLLINT_NAMES(std::int32_t, int) SYCLLINT_NAMES(std::uint32_t, uint)
SYCLLINT_NAMES(std::int64_t, long) SYCLLINT_NAMES(std::uint64_t, ulong) SYCLLINT_NAMES(half, half)
SYCLLINT_NAMES(std::int64_t, longlong) SYCLLINT_NAMES(std::uint64_t, ulonglong)
SYCLLINT_NAMES(float, float) SYCLLINT_NAMES(double, double)
#undef SYCLLINT_NAMES

template <class T, std::size_t N> class marray {
 public:
  using value_type = T;
  constexpr marray() = default;
  template <class... U, class = std::enable_if_t<(sizeof...(U) > 0)>> constexpr marray(const U &...) {}
  static constexpr std::size_t size() { return N; }
  T &operator[](std::size_t);
  const T &operator[](std::size_t) const;

 private:
  T at_[N] = {};
};

// --------------------------------------------------------------------------------------- queues, devices, properties

struct property_list {
  template <class... T> property_list(T &&...);
};
namespace property {
namespace queue { struct in_order {}; struct enable_profiling {}; }
namespace buffer { struct use_host_ptr {}; struct use_mutex { template <class T> use_mutex(T &); }; struct context_bound {}; }
namespace reduction { struct initialize_to_identity {}; }
struct no_init {};
struct noinit {};
}  // namespace property

namespace info {
#define SYCLLINT_INFO(NAME, TYPE) struct NAME { using return_type = TYPE; };
namespace event_profiling {
SYCLLINT_INFO(command_submit, std::uint64_t) SYCLLINT_INFO(command_start, std::uint64_t) SYCLLINT_INFO(command_end, std::uint64_t)
}
enum class event_command_status : int { submitted, running, complete };
enum class device_type : int { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type : int { none, local, global };
enum class global_mem_cache_type : int { none, read_only, read_write };
enum class partition_property : int { no_partition, partition_equally, partition_by_counts, partition_by_affinity_domain };
enum class partition_affinity_domain : int { not_applicable, numa, next_partitionable };
namespace event { SYCLLINT_INFO(command_execution_status, event_command_status) SYCLLINT_INFO(reference_count, std::uint32_t) }
namespace device {
SYCLLINT_INFO(name, std::string) SYCLLINT_INFO(vendor, std::string) SYCLLINT_INFO(driver_version, std::string)
SYCLLINT_INFO(version, std::string) SYCLLINT_INFO(vendor_id, std::uint32_t) SYCLLINT_INFO(device_type, info::device_type)
SYCLLINT_INFO(max_compute_units, std::uint32_t) SYCLLINT_INFO(max_work_group_size, std::size_t)
SYCLLINT_INFO(max_work_item_dimensions, std::uint32_t) SYCLLINT_INFO(max_num_sub_groups, std::uint32_t)
SYCLLINT_INFO(max_clock_frequency, std::uint32_t) SYCLLINT_INFO(local_mem_size, std::uint64_t)
SYCLLINT_INFO(local_mem_type, info::local_mem_type) SYCLLINT_INFO(global_mem_size, std::uint64_t)
SYCLLINT_INFO(global_mem_cache_size, std::uint64_t) SYCLLINT_INFO(global_mem_cache_line_size, std::uint32_t)
SYCLLINT_INFO(global_mem_cache_type, info::global_mem_cache_type) SYCLLINT_INFO(max_mem_alloc_size, std::uint64_t)
SYCLLINT_INFO(max_parameter_size, std::size_t) SYCLLINT_INFO(sub_group_sizes, std::vector<std::size_t>)
SYCLLINT_INFO(mem_base_addr_align, std::uint32_t) SYCLLINT_INFO(address_bits, std::uint32_t)
SYCLLINT_INFO(preferred_vector_width_float, std::uint32_t) SYCLLINT_INFO(preferred_vector_width_double, std::uint32_t)
SYCLLINT_INFO(native_vector_width_float, std::uint32_t) SYCLLINT_INFO(double_fp_config, std::vector<int>)
SYCLLINT_INFO(host_unified_memory, bool) SYCLLINT_INFO(is_available, bool) SYCLLINT_INFO(profiling_timer_resolution, std::size_t)
SYCLLINT_INFO(extensions, std::vector<std::string>) SYCLLINT_INFO(partition_max_sub_devices, std::uint32_t)
SYCLLINT_INFO(usm_device_allocations, bool) SYCLLINT_INFO(usm_shared_allocations, bool) SYCLLINT_INFO(usm_host_allocations, bool)
template <int Dims = 3> struct max_work_item_sizes { using return_type = id<Dims>; };
}  // namespace device
namespace platform { SYCLLINT_INFO(name, std::string) SYCLLINT_INFO(vendor, std::string) SYCLLINT_INFO(version, std::string) }
namespace queue { SYCLLINT_INFO(reference_count, std::uint32_t) }
namespace kernel_device_specific {
SYCLLINT_INFO(work_group_size, std::size_t) SYCLLINT_INFO(preferred_work_group_size_multiple, std::size_t)
SYCLLINT_INFO(private_mem_size, std::size_t) SYCLLINT_INFO(max_sub_group_size, std::uint32_t)
SYCLLINT_INFO(compile_sub_group_size, std::uint32_t) SYCLLINT_INFO(max_num_sub_groups, std::uint32_t)
}
#undef SYCLLINT_INFO
}  // namespace info

class exception : public std::exception {
 public:
  template <class... T> exception(T &&...);
  const char *what() const noexcept override;
  const std::error_code &code() const noexcept;
  bool has_context() const noexcept;
};
enum class errc : int { success, runtime, kernel, accessor, nd_range, event, kernel_argument, build, invalid, memory_allocation, platform, profiling, feature_not_supported, kernel_not_supported, backend_mismatch };
std::error_code make_error_code(errc) noexcept;
class exception_list {
 public:
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  std::size_t size() const;
  iterator begin() const;
  iterator end() const;
};
using async_handler = std::function<void(exception_list)>;

class platform;
class context;
class device {
 public:
  device();
  template <class T> explicit device(const T &);
  template <class T> typename T::return_type get_info() const;
  template <class T> typename T::return_type get_backend_info() const;
  platform get_platform() const;
  sycl::backend get_backend() const noexcept;
  bool has(aspect) const;
  bool has_extension(const std::string &) const;
  bool is_cpu() const;
  bool is_gpu() const;
  bool is_host() const;
  bool is_accelerator() const;
  template <info::partition_property P, class... T> std::vector<device> create_sub_devices(T...) const;
  static std::vector<device> get_devices(info::device_type = info::device_type::all);
  bool operator==(const device &) const;
  bool operator!=(const device &) const;
};
class platform {
 public:
  platform();
  template <class T> explicit platform(const T &);
  template <class T> typename T::return_type get_info() const;
  std::vector<device> get_devices(info::device_type = info::device_type::all) const;
  static std::vector<platform> get_platforms();
  sycl::backend get_backend() const noexcept;
  bool operator==(const platform &) const;
};
class context {
 public:
  template <class... T> explicit context(const T &...);
  std::vector<device> get_devices() const;
  platform get_platform() const;
  bool operator==(const context &) const;
};
class device_selector {
 public:
  virtual ~device_selector();
  virtual int operator()(const device &) const = 0;
  device select_device() const;
};
#define SYCLLINT_SELECTOR(NAME) class NAME : public device_selector { public: int operator()(const device &) const override; };
SYCLLINT_SELECTOR(default_selector) SYCLLINT_SELECTOR(gpu_selector) SYCLLINT_SELECTOR(cpu_selector)
SYCLLINT_SELECTOR(accelerator_selector) SYCLLINT_SELECTOR(host_selector)
#undef SYCLLINT_SELECTOR
int default_selector_v(const device &);
int gpu_selector_v(const device &);
int cpu_selector_v(const device &);
int accelerator_selector_v(const device &);
template <class... T> std::function<int(const device &)> aspect_selector(const T &...);

class event {
 public:
  event();
  void wait();
  void wait_and_throw();
  static void wait(const std::vector<event> &);
  static void wait_and_throw(const std::vector<event> &);
  std::vector<event> get_wait_list();
  template <class T> typename T::return_type get_info() const;
  template <class T> typename T::return_type get_profiling_info() const;
};

class kernel_id {};
enum class bundle_state : int { input, object, executable };
class kernel {
 public:
  template <class T> typename T::return_type get_info(const device &) const;
};
template <bundle_state State> class kernel_bundle {
 public:
  kernel get_kernel(const kernel_id &) const;
  template <class T> kernel get_kernel() const;
};
template <class T> kernel_id get_kernel_id();
template <bundle_state State, class... T> kernel_bundle<State> get_kernel_bundle(const T &...);
template <class T, class... U> kernel_bundle<bundle_state::executable> get_kernel_bundle(const U &...);

class kernel_handler {
 public:
  template <auto &S> typename std::remove_reference_t<decltype(S)>::value_type get_specialization_constant();
};
template <class T> class specialization_id {
 public:
  using value_type = T;
  template <class... U> constexpr explicit specialization_id(U &&...) {}
};

// ------------------------------------------------------------------------------------------------ pointers, atomics

template <class T, access::address_space Space, access::decorated Decorated> class multi_ptr {
 public:
  using element_type = T;
  multi_ptr();
  template <class U> multi_ptr(const U &);
  T *get() const;
  T *get_raw() const;
  T *get_decorated() const;
  operator T *() const;
  T &operator*() const;
  T *operator->() const;
  T &operator[](std::ptrdiff_t) const;
};
template <class T> using global_ptr = multi_ptr<T, access::address_space::global_space>;
template <class T> using local_ptr = multi_ptr<T, access::address_space::local_space>;
template <class T> using private_ptr = multi_ptr<T, access::address_space::private_space>;
template <class T> using constant_ptr = multi_ptr<T, access::address_space::constant_space>;
template <access::address_space Space, access::decorated Decorated, class T> multi_ptr<T, Space, Decorated> address_space_cast(T *);
template <class T, access::decorated D = access::decorated::legacy> using raw_local_ptr = multi_ptr<T, access::address_space::local_space, D>;

template <class T, memory_order Order = memory_order::relaxed, memory_scope Scope = memory_scope::device,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref {
 public:
  using value_type = T;
  explicit atomic_ref(T &);
  template <class... U> T load(U...) const;
  template <class... U> void store(T, U...) const;
  template <class... U> T exchange(T, U...) const;
  template <class... U> bool compare_exchange_strong(T &, T, U...) const;
  template <class... U> bool compare_exchange_weak(T &, T, U...) const;
  template <class V, class... U> T fetch_add(V, U...) const;
  template <class V, class... U> T fetch_sub(V, U...) const;
  template <class... U> T fetch_and(T, U...) const;
  template <class... U> T fetch_or(T, U...) const;
  template <class... U> T fetch_xor(T, U...) const;
  template <class... U> T fetch_min(T, U...) const;
  template <class... U> T fetch_max(T, U...) const;
  operator T() const;
  T operator=(T) const;
  T operator++() const;
  T operator++(int) const;
  T operator--() const;
  T operator--(int) const;
  template <class V> T operator+=(V) const;
  template <class V> T operator-=(V) const;
  T operator&=(T) const;
  T operator|=(T) const;
  T operator^=(T) const;
};
template <class T, access::address_space Space = access::address_space::global_space> class atomic {
 public:
  template <class P> explicit atomic(P);
  template <class... U> T load(U...) const;
  template <class... U> void store(T, U...);
  template <class... U> T exchange(T, U...);
  template <class... U> bool compare_exchange_strong(T &, T, U...);
  template <class... U> T fetch_add(T, U...);
  template <class... U> T fetch_sub(T, U...);
  template <class... U> T fetch_min(T, U...);
  template <class... U> T fetch_max(T, U...);
  template <class... U> T fetch_or(T, U...);
  template <class... U> T fetch_and(T, U...);
};
void atomic_fence(memory_order, memory_scope);

// ---------------------------------------------------------------------------------------------- buffers, accessors

class handler;
template <class T, int Dims = 1, access_mode Mode = access_mode::read_write, target Target = target::device,
          access::placeholder P = access::placeholder::false_t>
class accessor;
template <class T, int Dims = 1, access_mode Mode = access_mode::read_write> class host_accessor;
template <class T> using buffer_allocator = std::allocator<T>;

template <class T, int Dims = 1, class Allocator = buffer_allocator<std::remove_const_t<T>>, class = void> class buffer {
 public:
  using value_type = T;
  buffer(const range<Dims> &, const property_list & = {});
  template <class... U> buffer(T *, const range<Dims> &, const U &...);
  template <class... U> buffer(const T *, const range<Dims> &, const U &...);
  template <class... U> buffer(const std::shared_ptr<T> &, const range<Dims> &, const U &...);
  template <class C, class = std::enable_if_t<std::is_class_v<C>>, class = decltype(std::declval<C &>().data())>
  buffer(C &, const property_list & = {});
  template <class I, class = decltype(*std::declval<I &>()), class = decltype(++std::declval<I &>())>
  buffer(I, I, const property_list & = {});
  buffer(buffer &, const id<Dims> &, const range<Dims> &);
  template <access_mode Mode, target Target = target::device> accessor<T, Dims, Mode, Target> get_access(handler &);
  template <access_mode Mode, target Target = target::device> accessor<T, Dims, Mode, Target> get_access(handler &, range<Dims>, id<Dims> = {});
  template <access_mode Mode> host_accessor<T, Dims, Mode> get_access();
  template <class... U> accessor<T, Dims> get_access(handler &, U...);
  template <class... U> host_accessor<T, Dims> get_host_access(U...);
  range<Dims> get_range() const;
  std::size_t size() const;
  std::size_t get_count() const;
  std::size_t get_size() const;
  std::size_t byte_size() const;
  template <class D = std::nullptr_t> void set_final_data(D = nullptr);
  void set_write_back(bool = true);
  template <class U, int D, class A> buffer<U, D, A> reinterpret(range<D>) const;
  template <class U, int D = Dims> buffer<U, D> reinterpret(range<D>) const;
  template <class U, int D = Dims> buffer<U, D> reinterpret() const;
  bool is_sub_buffer() const;
};
template <class T, int D, class... U> buffer(const T *, const range<D> &, const U &...) -> buffer<T, D>;
template <class T, int D, class... U> buffer(T *, const range<D> &, const U &...) -> buffer<T, D>;
template <class C, class = decltype(std::declval<C &>().data())> buffer(C &, const property_list & = {}) -> buffer<typename C::value_type, 1>;
template <class I, class = typename std::iterator_traits<I>::value_type> buffer(I, I, const property_list & = {}) -> buffer<typename std::iterator_traits<I>::value_type, 1>;

namespace detail {
template <class T, int Dims> struct row {
  row<T, Dims - 1> operator[](std::size_t) const;
};
template <class T> struct row<T, 0> {};
template <class T> struct row<T, 1> {
  T &operator[](std::size_t) const;
};
template <class T, access_mode Mode> using reached = std::conditional_t<Mode == access_mode::read, const T, T>;
template <class T, int Dims> class accesses {
 public:
  using value_type = T;
  using reference = T &;
  template <int D = Dims, class = std::enable_if_t<(D > 0)>> T &operator[](id<Dims == 0 ? 1 : Dims>) const;
  template <class I, int D = Dims, class = std::enable_if_t<D == 1 && std::is_convertible_v<I, std::size_t>>> T &operator[](I) const;
  template <class I, int D = Dims, class = std::enable_if_t<(D > 1) && std::is_convertible_v<I, std::size_t>>, class = void>
  row<T, D - 1> operator[](I) const;
  template <int D = Dims, class = std::enable_if_t<D == 0>> operator T &() const;
  template <class U, int D = Dims, class = std::enable_if_t<D == 0>> const accesses &operator=(const U &) const;
  range<Dims == 0 ? 1 : Dims> get_range() const;
  std::size_t size() const;
  std::size_t byte_size() const;
  std::size_t get_count() const;
  std::size_t get_size() const;
  T *begin() const;
  T *end() const;

 private:
  void *at_ = nullptr;
  std::size_t ranges_[3 * (Dims == 0 ? 1 : Dims)] = {};
};
}  // namespace detail

template <class T, int Dims, access_mode Mode, target Target, access::placeholder P>
class accessor : public detail::accesses<detail::reached<T, Mode>, Dims> {
 public:
  accessor();
  template <class... U> accessor(U &&...);
  global_ptr<detail::reached<T, Mode>> get_pointer() const;
  template <access::decorated D> multi_ptr<detail::reached<T, Mode>, access::address_space::global_space, D> get_multi_ptr() const;
  id<Dims == 0 ? 1 : Dims> get_offset() const;
  bool is_placeholder() const;
};
template <class T, int Dims, class A, class... U> accessor(buffer<T, Dims, A> &, U &&...) -> accessor<T, Dims>;
template <class T, int Dims, class A> accessor(buffer<T, Dims, A> &, handler &, read_only_tag) -> accessor<const T, Dims, access_mode::read>;
template <class T, int Dims, class A, class U> accessor(buffer<T, Dims, A> &, handler &, write_only_tag, U &&) -> accessor<T, Dims, access_mode::write>;
template <class T, int Dims, access_mode Mode> class host_accessor : public detail::accesses<detail::reached<T, Mode>, Dims> {
 public:
  host_accessor();
  template <class... U> host_accessor(U &&...);
  T *get_pointer() const;
};
template <class T, int Dims, class A, class... U> host_accessor(buffer<T, Dims, A> &, U &&...) -> host_accessor<T, Dims>;
template <class T, int Dims, class A> host_accessor(buffer<T, Dims, A> &, read_only_tag) -> host_accessor<T, Dims, access_mode::read>;
template <class T, int Dims = 1> class local_accessor : public detail::accesses<T, Dims> {
 public:
  local_accessor();
  template <class... U> local_accessor(range<Dims == 0 ? 1 : Dims>, handler &, const U &...);
  template <class I, class = std::enable_if_t<Dims == 1 && std::is_convertible_v<I, std::size_t>>> local_accessor(I, handler &);
  explicit local_accessor(handler &);
  local_ptr<T> get_pointer() const;
  template <access::decorated D> multi_ptr<T, access::address_space::local_space, D> get_multi_ptr() const;
};
class stream {
 public:
  stream(std::size_t, std::size_t, handler &, const property_list & = {});
  template <class T> const stream &operator<<(const T &) const;
};
enum class stream_manipulator : int { flush, endl, hex, dec };
inline constexpr stream_manipulator endl = stream_manipulator::endl;
inline constexpr stream_manipulator flush = stream_manipulator::flush;

// ------------------------------------------------------------------------------------------------------ submitting

template <class T = void> struct plus { T operator()(const T &a, const T &b) const; };
template <> struct plus<void> { template <class T, class U> auto operator()(const T &a, const U &b) const { return a + b; } };
#define SYCLLINT_FUNCTION(NAME)                                                                  \
  template <class T = void> struct NAME { T operator()(const T &, const T &) const; };           \
  template <> struct NAME<void> { template <class T> T operator()(const T &, const T &) const; };
SYCLLINT_FUNCTION(multiplies) SYCLLINT_FUNCTION(bit_and) SYCLLINT_FUNCTION(bit_or) SYCLLINT_FUNCTION(bit_xor)
SYCLLINT_FUNCTION(logical_and) SYCLLINT_FUNCTION(logical_or) SYCLLINT_FUNCTION(minimum) SYCLLINT_FUNCTION(maximum)
#undef SYCLLINT_FUNCTION
template <class F, class T> struct known_identity { static constexpr T value{}; };
template <class F, class T> inline constexpr T known_identity_v = known_identity<F, T>::value;
template <class T> class reducer {
 public:
  template <class U> reducer &combine(const U &);
  template <class U> reducer &operator+=(const U &);
  template <class U> reducer &operator*=(const U &);
  template <class U> reducer &operator|=(const U &);
  template <class U> reducer &operator&=(const U &);
  template <class U> reducer &operator^=(const U &);
  reducer &operator++();
  reducer &operator[](std::size_t);
};
template <class T> struct reduction_object { using value_type = T; };
template <class T, int D, class A, class... U> reduction_object<T> reduction(buffer<T, D, A>, handler &, U &&...);
template <class T, class... U> reduction_object<T> reduction(T *, U &&...);
template <class T, int D, access_mode M, target G, access::placeholder P, class... U> reduction_object<T> reduction(accessor<T, D, M, G, P>, U &&...);
namespace detail {
struct unnamed;
template <class T> T made();
}  // namespace detail

class handler {
 public:
  template <class Name = detail::unnamed, int D, class... T> void parallel_for(range<D>, T &&...) {}
  template <class Name = detail::unnamed, int D, class... T> void parallel_for(nd_range<D>, T &&...) {}
  template <class Name = detail::unnamed, class I, class... T, class = std::enable_if_t<std::is_integral_v<I>>> void parallel_for(I, T &&...) {}
  template <class Name = detail::unnamed, int D, class K> void parallel_for(range<D>, id<D>, const K &) {}
  template <class Name = detail::unnamed, int D, class... T> void parallel_for_work_group(range<D>, T &&...) {}
  template <class Name = detail::unnamed, class... T> void single_task(T &&...) {}
  template <class F> void host_task(F &&) {}
  template <class... T> void depends_on(const T &...);
  template <class... T> void require(T &&...) {}
  template <class... T> void copy(T &&...) {}
  template <class... T> void fill(T &&...) {}
  template <class... T> void update_host(T &&...) {}
  void memcpy(void *, const void *, std::size_t);
  void memset(void *, int, std::size_t);
  void prefetch(void *, std::size_t);
  void mem_advise(const void *, std::size_t, int);
  template <class... T> void set_arg(T &&...) {}
  template <class... T> void set_args(T &&...) {}
  template <auto &S, class V> void set_specialization_constant(V);
  template <class... T> void use_kernel_bundle(const T &...);
  void ext_oneapi_barrier();
};

class queue {
 public:
  queue();
  template <class T, class... U, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, queue>>> explicit queue(const T &, const U &...);
  queue(const queue &);
  queue &operator=(const queue &);
  template <class F> event submit(F group) {
    handler *here = nullptr;
    group(*here);
    return {};
  }
  template <class F> event submit(F group, const queue &) { return submit(group); }
  void wait();
  void wait_and_throw();
  void throw_asynchronous();
  device get_device() const;
  context get_context() const;
  sycl::backend get_backend() const noexcept;
  bool is_in_order() const;
  bool is_host() const;
  bool ext_oneapi_empty() const;
  template <class T> bool has_property() const;
  template <class T> typename T::return_type get_info() const;
  template <class Name = detail::unnamed, int D, class... T> event parallel_for(range<D>, T &&...) { return {}; }
  template <class Name = detail::unnamed, int D, class... T> event parallel_for(nd_range<D>, T &&...) { return {}; }
  template <class Name = detail::unnamed, class I, class... T, class = std::enable_if_t<std::is_integral_v<I>>> event parallel_for(I, T &&...) { return {}; }
  template <class Name = detail::unnamed, class... T> event single_task(T &&...) { return {}; }
  template <class... T> event memcpy(void *, const void *, std::size_t, const T &...);
  template <class... T> event memset(void *, int, std::size_t, const T &...);
  template <class U, class... T> event fill(void *, const U &, std::size_t, const T &...);
  template <class U, class... T> event copy(const U *, U *, std::size_t, const T &...);
  template <class... T> event copy(T &&...) { return {}; }
  template <class... T> event prefetch(const void *, std::size_t, const T &...);
  template <class... T> event mem_advise(const void *, std::size_t, int, const T &...);
  template <class... T> event ext_oneapi_memcpy2d(T &&...) { return {}; }
  template <class... T> event ext_oneapi_submit_barrier(const T &...);
  bool operator==(const queue &) const;
  bool operator!=(const queue &) const;
};

namespace usm { enum class alloc : int { host, device, shared, unknown }; }
template <class T, class... U> T *malloc_device(std::size_t, const U &...);
template <class T, class... U> T *malloc_shared(std::size_t, const U &...);
template <class T, class... U> T *malloc_host(std::size_t, const U &...);
template <class T, class... U> T *malloc(std::size_t, const U &...);
template <class... U> void *malloc_device(std::size_t, const U &...);
template <class... U> void *malloc_shared(std::size_t, const U &...);
template <class... U> void *malloc_host(std::size_t, const U &...);
template <class... U> void *malloc(std::size_t, const U &...);
template <class T, class... U> T *aligned_alloc_device(std::size_t, std::size_t, const U &...);
template <class T, class... U> T *aligned_alloc_shared(std::size_t, std::size_t, const U &...);
template <class T, class... U> T *aligned_alloc_host(std::size_t, std::size_t, const U &...);
template <class... U> void *aligned_alloc_device(std::size_t, std::size_t, const U &...);
template <class... U> void *aligned_alloc_shared(std::size_t, std::size_t, const U &...);
template <class... U> void *aligned_alloc_host(std::size_t, std::size_t, const U &...);
template <class... U> void free(void *, const U &...);
template <class... U> usm::alloc get_pointer_type(const void *, const U &...);
template <class T, usm::alloc Kind, std::size_t Align = 0> class usm_allocator {
 public:
  using value_type = T;
  template <class U> struct rebind { using other = usm_allocator<U, Kind, Align>; };
  template <class... U> usm_allocator(const U &...) noexcept;
  T *allocate(std::size_t);
  void deallocate(T *, std::size_t);
  template <class U> bool operator==(const usm_allocator<U, Kind, Align> &) const;
  template <class U> bool operator!=(const usm_allocator<U, Kind, Align> &) const;
};

// ------------------------------------------------------------------------------------------------- group functions

template <class G> void group_barrier(G, memory_scope = G::fence_scope);
template <class G, class T, class... U> T group_broadcast(G, T, const U &...);
template <class G> bool any_of_group(G, bool);
template <class G> bool all_of_group(G, bool);
template <class G> bool none_of_group(G, bool);
template <class G, class T, class F> bool any_of_group(G, T, F) { return detail::made<bool>(); }
template <class G, class T, class F> bool all_of_group(G, T, F) { return detail::made<bool>(); }
template <class G, class T> T shift_group_left(G, T, std::size_t = 1);
template <class G, class T> T shift_group_right(G, T, std::size_t = 1);
template <class G, class T> T permute_group_by_xor(G, T, std::size_t);
template <class G, class T> T select_from_group(G, T, id<1>);
template <class G, class T, class F> T reduce_over_group(G, T, F) { return detail::made<T>(); }
template <class G, class T, class U, class F> U reduce_over_group(G, T, U, F) { return detail::made<U>(); }
template <class G, class T, class F> T exclusive_scan_over_group(G, T, F) { return detail::made<T>(); }
template <class G, class T, class U, class F> U exclusive_scan_over_group(G, T, U, F) { return detail::made<U>(); }
template <class G, class T, class F> T inclusive_scan_over_group(G, T, F) { return detail::made<T>(); }
template <class G, class T, class F, class U> U inclusive_scan_over_group(G, T, F, U) { return detail::made<U>(); }
template <class G, class P, class F> std::remove_cv_t<std::remove_pointer_t<P>> joint_reduce(G, P, P, F) { return detail::made<std::remove_cv_t<std::remove_pointer_t<P>>>(); }
template <class G, class P, class T, class F> T joint_reduce(G, P, P, T, F) { return detail::made<T>(); }
template <class G, class P, class O, class... U> O joint_exclusive_scan(G, P, P, O, U...);
template <class G, class P, class O, class... U> O joint_inclusive_scan(G, P, P, O, U...);

// ----------------------------------------------------------------------------------------------------- mathematics

namespace detail {
// Scalars meet in their common type, and anything met with a vector is one.
template <class T, class U, class = void> struct met { using type = T; };
template <class T, class U> struct met<T, U, std::enable_if_t<std::is_arithmetic_v<T> && std::is_arithmetic_v<U>>> { using type = std::common_type_t<T, U>; };
template <class T, class U, int N> struct met<T, vec<U, N>, std::enable_if_t<std::is_arithmetic_v<T>>> { using type = vec<U, N>; };
template <class T, class U> using met_t = typename met<T, U>::type;
}  // namespace detail
#define SYCLLINT_MATHS(NAME)                                                                             \
  template <class T> T NAME(T);                                                                          \
  template <class T, class U> detail::met_t<T, U> NAME(T, U);                                            \
  template <class T, class U, class V> detail::met_t<detail::met_t<T, U>, V> NAME(T, U, V);
#define SYCLLINT_ALL(X)                                                                                         \
  X(acos) X(acosh) X(acospi) X(asin) X(asinh) X(asinpi) X(atan) X(atan2) X(atanh) X(atanpi) X(cbrt) X(ceil)     \
  X(copysign) X(cos) X(cosh) X(cospi) X(erf) X(erfc) X(exp) X(exp2) X(exp10) X(expm1) X(fabs) X(fdim) X(floor)  \
  X(fma) X(fmax) X(fmin) X(fmod) X(hypot) X(lgamma) X(log) X(log2) X(log10) X(log1p) X(logb) X(mad) X(nextafter) \
  X(pow) X(powr) X(remainder) X(rint) X(round) X(rsqrt) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan) X(tanh) X(tanpi) \
  X(tgamma) X(trunc) X(abs) X(abs_diff) X(add_sat) X(sub_sat) X(hadd) X(rhadd) X(clamp) X(clz) X(ctz) X(max)    \
  X(min) X(mul_hi) X(mad_hi) X(mad_sat) X(mul24) X(mad24) X(popcount) X(rotate) X(degrees) X(mix) X(radians)    \
  X(step) X(smoothstep) X(sign) X(cross) X(normalize) X(fast_normalize) X(bitselect)
SYCLLINT_ALL(SYCLLINT_MATHS)
namespace native {
#define SYCLLINT_FAST(X)                                                                                         \
  X(cos) X(divide) X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(powr) X(recip) X(rsqrt) X(sin) X(sqrt) X(tan) X(tanh)
SYCLLINT_FAST(SYCLLINT_MATHS)
}
namespace half_precision { SYCLLINT_FAST(SYCLLINT_MATHS) }
#undef SYCLLINT_MATHS
#undef SYCLLINT_ALL
#undef SYCLLINT_FAST
template <class T, int N> T dot(vec<T, N>, vec<T, N>);
template <class T, int N> T length(vec<T, N>);
template <class T, int N> T distance(vec<T, N>, vec<T, N>);
template <class T, int N> T fast_length(vec<T, N>);
template <class T, int N> T fast_distance(vec<T, N>, vec<T, N>);
float dot(float, float);
template <class T> T fract(T, T *);
template <class T, class P> T fract(T, P);
template <class T, class P> T frexp(T, P);
template <class T, class P> T modf(T, P);
template <class T, class P> T sincos(T, P);
template <class T> T ldexp(T, int);
template <class T> int ilogb(T);
template <class T> int isnan(T);
template <class T> int isinf(T);
template <class T> int isfinite(T);
template <class T> int isnormal(T);
template <class T> int signbit(T);
template <class T> int any(T);
template <class T> int all(T);
template <class T, class U, class V> T select(T, U, V);
template <class T, class U> U nan(T);
template <class To, class From> To bit_cast(const From &);
template <class T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <class T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;
template <class T> struct is_group : std::false_type {};
template <class T> inline constexpr bool is_group_v = is_group<T>::value;

namespace ext::oneapi {
struct sub_group_mask {
  bool test(id<1>) const;
  bool all() const;
  bool any() const;
  bool none() const;
  std::uint32_t count() const;
  std::uint32_t size() const;
  id<1> find_low() const;
  id<1> find_high() const;
  template <class T> void extract_bits(T &, id<1> = 0) const;
};
template <class G> sub_group_mask group_ballot(G, bool = true);
template <class T, class G, class... U> multi_ptr<T, access::address_space::local_space> group_local_memory(G, U &&...);
template <class T, class G> multi_ptr<T, access::address_space::local_space> group_local_memory_for_overwrite(G);
template <class T = void> using plus = sycl::plus<T>;
template <class T = void> using minimum = sycl::minimum<T>;
template <class T = void> using maximum = sycl::maximum<T>;
class bfloat16 {
 public:
  bfloat16() = default;
  bfloat16(float);
  operator float() const;

 private:
  std::uint16_t bits_ = 0;
};
template <class T, memory_order O, memory_scope S, access::address_space A> using atomic_ref = sycl::atomic_ref<T, O, S, A>;
using sub_group = sycl::sub_group;
namespace experimental {
template <class... T> struct properties { template <class... U> properties(U...); };
template <class... T> properties(T...) -> properties<T...>;
template <std::size_t... N> struct work_group_size_key {};
template <std::size_t... N> inline constexpr work_group_size_key<N...> work_group_size{};
template <std::uint32_t N> inline constexpr work_group_size_key<N> sub_group_size{};
struct empty_properties_t {};
sub_group this_sub_group();
template <int D> nd_item<D> this_nd_item();
template <int D> group<D> this_group();
template <class... T> int printf(const char *, T...);
}  // namespace experimental
}  // namespace ext::oneapi
namespace ext::oneapi::this_work_item {
sub_group get_sub_group();
template <int D> nd_item<D> get_nd_item();
template <int D> group<D> get_work_group();
}
namespace ext::intel {
namespace experimental {
template <unsigned N> inline constexpr int grf_size = N;
inline constexpr int grf_size_automatic = 0;
}
namespace info::device {
struct device_id { using return_type = std::uint32_t; };
struct free_memory { using return_type = std::uint64_t; };
struct gpu_eu_count { using return_type = std::uint32_t; };
struct gpu_eu_simd_width { using return_type = std::uint32_t; };
struct gpu_hw_threads_per_eu { using return_type = std::uint32_t; };
}
}  // namespace ext::intel

}  // namespace _V1
}  // namespace sycl

namespace std {
template <> struct numeric_limits<sycl::half> : numeric_limits<float> {};
template <> struct is_error_code_enum<sycl::errc> : true_type {};
}
