// Ctrl-C during long work: the main thread of Python looks for signals between tasks, and what it finds ends its work.
#pragma once
#include <Python.h>
#include <atomic>
#include <pthread.h>
#include <time.h>

namespace nd_interrupts {

constexpr double PATIENCE_NS = 5e7;  // nanoseconds of work between two looks for signals, each of which takes the GIL
constexpr double OFTEN_NS = 1e6;     // between two looks at the clock at least ...
constexpr double SELDOM_NS = 8e6;    // ... and at most, roughly
constexpr int MOST_TURNS = 1024;     // tasks between two looks at the clock

static std::atomic<bool> is_stopped{false};  // all work of the main thread, until the exception is raised
static pthread_t main_thread;
static PyObject *kind, *value, *trace;  // of that exception

struct Look {
  bool is_known = false, is_main = false;  // the thread itself
  bool is_for_main = false;                // whether it works for the main thread now, as that one always does
  int turns = 1, every = 1;                // tasks until the next look at the clock
  double last = 0, spent = 0;              // when that was; work since the last look for signals
};
static thread_local Look look;

static void note_main_thread(unsigned long ident) { main_thread = (pthread_t)ident; }
static void note_child() { main_thread = pthread_self(), look = Look(); }
static void watch_forks() { pthread_atfork(nullptr, nullptr, note_child); }

static bool is_main(Look& l) {
  if (!l.is_known) l.is_known = true, l.is_main = l.is_for_main = pthread_equal(pthread_self(), main_thread);
  return l.is_main;
}

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// If a handler raised while the main thread is elsewhere, at the latest its next step in Python raises it.
static int raise_pending(void*) {
  if (!is_stopped.load()) return 0;
  PyErr_Restore(kind, value, trace);
  kind = value = trace = nullptr;
  is_stopped = false;
  return -1;
}

static void look_for_signals() {
  PyGILState_STATE state = PyGILState_Ensure();
  if (!PyErr_Occurred() && PyErr_CheckSignals() < 0 && !is_stopped.load()) {
    PyErr_Fetch(&kind, &value, &trace);
    is_stopped = true;
    Py_AddPendingCall(raise_pending, nullptr);
  }
  PyGILState_Release(state);
}

// By the main thread, where it waits.
static void look_now() {
  look_for_signals();
  look.spent = 0;
  look.last = now();
}

static bool look_at_clock(Look& l) {
  const double t = now(), passed = t - l.last;
  l.last = t;
  l.spent += passed;
  if (passed < OFTEN_NS && l.every < MOST_TURNS) l.every *= 2;
  if (passed > SELDOM_NS) l.every = l.every > 8 ? l.every / 8 : 1;
  l.turns = l.every;
  if (l.spent > PATIENCE_NS) look_now();
  return !is_stopped.load();
}

// Whether the work of a region is the main thread's.
static bool begin() {
  Look& l = look;
  if (is_main(l)) l.last = now(), l.turns = l.every = 1;
  return l.is_for_main;
}

// Between two tasks, or pieces of one: whether to go on.
static bool goes_on() {
  Look& l = look;
  if (!l.is_for_main) return true;
  if (is_stopped.load(std::memory_order_relaxed)) return false;
  if (!l.is_main || --l.turns > 0) return true;
  return look_at_clock(l);
}

// The same for a thread that takes a task of a region.
static bool joins(bool is_for_main) {
  Look& l = look;
  if (!is_main(l)) l.is_for_main = is_for_main;
  return goes_on();
}

static int raise_if_stopped() {
  return is_stopped.load(std::memory_order_relaxed) && is_main(look) ? raise_pending(nullptr) : 0;
}

}  // namespace nd_interrupts
