// Annotations of pool blocks for AddressSanitizer.  Builds with ND4PY_SANITIZE=address are told which bytes of a block
// may be used.  Other builds have nothing of it.
#pragma once
#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
// The first bytes of a block that waits hold its links.
enum { ND_LINK_BYTES = 64 };
// A block of the pool is handed out: its first `n_bytes` may be used.
static inline void sanitizer_hand_out(void* block, size_t n_bytes) {
  if (block) ASAN_UNPOISON_MEMORY_REGION(block, n_bytes);
}
// A block is fresh, or comes back: only the pool may touch it.
static inline void sanitizer_take_back(void* block, size_t n_bytes) {
  if (!block || n_bytes <= ND_LINK_BYTES) return;
  ASAN_POISON_MEMORY_REGION((char*)block + ND_LINK_BYTES, n_bytes - ND_LINK_BYTES);
}
// A block goes back to the system.
static inline void sanitizer_forget(void* block, size_t n_bytes) { ASAN_UNPOISON_MEMORY_REGION(block, n_bytes); }
#else
#define sanitizer_hand_out(block, n_bytes) ((void)0)
#define sanitizer_take_back(block, n_bytes) ((void)0)
#define sanitizer_forget(block, n_bytes) ((void)0)
#endif
