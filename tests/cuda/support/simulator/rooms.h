// Shared memory of a block: what a module declares, and room with guards behind it.
#pragma once
#include <cstddef>
#include <sys/mman.h>

namespace simulator {
namespace {
struct Span {
  char* begin;
  size_t bytes;
};

// Memory whose last byte stands before a guard page.
struct GuardedRoom {
  char* map;
  size_t map_bytes;
  unsigned char* begin;

  explicit GuardedRoom(size_t bytes) {
    const size_t page = 4096, rounded = (bytes + 15) & ~size_t(15), inside = (rounded + page - 1) / page * page;
    map_bytes = inside + page;
    map = (char*)mmap(nullptr, map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(map + inside, page, PROT_NONE);
    begin = (unsigned char*)map + inside - rounded;
  }
  ~GuardedRoom() { munmap(map, map_bytes); }
};
}  // namespace
}  // namespace simulator
