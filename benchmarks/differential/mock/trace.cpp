// Compiled without instrumentation. The program is compiled with -fsanitize=thread, whose hooks are defined here instead
// of by the sanitizer's runtime.
#include "trace.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace trace {
using Word = std::uintptr_t;  // an address without its last two bits

// Addresses that nothing else has, below and above each block: an index of 32 bits, signed or not, ends in them.
constexpr std::size_t BELOW = std::size_t{16} << 30, ABOVE = std::size_t{32} << 30;
constexpr unsigned SECONDS = 20;

struct Block {
  Word begin, end;
  Kind kind;
  bool freed = false;
};
struct Command {
  int queue;
  bool done = false;
  std::set<int> after{};
  std::set<Word> read{}, written{};
};
struct Access {
  long group, item;
  int interval;
  bool is_write;
};

std::vector<Block> blocks;
std::vector<Command> commands;
std::unordered_map<int, int> last_of_queue;
std::unordered_map<Word, std::vector<Access>> accesses;  // of the running command
std::vector<int> barriers, first_barriers;               // lines, of this work-item and of its group's first
std::set<std::string> facts;
Access current;
int queues = 0, running = -1;

// Containers of this file may be instrumented: the linker keeps one instance of a template. Not traced while this lives.
bool busy = true;
struct Quiet {
  bool before = busy;
  Quiet() { busy = true; }
  ~Quiet() { busy = before; }
};

static Block* block_of(Word word) {
  for (auto& each : blocks)
    if (word >= each.begin - BELOW && word < each.begin + ABOVE) return &each;
  return nullptr;
}

static bool holds(const Block* block, Word word) {
  return block && !block->freed && word >= block->begin && word < block->end;
}

static bool touches(const Command& command, Word word, bool is_write) {
  return command.written.count(word) || (is_write && command.read.count(word));
}

static void access_in_kernel(Word word, bool is_write, const Block& block) {
  const bool is_local = block.kind == local;
  auto& earlier = accesses[word];
  bool is_known = false;
  for (auto& each : earlier) {
    const bool same_group = each.group == current.group, same_item = same_group && each.item == current.item;
    const bool concurrent = same_group ? !same_item && each.interval == current.interval : !is_local;
    if (concurrent && (is_write || each.is_write)) facts.insert(is_local ? "local-race" : "global-race");
    if (same_item && each.interval == current.interval) is_known = true, each.is_write |= is_write;
  }
  if (!is_known) earlier.push_back({current.group, current.item, current.interval, is_write});
}

static void access_words(const void* memory, std::size_t bytes, bool is_write, bool is_copy) {
  if (busy) return;
  Quiet quiet;
  const auto begin = reinterpret_cast<Word>(memory);
  for (Word word = begin & ~Word{3}; word < begin + bytes; word += 4) {
    const Block* block = block_of(word);
    const bool inside = holds(block, word), near = block && !block->freed;
    if (running < 0) {
      if (inside && block->kind == device) facts.insert("device-memory-on-host");
      for (auto& each : commands)
        if (!each.done && touches(each, word, is_write)) facts.insert("early-host-access");
      continue;
    }
    if (near && !inside) facts.insert(block->kind == local ? "local-index" : "global-index");
    if (near && !is_copy) access_in_kernel(word, is_write, *block);
    if ((inside && block->kind != local) || is_copy)
      (is_write ? commands[running].written : commands[running].read).insert(word);
  }
}

void access(const void* memory, std::size_t bytes, bool is_write) {
  access_words(memory, bytes, is_write, true);
}

void* allocate(std::size_t bytes, Kind kind) {
  Quiet quiet;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* reserved = mmap(nullptr, BELOW + ABOVE, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (reserved == MAP_FAILED) std::perror("mmap"), _exit(1);
  int* memory = reinterpret_cast<int*>(static_cast<char*>(reserved) + BELOW);
  std::fill(memory, memory + bytes / sizeof(int), 1);
  const auto begin = reinterpret_cast<Word>(memory);
  blocks.push_back({begin, begin + bytes, kind});
  return memory;
}

void release(void* memory) {
  Quiet quiet;
  for (auto& block : blocks) {
    if (block.begin != reinterpret_cast<Word>(memory)) continue;
    for (auto& each : commands)
      for (auto* words : {&each.read, &each.written})
        for (Word word : *words)
          if (!each.done && holds(&block, word)) facts.insert("early-free");
    block.freed = true;
  }
}

int new_queue() { return queues++; }

int new_command(int queue, bool in_order) {
  Quiet quiet;
  const int number = static_cast<int>(commands.size());
  commands.push_back({queue});
  if (in_order && last_of_queue.count(queue)) depend(number, last_of_queue[queue]);
  return last_of_queue[queue] = number;
}

void depend(int command, int on) {
  Quiet quiet;
  if (on < 0) return;
  const auto before = commands[on].after;
  commands[command].after.insert(before.begin(), before.end());
  commands[command].after.insert(on);
}

void start(int command) {
  Quiet quiet;
  running = command;
  accesses.clear();
  current = {};
}

void finish(int command) {
  Quiet quiet;
  running = -1;
  const auto& now = commands[command];
  for (int other = 0; other < static_cast<int>(commands.size()); ++other) {
    const auto& each = commands[other];
    if (other == command || each.done || now.after.count(other)) continue;
    for (Word word : now.written)
      if (touches(each, word, true)) facts.insert("unordered-commands");
    for (Word word : now.read)
      if (touches(each, word, false)) facts.insert("unordered-commands");
  }
}

void wait_for_command(int command) {
  Quiet quiet;
  if (command < 0) return;
  commands[command].done = true;
  for (int each : commands[command].after) commands[each].done = true;
}

void wait_for_queue(int queue) {
  for (int each = 0; each < static_cast<int>(commands.size()); ++each)
    if (commands[each].queue == queue) wait_for_command(each);
}

void begin_item(long group, long item) {
  Quiet quiet;
  current = {group, item, 0, false};
  barriers.clear();
}

void end_item() {
  Quiet quiet;
  if (current.item == 0) first_barriers = barriers;
  if (barriers != first_barriers) facts.insert("divergent-barrier");
}

void barrier(int line) {
  Quiet quiet;
  ++current.interval;
  barriers.push_back(line);
}

void check_index(long index, std::size_t extent) {
  Quiet quiet;
  if (index < 0 || index >= static_cast<long>(extent)) facts.insert("local-index");
}

void launch(int line, int dims, const std::size_t* global, const std::size_t* local) {
  Quiet quiet;
  std::printf("launch %d %d", line, dims);
  for (int d = 0; d < dims; ++d) std::printf(" %zu", global[d]);
  for (int d = 0; local && d < dims; ++d) std::printf(" %zu", local[d]);
  std::printf("\n");
}

void run(int program, const std::function<void()>& call) {
  std::fflush(stdout);
  if (fork()) {
    wait(nullptr);
    return;
  }
  alarm(SECONDS);
  busy = false;
  call();
  busy = true;
  for (auto& each : commands)
    for (auto* words : {&each.read, &each.written})
      for (Word word : *words)
        if (!each.done && !block_of(word)) facts.insert("memory-out-of-scope");
  std::printf("program %d", program);
  for (auto& each : facts) std::printf(" %s", each.c_str());
  std::printf("\n");
  std::fflush(stdout);
  _exit(0);
}
}

// The hooks of -fsanitize=thread.
extern "C" {
#define HOOK(name, bytes, is_write) \
  void __tsan_##name##bytes(void* memory) { trace::access_words(memory, bytes, is_write, false); }
#define HOOKS(bytes)                                                               \
  HOOK(read, bytes, false) HOOK(write, bytes, true) HOOK(unaligned_read, bytes, false) \
  HOOK(unaligned_write, bytes, true)
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)
void __tsan_read_range(void* memory, std::size_t bytes) { trace::access_words(memory, bytes, false, false); }
void __tsan_write_range(void* memory, std::size_t bytes) { trace::access_words(memory, bytes, true, false); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void*) {}

// --wrap=memset: it has no hook.
void* __real_memset(void* memory, int value, std::size_t bytes);
void* __wrap_memset(void* memory, int value, std::size_t bytes) {
  trace::access_words(memory, bytes, true, false);
  return __real_memset(memory, value, bytes);
}
}
