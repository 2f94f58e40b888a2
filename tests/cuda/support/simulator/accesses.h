// Accesses to memory, as modules compiled for the schedule "torn" announce them.
#pragma once

// What code compiled with -fsanitize=thread calls before its accesses; the library that usually answers is not loaded.
#define ND_ACCESS(name) \
  ND_PUBLIC void __tsan_##name(void*) { simulator::tear(); }
#define ND_ACCESSES(bytes) \
  ND_ACCESS(read##bytes)   \
  ND_ACCESS(write##bytes)  \
  ND_ACCESS(unaligned_read##bytes) ND_ACCESS(unaligned_write##bytes)
extern "C" {
ND_PUBLIC void __tsan_init() {}
ND_PUBLIC void __tsan_func_entry(void*) {}
ND_PUBLIC void __tsan_func_exit() {}
ND_PUBLIC void __tsan_vptr_update(void**, void*) {}
ND_PUBLIC void __tsan_read_range(void*, long) { simulator::tear(); }
ND_PUBLIC void __tsan_write_range(void*, long) { simulator::tear(); }
ND_ACCESSES(1)
ND_ACCESSES(2)
ND_ACCESSES(4)
ND_ACCESSES(8)
ND_ACCESSES(16)
}
