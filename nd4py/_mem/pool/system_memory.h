// Memory of the operating system: mappings, addresses, aligned blocks, what lies in physical memory.
// Linux, macOS and Windows; what is the same on all stands first, or last.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef _WIN32
#include "system_windows.h"
#include <malloc.h>
#include <psapi.h>
#else
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <mach/mach.h>
#endif

static const size_t HUGE_PAGE = 2 << 20;

#ifdef _WIN32
// Windows gives a mapping back whole, so that nothing can be cut off to begin on a huge page; it keeps those for
// programs with a privilege.
static inline void* map_block(size_t n_bytes) {
  return VirtualAlloc(NULL, n_bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
static inline void unmap_block(void* block, size_t n_bytes) {
  (void)n_bytes;
  VirtualFree(block, 0, MEM_RELEASE);
}
// Committed at once: pages are made when they are touched, but count against the size of the page file before.
static inline char* reserve_addresses(size_t n_bytes) { return (char*)map_block(n_bytes); }
static inline void return_addresses(char* start, size_t n_bytes) { unmap_block(start, n_bytes); }
static inline void forget_pages(char* start, size_t n_bytes) {
  const size_t page = 4096;  // as everywhere on x86-64 and ARM
  char* first = (char*)(((uintptr_t)start + page - 1) & ~(uintptr_t)(page - 1));
  char* end = (char*)((uintptr_t)(start + n_bytes) & ~(uintptr_t)(page - 1));
  if (first >= end) return;
  VirtualFree(first, end - first, MEM_DECOMMIT);
  VirtualAlloc(first, end - first, MEM_COMMIT, PAGE_READWRITE);
}
static inline void* aligned_block(size_t n_bytes) { return _aligned_malloc(n_bytes, 64); }
static inline void free_block(void* block) { _aligned_free(block); }
static inline size_t resident_bytes(void) {
  PROCESS_MEMORY_COUNTERS counters;
  return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) ? counters.WorkingSetSize : 0;
}

#else
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
// Large blocks start on a huge page and ask for them: touching 40 MB then costs 20 faults, not 10,000.
static inline char* map_on_huge_page(size_t n_bytes, int flags) {
  char* start =
      (char*)mmap(NULL, n_bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (start == MAP_FAILED) return NULL;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (n_bytes + page - 1) & ~(page - 1);
  const size_t before = (size_t)-(intptr_t)start & (HUGE_PAGE - 1), room = n_bytes + HUGE_PAGE;
  if (before) munmap(start, before);
  if (room > before + whole) munmap(start + before + whole, room - before - whole);
  start += before;
#ifdef MADV_HUGEPAGE
  madvise(start, n_bytes, MADV_HUGEPAGE);
#endif
  return start;
}
static inline void* map_block(size_t n_bytes) {
  if (n_bytes >= HUGE_PAGE) return map_on_huge_page(n_bytes, 0);
  void* start = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}
static inline void unmap_block(void* block, size_t n_bytes) { munmap(block, n_bytes); }
static inline char* reserve_addresses(size_t n_bytes) { return map_on_huge_page(n_bytes, MAP_NORESERVE); }
static inline void return_addresses(char* start, size_t n_bytes) { munmap(start, n_bytes); }
static inline void* aligned_block(size_t n_bytes) {
  void* block = NULL;
  return posix_memalign(&block, 64, n_bytes) == 0 ? block : NULL;
}
static inline void free_block(void* block) { free(block); }

#ifdef __linux__
static inline void forget_pages(char* start, size_t n_bytes) { madvise(start, n_bytes, MADV_DONTNEED); }

static inline size_t resident_bytes(void) {
  char text[128];
  unsigned long total, resident;
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  return sscanf(text, "%lu %lu", &total, &resident) == 2 ? resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}
#else
// Elsewhere MADV_DONTNEED leaves the values: the pages are mapped anew.
static inline void forget_pages(char* start, size_t n_bytes) {
  mmap(start, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static inline size_t resident_bytes(void) {
#ifdef __APPLE__
  mach_task_basic_info_data_t info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return 0;
  return info.resident_size;
#else
  return 0;
#endif
}
#endif
#endif
