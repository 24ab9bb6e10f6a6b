// The part of SYCL that the generated programs use. Commands run where they are submitted, work-items one after the
// other, and `trace` notes what they access: what could have run at once is worked out from that.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../trace.hpp"

namespace sycl {
using std::size_t;

template <int D> struct indices {
  size_t at[3];
  size_t operator[](int d) const { return at[d]; }
  size_t &operator[](int d) { return at[d]; }
  size_t get(int d) const { return at[d]; }
};
template <int D> struct range : indices<D> {
  range(size_t a) : indices<D>{{a, 1, 1}} {}
  range(size_t a, size_t b) : indices<D>{{a, b, 1}} {}
  range(size_t a, size_t b, size_t c) : indices<D>{{a, b, c}} {}
  size_t size() const { return this->at[0] * this->at[1] * this->at[2]; }
  template <class F> range combined(const range &other, F f) const {
    range made = *this;
    for (int d = 0; d < D; ++d) made[d] = f(made[d], other[d]);
    return made;
  }
  friend range operator*(const range &a, const range &b) { return a.combined(b, std::multiplies<size_t>()); }
  friend range operator/(const range &a, const range &b) { return a.combined(b, std::divides<size_t>()); }
  friend range operator+(const range &a, const range &b) { return a.combined(b, std::plus<size_t>()); }
};
range(size_t) -> range<1>;
range(size_t, size_t) -> range<2>;
range(size_t, size_t, size_t) -> range<3>;
template <int D> struct id : indices<D> {
  id(size_t a = 0, size_t b = 0, size_t c = 0) : indices<D>{{a, b, c}} {}
  operator size_t() const requires(D == 1) { return this->at[0]; }
  size_t linear(const range<D> &within) const {
    size_t sum = 0;
    for (int d = 0; d < D; ++d) sum = sum * within[d] + this->at[d];
    return sum;
  }
};
template <int D> struct nd_range {
  range<D> global, local;
  nd_range(range<D> g, range<D> l) : global(g), local(l) {}
  range<D> get_global_range() const { return global; }
  range<D> get_local_range() const { return local; }
};
nd_range(range<1>, range<1>) -> nd_range<1>;

namespace access {
enum class fence_space { local_space, global_space, global_and_local };
enum class decorated { no, yes, legacy };
}
template <int D> struct group {
  range<D> groups, local;
  id<D> number, item;
  size_t get_group_id(int d) const { return number[d]; }
  size_t get_local_id(int d) const { return item[d]; }
  size_t get_local_range(int d) const { return local[d]; }
  size_t get_local_linear_id() const { return item.linear(local); }
  size_t get_local_linear_range() const { return local.size(); }
};
template <int D> void group_barrier(group<D>, int line = __builtin_LINE()) { trace::barrier(line); }
template <int D> struct nd_item : private group<D> {
  nd_item(const group<D> &of) : group<D>(of) {}
  using group<D>::get_local_range, group<D>::get_local_linear_id;
  group<D> get_group() const { return *this; }
  size_t get_group(int d) const { return this->number[d]; }
  size_t get_group_range(int d) const { return this->groups[d]; }
  id<D> get_local_id() const { return this->item; }
  size_t get_local_id(int d) const { return this->item[d]; }
  size_t get_global_id(int d) const { return this->number[d] * this->local[d] + this->item[d]; }
  size_t get_global_range(int d) const { return this->groups[d] * this->local[d]; }
  size_t get_global_linear_id() const {
    return id<D>(get_global_id(0), get_global_id(1), get_global_id(2)).linear(this->groups * this->local);
  }
  void barrier(access::fence_space = access::fence_space::global_and_local, int line = __builtin_LINE()) const {
    trace::barrier(line);
  }
};
template <int D> struct item : id<D> {
  item(const id<D> &of) : id<D>(of) {}
  size_t get_id(int d) const { return this->at[d]; }
  size_t get_linear_id() const requires(D == 1) { return this->at[0]; }
};

struct event {
  int command = -1;
  void wait() const { trace::wait_for_command(command); }
  void wait_and_throw() const { wait(); }
  static void wait(const std::vector<event> &all) { for (auto &each : all) each.wait(); }
};
struct events : std::vector<event> {
  events() = default;
  events(const event &one) : std::vector<event>{one} {}
  events(std::initializer_list<event> all) : std::vector<event>(all) {}
};

constexpr size_t MOST_ITEMS = 1 << 16;  // of a launch that is run; of a larger one, only the sizes are noted
template <int D, class F> void for_each(const range<D> &within, F f) {
  for (size_t a = 0; a < within.at[0]; ++a)
    for (size_t b = 0; b < within.at[1]; ++b)
      for (size_t c = 0; c < within.at[2]; ++c) f(id<D>(a, b, c));
}
template <int D, class K> void execute(const range<D> &global, const K &kernel) {
  for_each(global, [&](const id<D> &i) {
    trace::begin_item(static_cast<long>(i.linear(global)), 0);
    if constexpr (std::is_invocable_v<K, id<D>>) kernel(i);
    else kernel(item<D>(i));
  });
}
template <int D, class K> void execute(const nd_range<D> &within, const K &kernel) {
  const range<D> groups = within.global / within.local;
  for_each(groups, [&](const id<D> &number) {
    for_each(within.local, [&](const id<D> &item) {
      trace::begin_item(static_cast<long>(number.linear(groups)), static_cast<long>(item.linear(within.local)));
      kernel(nd_item<D>(group<D>{groups, within.local, number, item}));
      trace::end_item();
    });
  });
}
template <int D> size_t items(const range<D> &global) { return global.size(); }
template <int D> size_t items(const nd_range<D> &of) { return of.global.size(); }
template <int D> void record(int line, const range<D> &global) { trace::launch(line, D, global.at, nullptr); }
template <int D> void record(int line, const nd_range<D> &of) { trace::launch(line, D, of.global.at, of.local.at); }

class handler {
  int command;
  template <class F> void run(F work) {
    trace::start(command);
    work();
    trace::finish(command);
  }

public:
  explicit handler(int number) : command(number) {}
  void depends_on(const events &all) { for (auto &each : all) trace::depend(command, each.command); }
  template <class R, class K> void parallel_for(const R &within, const K &kernel, int line = __builtin_LINE()) {
    record(line, within);
    run([&] { if (items(within) <= MOST_ITEMS) execute(within, kernel); });
  }
  template <class K> void single_task(const K &kernel) { run(kernel); }
  void memcpy(void *to, const void *from, size_t bytes) {
    run([&] { trace::access(from, bytes, false), trace::access(to, bytes, true); });
  }
  void memset(void *to, int, size_t bytes) { run([&] { trace::access(to, bytes, true); }); }
  template <class T> void fill(T *to, T, size_t count) { memset(to, 0, count * sizeof(T)); }
  template <class T> void copy(const T *from, T *to, size_t count) { memcpy(to, from, count * sizeof(T)); }
};

namespace property::queue {
struct in_order {};
struct enable_profiling {};
}
struct property_list {
  bool in_order;
  template <class... T> property_list(T...) : in_order((std::is_same_v<T, property::queue::in_order> || ...)) {}
};
class queue {
  int number = trace::new_queue();
  bool in_order = false;

public:
  queue() {}
  queue(const property_list &all) : in_order(all.in_order) {}
  queue(property::queue::in_order) : in_order(true) {}
  template <class F> event submit(F work, const events &after = {}) {
    const event done{trace::new_command(number, in_order)};
    handler h(done.command);
    h.depends_on(after);
    work(h);
    return done;
  }
  template <class R, class K> event parallel_for(const R &within, const K &kernel, int line = __builtin_LINE()) {
    return submit([&](handler &h) { h.parallel_for(within, kernel, line); });
  }
  template <class R, class K>
  event parallel_for(const R &within, const events &after, const K &kernel, int line = __builtin_LINE()) {
    return submit([&](handler &h) { h.parallel_for(within, kernel, line); }, after);
  }
  template <class K> event single_task(const K &kernel) {
    return submit([&](handler &h) { h.single_task(kernel); });
  }
  event memcpy(void *to, const void *from, size_t bytes, const events &after = {}) {
    return submit([&](handler &h) { h.memcpy(to, from, bytes); }, after);
  }
  event memset(void *to, int value, size_t bytes, const events &after = {}) {
    return submit([&](handler &h) { h.memset(to, value, bytes); }, after);
  }
  template <class T> event fill(T *to, T value, size_t count, const events &after = {}) {
    return submit([&](handler &h) { h.fill(to, value, count); }, after);
  }
  template <class T> event copy(const T *from, T *to, size_t count, const events &after = {}) {
    return submit([&](handler &h) { h.copy(from, to, count); }, after);
  }
  void wait() { trace::wait_for_queue(number); }
  void wait_and_throw() { wait(); }
};

template <class T> T *allocated(size_t count, trace::Kind kind) {
  return static_cast<T *>(trace::allocate(count * sizeof(T), kind));
}
template <class T> T *malloc_device(size_t count, const queue &) { return allocated<T>(count, trace::device); }
template <class T> T *malloc_shared(size_t count, const queue &) { return allocated<T>(count, trace::shared); }
template <class T> T *malloc_host(size_t count, const queue &) { return allocated<T>(count, trace::host); }
inline void free(void *memory, const queue &) { trace::release(memory); }

template <class T, int D> class local_accessor {
  range<D> extents;
  T *memory;
  struct row {
    T *memory;
    size_t extent;
    T &operator[](long column) const { return trace::check_index(column, extent), memory[column]; }
  };
  struct multi_ptr {
    T *memory;
    T *get() const { return memory; }
  };

public:
  local_accessor(const range<D> &r, handler &) : extents(r), memory(allocated<T>(r.size(), trace::local)) {}
  T &operator[](long index) const requires(D == 1) { return memory[index]; }
  row operator[](long index) const requires(D == 2) {
    return trace::check_index(index, extents[0]), row{memory + index * static_cast<long>(extents[1]), extents[1]};
  }
  template <access::decorated> multi_ptr get_multi_ptr() const { return {memory}; }
};

template <class T> T min(T a, T b) { return std::min(a, b); }
template <class T> T max(T a, T b) { return std::max(a, b); }
template <class T> T clamp(T a, T low, T high) { return std::clamp(a, low, high); }
}
