// What threads of parallel work share: the gate's memory, which is what is in use and for each calling thread whether
// its team is awake; and signals, which end work.
#pragma once
#include <Python.h>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <strings.h>
#include <time.h>
#include "system_threads.h"
#include "thread_proof.h"
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_in_parallel(void) { return 0; }
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_procs(void) { return 1; }
#endif

namespace nd_threads {

// Nanoseconds, measured with benchmarks/threads.py on two cores: a region of an awake team takes 1 to 2 us, and a
// sleeping team 30 to 60 us to wake, 65 where it goes to sleep at once (OMP_WAIT_POLICY=passive).
constexpr double WORTH_SHARING_NS = 4000;    // of work for which an awake team pays
constexpr double SHARE_NS = 2000;            // of work that each of its threads should have at least
constexpr double WORTH_WAKING_NS = 100000;   // of work for which a sleeping team pays, at once
constexpr double WORTH_CALLING_NS = 200000;  // the same where threads never wait actively
constexpr double WAKING_NS = 50000;          // what waking costs: calls that follow each other save it up before
constexpr double TURN_NS = 20;               // of a waiting thread's turns, of which GOMP_SPINCOUNT are made
constexpr double LATE_NS = 200000;           // a small region that takes longer is late: others have the cores
constexpr double SHORTAGE_NS = 1e9;          // where threads could not be made, it is tried again after so long
constexpr double RETREAT_NS = 250000;        // so long small work is not shared then, at first; then twice as long
constexpr double LONG_RETREAT_NS = 2e7;       // each time, up to this

static std::atomic<int> in_use{0}, managed{1};
static bool is_forked = false, has_been_parallel = false;

struct Caller {
  int limit = 0;        // by nd.threads; 0: none
  int lent = 1;         // the most threads of one region since that was asked for last
  double last = 0;      // end of the last call
  double awake_to = 0;  // the team waits actively until then
  double saved = 0;     // what sharing would have saved since calls began to follow each other
  double alone_to = 0;  // small work is not shared until then
  double retreat = RETREAT_NS;
  double start = 0;  // of the call at hand; 0 where it is too short to be shared
  bool is_small = false;
  bool wakes = false;  // its team, if it is shared
  int team = 1;  // threads it has started, itself among them
  int alive = 1;         // those of its last region: libgomp ends what a smaller region does not need
  int promised = 0;      // threads that were found to be makeable, until its region has made them
  int most = 0;          // threads that can be had, where they are short; 0: no limit is known
  double short_to = 0;   // so long
  ~Caller() { managed -= team - 1; }
};

static thread_local Caller caller;
static std::mutex proving;             // whether threads can be made
static std::atomic<int> promised{0};  // by all callers
static std::atomic<bool> is_told{false};

static int limit() { return caller.limit; }
static void set_limit(int n) { caller.limit = n; }
static int lent() { return caller.lent; }
static void set_lent(int n) { caller.lent = n; }

// Whether waiting threads go to sleep at once.
static bool reads_passive() {
  const char *policy = getenv("OMP_WAIT_POLICY"), *turns = getenv("GOMP_SPINCOUNT");
  return (policy && strcasecmp(policy, "passive") == 0) || (turns && atoi(turns) == 0);
}
static const bool is_passive = reads_passive();

// How long after a region its threads still wait actively, at least.
static double reads_awake() {
  const char* turns = getenv("GOMP_SPINCOUNT");
  const double n = turns ? atof(turns) : 1e5;
  return n * TURN_NS < 1e6 ? n * TURN_NS : 1e6;
}
static const double AWAKE_NS = reads_awake();

// Threads do not wait actively either where callers have started more of them than there are cores: libgomp cuts the
// turns they spin from GOMP_SPINCOUNT to 100 then.  It counts cores once, as it is loaded; asking takes a system call.
static const int n_cores = omp_get_num_procs();
static bool never_awake() { return is_passive || managed.load() > n_cores; }

// How long a caller that is done waits actively for its team, as the team waits for it.
static double patience() { return is_passive ? 0 : never_awake() ? 100 * TURN_NS : AWAKE_NS; }

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// How many threads work of this length is worth, and what it means for the calls that follow.  A sleeping team is
// woken as one rents before buying: when the calls of a burst have lost by working alone what waking costs.
static int worth(double work) {
  if (work < WORTH_SHARING_NS) return 1;
  Caller& c = caller;
  const double t = now();
  c.start = t;
  const bool sleeps = never_awake();
  c.wakes = t >= c.awake_to;
  c.is_small = work < (sleeps ? WORTH_CALLING_NS : WORTH_WAKING_NS);
  const int n = work / SHARE_NS < 1e6 ? (int)(work / SHARE_NS) : 1000000;
  if (!c.is_small || t < c.awake_to) return t < c.alone_to && c.is_small ? 1 : n;
  if (t - c.last > AWAKE_NS) c.saved = 0;
  if (sleeps || c.saved < WAKING_NS || t < c.alone_to) return 1;
  c.saved = 0;
  return n;
}

// Before a team grows, its new threads are made once by ourselves, together with those that others were promised and
// have not made yet: where that fails, the team is smaller.
static int tell_shortage(void*) {
  return PyErr_WarnEx(PyExc_RuntimeWarning,
                      "nd4py works on fewer threads than it may use: the system makes no more of them; raise the limit "
                      "(ulimit -u, ulimit -v, a container's pids limit), or set OMP_NUM_THREADS",
                      1);
}

static int proven(int n) {
  Caller& c = caller;
  if (n <= c.alive) return n;
  if (c.most) {
    if (now() < c.short_to) {
      if (n > c.most) n = c.most;
      if (n <= c.alive) return n;
    } else {
      c.most = 0;
    }
  }
  std::lock_guard<std::mutex> guard(proving);
  const int needed = n - c.alive, others = promised.load();
  const int made = makeable(needed + others) - others;
  if (made < needed) {
    n = c.alive + (made > 0 ? made : 0);
    c.most = n;
    c.short_to = now() + SHORTAGE_NS;
    if (!is_told.exchange(true)) Py_AddPendingCall(tell_shortage, nullptr);
  }
  c.promised = n - c.alive;
  promised += c.promised;
  return n;
}

static void keep_promise() {
  if (caller.promised) promised -= caller.promised, caller.promised = 0;
}

// A region of n threads is about to begin.
static void start(int n) {
  caller.alive = n;
}

static int take(int wanted, int total) {
  if (is_forked || omp_in_parallel()) return 1;
  int used = in_use.load();
  for (;;) {
    int room = total - used, n = wanted < room ? wanted : room;
    if (n < 1) n = 1;
    if (in_use.compare_exchange_weak(used, used + n)) {
      if (n == 1) return 1;
      const int had = proven(n);
      if (had > caller.lent) caller.lent = had;
      in_use -= n - had;
      has_been_parallel |= had > 1;
      return had;
    }
  }
}

static void give(int n) {
  if (is_forked || omp_in_parallel()) return;
  in_use -= n;
  Caller& c = caller;
  keep_promise();
  if (n == 1 && c.start == 0) return;
  const double t = now(), taken = t - c.start;
  c.last = t;
  if (n == 1) {
    c.saved += taken / 2;
  } else {
    if (n > c.team) managed += n - c.team, c.team = n;
    c.awake_to = never_awake() ? 0 : t + AWAKE_NS;
    if (c.is_small && c.start != 0 && !c.wakes) {  // waking takes long where a core has slept deeply
      const bool is_late = taken > LATE_NS;
      if (is_late) c.alone_to = t + c.retreat;
      c.retreat *= is_late ? 2 : 0.9;
      c.retreat = c.retreat < RETREAT_NS ? RETREAT_NS : c.retreat > LONG_RETREAT_NS ? LONG_RETREAT_NS : c.retreat;
    }
  }
  c.start = 0;
}

#ifdef __linux__
static int core() { return sched_getcpu(); }
static void leave(int home) {
  cpu_set_t allowed, others;
  if (omp_get_thread_num() == 0 || sched_getcpu() != home) return;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  others = allowed;
  CPU_CLR(home, &others);
  if (CPU_COUNT(&others) == 0) return;
  sched_setaffinity(0, sizeof others, &others);    // moves the thread at once
  sched_setaffinity(0, sizeof allowed, &allowed);  // and leaves it free again
}
#else
static int core() { return -1; }
static void leave(int) {}
#endif

// Ctrl-C during long work: the main thread of Python looks for signals between tasks, and what it finds ends its work.

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

static bool is_main(Look& l) {
  if (!l.is_known) l.is_known = true, l.is_main = l.is_for_main = pthread_equal(pthread_self(), main_thread);
  return l.is_main;
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

// The thread that forked is the only one of the child, and its main one.
static void start_child() {
  is_forked = has_been_parallel;
  in_use = promised = 0;
  caller.alive = 1, caller.promised = 0;
  new (&proving) std::mutex;  // another thread may have held it
  main_thread = pthread_self(), look = Look();
}
static void watch_forks() { at_fork(nullptr, nullptr, start_child); }

}  // namespace nd_threads
