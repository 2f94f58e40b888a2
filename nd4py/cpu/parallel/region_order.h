// Order of parallel regions, told to ThreadSanitizer.  All before a region comes before its tasks, and its tasks before
// all after it.  libgomp does that by means that ThreadSanitizer does not see, so builds with it
// (ND4PY_SANITIZE=thread) are told; others have nothing of this.
#pragma once
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
static inline void happens_before(void* work) { __tsan_release(work); }
static inline void happens_after(void* work) { __tsan_acquire(work); }
#else
#define happens_before(work) ((void)0)
#define happens_after(work) ((void)0)
#endif
