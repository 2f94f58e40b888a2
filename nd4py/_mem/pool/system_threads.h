// Threads of the operating system: their numbers, a barrier that all of them pass, and what runs at a fork.
#pragma once
#include <pthread.h>
#include <sched.h>
#ifdef _WIN32
#include "system_windows.h"
#else
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#if __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#define ND_HAS_MEMBARRIER
#endif
#endif

// A thread's own variable.  Without a call to find it, where the system has that for libraries that are opened late.
#ifdef __linux__
#define ND_OWN_OF_THREAD __thread __attribute__((tls_model("initial-exec")))
#else
#define ND_OWN_OF_THREAD __thread
#endif

// The number that the system has for this thread.
static inline long this_thread(void) {
#if defined(__linux__)
  return syscall(SYS_gettid);
#elif defined(__APPLE__)
  return pthread_mach_thread_np(pthread_self());
#else
  return (long)GetCurrentThreadId();
#endif
}

// Whether `bar_all_threads` is a barrier for others too, so that they need none of their own.
static inline bool knows_barrier(void) {
#if defined(ND_HAS_MEMBARRIER)
  const long wanted = MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  const long found = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  return found > 0 && (found & wanted) == wanted;
#elif defined(_WIN32)
  return true;
#else
  return false;
#endif
}

// After this, what this thread wrote before is seen by all, and what they wrote before is seen here.
static inline void bar_all_threads(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#if defined(ND_HAS_MEMBARRIER)
  static pid_t registered_process = 0;
  const pid_t process = getpid();  // a fork's child registers anew
  if (registered_process != process && syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0)
    registered_process = process;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);  // slow, and needs no registration
#elif defined(_WIN32)
  FlushProcessWriteBuffers();
#endif
}

// Have functions run before a fork, and after it in the parent and in the child; NULL for none.  Windows has no fork.
static inline void at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
#ifdef _WIN32
  (void)before, (void)in_parent, (void)in_child;
#else
  pthread_atfork(before, in_parent, in_child);
#endif
}
