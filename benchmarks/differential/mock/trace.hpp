// What the mock SYCL reports to: it notes each access of a program to memory, and prints what happened.
#pragma once
#include <cstddef>
#include <functional>

namespace trace {
enum Kind { device, shared, host, local };
void* allocate(std::size_t bytes, Kind kind);
void release(void* memory);

int new_queue();
int new_command(int queue, bool in_order);
void depend(int command, int on);
void start(int command);  // accesses belong to the command from here
void finish(int command);
void wait_for_command(int command);
void wait_for_queue(int queue);
void access(const void* memory, std::size_t bytes, bool is_write);  // by a copy; those of code are instrumented

void begin_item(long group, long item);
void end_item();
void barrier(int line);
void check_index(long index, std::size_t extent);  // of one dimension of local memory
void launch(int line, int dims, const std::size_t* global, const std::size_t* local);

void run(int program, const std::function<void()>& call);  // in a process of its own, ended after some seconds
}
