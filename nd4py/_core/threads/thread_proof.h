// Whether threads can be made: libgomp ends the process where one cannot.
#pragma once
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <pthread.h>
#include <sched.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace nd_threads {

constexpr int PATIENT_TURNS = 20000;  // of waiting for a thread to be gone; each gives up the core

// Threads that wait for each other, so that all are alive at once.
struct Crowd {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
  bool is_over = false;
};

struct Member {
  Crowd* crowd;
  pthread_t thread;
  long number;  // of the system
};

static void* attend(void* given) {
  Member* member = (Member*)given;
#ifdef __linux__
  member->number = syscall(SYS_gettid);
#endif
  pthread_mutex_lock(&member->crowd->mutex);
  while (!member->crowd->is_over) pthread_cond_wait(&member->crowd->ended, &member->crowd->mutex);
  pthread_mutex_unlock(&member->crowd->mutex);
  return nullptr;
}

// The stack that libgomp gives its threads: OMP_STACKSIZE, in KiB unless it has a letter; 0 for the system's choice.
static size_t stack_bytes() {
  const char* text = getenv("OMP_STACKSIZE");
  if (!text) text = getenv("GOMP_STACKSIZE");
  if (!text) return 0;
  char* end;
  const unsigned long size = strtoul(text, &end, 10);
  while (isspace((unsigned char)*end)) end++;
  switch (tolower((unsigned char)*end)) {
    case 'b': return size;
    case 'm': return size << 20;
    case 'g': return size << 30;
    default: return size << 10;
  }
}

// A thread that was joined still counts for a moment; until the system knows its number no more.
static void wait_until_gone(const Member& member) {
#ifdef __linux__
  for (int turn = 0; turn < PATIENT_TURNS; turn++) {
    if (syscall(SYS_tgkill, getpid(), member.number, 0) != 0 && errno == ESRCH) return;
    sched_yield();
  }
#else
  (void)member;
#endif
}

// How many of `n` threads can be made beside those there are: they are made, and end again.
static int makeable(int n) {
  std::unique_ptr<Member[]> members(new (std::nothrow) Member[n]);
  if (!members) return 0;
  Crowd crowd;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  const size_t stack = stack_bytes();
  if (stack) pthread_attr_setstacksize(&attributes, stack);
  int made = 0;
  while (made < n) {
    members[made] = Member{&crowd, pthread_t(), 0};
    if (pthread_create(&members[made].thread, &attributes, attend, &members[made]) != 0) break;
    made++;
  }
  pthread_attr_destroy(&attributes);
  pthread_mutex_lock(&crowd.mutex);
  crowd.is_over = true;
  pthread_cond_broadcast(&crowd.ended);
  pthread_mutex_unlock(&crowd.mutex);
  for (int i = 0; i < made; i++) pthread_join(members[i].thread, nullptr);
  for (int i = 0; i < made; i++) wait_until_gone(members[i]);
  return made;
}

}  // namespace nd_threads
