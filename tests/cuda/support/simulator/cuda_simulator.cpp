// The runtime of the simulator: runs the blocks of a grid one after the other, and the threads of a block as fibers.
//
// What it finds that a GPU would not say: barriers that not all threads of a block reach, or that they reach in
// different places; warp functions that lanes named in the mask never reach, or callers outside their mask; values
// taken from lanes that do not take part (poisoned with ones: NaN); shared memory read before it was written (poisoned
// too); addresses outside an allocation (guard pages), misaligned packets and array places out of range (instrumented
// code that traps); results that depend on the order in which lanes, warps and blocks run, which can be chosen; and
// with the order "torn", where modules were compiled for it, values that change between a load and the store after it:
// g++ calls a function before each access to memory, as for its race detector, and here another thread may run then.
//
// Grids of billions of threads are tried by some of their blocks: the first ones, the last, and some between.
//
// Fibers are started lazily: threads that never wait run one after the other on one stack, at the cost of a call.
#include "cuda_simulator.h"
#include "fibers.h"
#include "rooms.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <link.h>
#include <memory>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <random>
#include <algorithm>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace simulator {
Current current;

namespace {
constexpr int WARP = 32;

enum class State { fresh, ready, at_barrier, at_warp, done };
enum class Wish { sync, shuffle, ballot };

struct Thread {
  unsigned number;
  Index index;
  State state;
  Fiber* fiber;
  const void* site;
  Wish wish;
  unsigned lanes, bytes;
  int source;
  uint64_t given, received;
};

struct Schedule {
  int order = 0;  // 0: forward, 1: reverse, 2: random, 3: torn
  uint64_t seed = 0;
  uint64_t n_blocks = 0;  // of a larger grid that are run, or 0 for all
} schedule;
constexpr int TORN = 3;
std::mt19937_64 turns;

std::mutex one_launch;
pthread_t launching;
bool is_inside = false;
sigjmp_buf failed;
char message[512];
thread_local std::string last_error;

const Kernel* kernel;
const void* arguments;
std::vector<Thread> threads;
std::vector<unsigned> thread_order, able_threads;  // static: a failed launch jumps out of what uses them
size_t next_fresh, fresh_end;                      // places in thread_order that the running fiber may start
Thread* running;
void* scheduler_stack;
std::vector<Fiber*> idle_fibers;

// ------------------------------------------------------------------------------------------ fibers

void see(Thread& thread) {
  running = &thread;
  current.thread = thread.index;
}

// Runs threads that were not started yet, until one of them waits; then the fiber is that thread's.
void run_fresh_threads() {
  for (;;) {
    kernel->run(arguments);
    running->state = State::done;
    if (next_fresh < fresh_end) {
      Thread& next = threads[thread_order[next_fresh++]];
      next.fiber = running->fiber;
      next.state = State::ready;
      running->fiber = nullptr;
      see(next);
      continue;
    }
    nd_switch_stack(&running->fiber->stack_pointer, scheduler_stack);
    // The fiber was taken for another thread, which `running` names.
  }
}

Fiber* take_fiber() {
  if (idle_fibers.empty()) idle_fibers.push_back(new_fiber());
  Fiber* fiber = idle_fibers.back();
  idle_fibers.pop_back();
  fiber->stack_pointer = new_context(fiber, run_fresh_threads);
  return fiber;
}

void resume(Thread& thread) {
  if (thread.state == State::fresh) {
    thread.fiber = take_fiber();
    thread.state = State::ready;
  }
  see(thread);
  nd_switch_stack(&scheduler_stack, thread.fiber->stack_pointer);
}

void wait(State state, const void* site) {
  running->state = state;
  running->site = site;
  nd_switch_stack(&running->fiber->stack_pointer, scheduler_stack);
}

// Before an access to memory: in one of four cases another thread runs first.
void tear() {
  if (is_inside && schedule.order == TORN && running && turns() % 4 == 0) wait(State::ready, running->site);
}

void give_back(Thread& thread) {
  if (thread.state == State::done && thread.fiber) {
    idle_fibers.push_back(thread.fiber);
    thread.fiber = nullptr;
  }
}

[[noreturn]] void fail(const char* what, const Thread* thread) {
  if (thread)
    snprintf(message, sizeof message, "%s, in block (%u, %u, %u), thread (%u, %u, %u)", what, current.block.x,
             current.block.y, current.block.z, thread->index.x, thread->index.y, thread->index.z);
  else
    snprintf(message, sizeof message, "%s, in block (%u, %u, %u)", what, current.block.x, current.block.y,
             current.block.z);
  siglongjmp(failed, 1);
}

// ------------------------------------------------------------------------------------------ warps

bool takes_part(const Thread& thread, const Thread& with) {
  return thread.state == State::at_warp && thread.lanes == with.lanes && thread.wish == with.wish &&
         thread.bytes == with.bytes && thread.site == with.site;
}

void deliver(Thread* warp, int size, unsigned alive, Wish wish) {
  unsigned votes = 0;
  for (int lane = 0; lane < size; ++lane)
    if (alive >> lane & 1) votes |= (unsigned)(warp[lane].given != 0) << lane;
  for (int lane = 0; lane < size; ++lane) {
    if (!(alive >> lane & 1)) continue;
    const int source = warp[lane].source;
    const bool is_known = source < size && (alive >> source & 1);
    warp[lane].received = wish == Wish::ballot ? votes : is_known ? warp[source].given : ~uint64_t(0);
    warp[lane].state = State::ready;
  }
}

// Lets lanes go on whose whole group waits at one warp function; whether there were any.
bool release_lanes(Thread* warp, int size) {
  bool any = false;
  for (int first = 0; first < size; ++first) {
    if (warp[first].state != State::at_warp) continue;
    unsigned alive = 0;
    bool is_complete = true;
    for (int lane = 0; lane < size; ++lane) {
      if (!(warp[first].lanes >> lane & 1) || warp[lane].state == State::done) continue;
      alive |= 1u << lane;
      is_complete &= takes_part(warp[lane], warp[first]);
    }
    if (!is_complete) continue;
    deliver(warp, size, alive, warp[first].wish);
    any = true;
  }
  return any;
}

// ------------------------------------------------------------------------------------------ blocks

void run_warp(size_t begin, size_t end) {
  Thread* warp = &threads[thread_order[begin] / WARP * WARP];
  const int size = int(end - begin);
  do {
    for (size_t i = begin; i < end; ++i) {
      Thread& thread = threads[thread_order[i]];
      if (thread.state != State::fresh && thread.state != State::ready) continue;
      next_fresh = i + 1;
      fresh_end = thread.state == State::fresh ? end : 0;
      resume(thread);
      give_back(*running);  // the last thread that ran on this fiber
    }
  } while (release_lanes(warp, size));
}

void check_barrier() {
  const Thread *waiting = nullptr, *gone = nullptr;
  for (Thread& thread : threads) {
    if (thread.state == State::at_warp)
      fail("a warp function waits for lanes of its mask that never reach it", &thread);
    if (thread.state == State::done) gone = &thread;
    if (thread.state != State::at_barrier) continue;
    if (waiting && waiting->site != thread.site) fail("threads of a block wait at different barriers", &thread);
    waiting = &thread;
  }
  if (waiting && gone) fail("a thread has returned while others wait at a barrier", gone);
}

// Threads of all warps in turns, each up to some access to memory.
void run_in_turns() {
  std::vector<unsigned>& going = able_threads;
  for (;;) {
    going.clear();
    for (unsigned i : thread_order)
      if (threads[i].state == State::fresh || threads[i].state == State::ready) going.push_back(i);
    if (going.empty()) return;
    while (!going.empty()) {
      const size_t at = turns() % going.size();
      Thread& thread = threads[going[at]];
      next_fresh = fresh_end = 0;
      resume(thread);
      give_back(*running);
      if (thread.state != State::ready) {
        going[at] = going.back();
        going.pop_back();
      }
    }
    for (size_t first = 0; first < threads.size(); first += WARP)
      while (release_lanes(&threads[first], int(std::min<size_t>(WARP, threads.size() - first))));
  }
}

void run_block() {
  for (;;) {
    if (schedule.order == TORN) run_in_turns();
    for (size_t begin = 0; schedule.order != TORN && begin < thread_order.size();) {
      size_t end = begin + 1;
      while (end < thread_order.size() && thread_order[end] / WARP == thread_order[begin] / WARP) ++end;
      run_warp(begin, end);
      begin = end;
    }
    check_barrier();
    if (threads[0].state == State::done) return;
    for (Thread& thread : threads) thread.state = State::ready;
  }
}

// Warps in some order, and in each warp its lanes.
void order_threads(std::mt19937_64& random) {
  const unsigned n = threads.size();
  std::vector<unsigned> warps((n + WARP - 1) / WARP);
  std::iota(warps.begin(), warps.end(), 0);
  const auto arrange = [&](auto begin, auto end) {
    if (schedule.order == 1) std::reverse(begin, end);
    if (schedule.order == 2) std::shuffle(begin, end, random);
  };
  arrange(warps.begin(), warps.end());
  thread_order.clear();
  for (unsigned warp : warps) {
    const size_t begin = thread_order.size();
    for (unsigned i = warp * WARP; i < n && i < (warp + 1) * WARP; ++i) thread_order.push_back(i);
    arrange(thread_order.begin() + begin, thread_order.end());
  }
}

void reset_threads() {
  for (unsigned i = 0; i < threads.size(); ++i) {
    Thread& thread = threads[i];
    give_back(thread);
    if (thread.fiber) idle_fibers.push_back(thread.fiber);
    const unsigned x = i % current.block_size.x, rest = i / current.block_size.x;
    thread = Thread{};
    thread.number = i;
    thread.index = {x, rest % current.block_size.y, rest / current.block_size.y};
  }
}

// ------------------------------------------------------------------------------------------ shared memory

// All thread-local variables of the kernel's module, which are its shared memory.
Span static_shared() {
  struct Search {
    uintptr_t address;
    Span found;
  } search{(uintptr_t)kernel->run, {nullptr, 0}};
  kernel->own_thread_local();
  dl_iterate_phdr(
      [](struct dl_phdr_info* info, size_t, void* data) {
        Search* search = (Search*)data;
        bool is_here = false;
        size_t bytes = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
          is_here |= part.p_type == PT_LOAD && search->address >= begin && search->address < begin + part.p_memsz;
          if (part.p_type == PT_TLS) bytes = part.p_memsz;
        }
        if (is_here) search->found = {(char*)info->dlpi_tls_data, bytes};
        return (int)is_here;
      },
      &search);
  return search.found;
}

// ------------------------------------------------------------------------------------------ faults

struct sigaction before_us[64];

void on_fault(int signal, siginfo_t* info, void* context) {
  if (!is_inside || !pthread_equal(launching, pthread_self())) {
    struct sigaction& old = before_us[signal];
    if (old.sa_flags & SA_SIGINFO) return old.sa_sigaction(signal, info, context);
    if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  char what[128];
  if (signal == SIGILL)
    snprintf(what, sizeof what, "misaligned access, array place out of range or division by zero");
  else
    snprintf(what, sizeof what, "illegal address %p", info->si_addr);
  fail(what, running);
}

void watch_faults() {
  static thread_local std::vector<char> signal_stack;
  stack_t old{};
  sigaltstack(nullptr, &old);
  if (old.ss_flags & SS_DISABLE) {
    signal_stack.resize(64 << 10);
    stack_t own{};
    own.ss_sp = signal_stack.data();
    own.ss_size = signal_stack.size();
    sigaltstack(&own, nullptr);
  }
  for (int signal : {SIGSEGV, SIGBUS, SIGILL}) {
    struct sigaction now{};
    sigaction(signal, nullptr, &now);
    if (now.sa_sigaction == on_fault) continue;
    before_us[signal] = now;
    now.sa_sigaction = on_fault;
    sigemptyset(&now.sa_mask);
    now.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigaction(signal, &now, nullptr);
  }
}

// ------------------------------------------------------------------------------------------ grids

uint64_t counts[3];  // launches, blocks, threads

// All blocks of a grid, or as many as are wanted of a larger one: from its ends, and from anywhere.
void choose_blocks(std::vector<uint64_t>& blocks, uint64_t n, std::mt19937_64& random) {
  const uint64_t wanted = schedule.n_blocks && schedule.n_blocks < n ? schedule.n_blocks : n;
  blocks.resize(wanted);
  for (uint64_t i = 0; i < wanted; ++i)
    blocks[i] = wanted == n || i < wanted / 3 ? i : i < wanted / 3 * 2 ? n - 1 - (i - wanted / 3) : random() % n;
}

void run_grid(size_t shared_bytes) {
  const uint64_t n_blocks = (uint64_t)current.grid_size.x * current.grid_size.y * current.grid_size.z;
  std::mt19937_64 random(schedule.seed);
  static std::vector<uint64_t> blocks;  // static: a failed launch jumps out of here
  static std::unique_ptr<GuardedRoom> dynamic;
  turns.seed(schedule.seed);
  choose_blocks(blocks, n_blocks, random);
  if (schedule.order == 1) std::reverse(blocks.begin(), blocks.end());
  if (schedule.order == 2) std::shuffle(blocks.begin(), blocks.end(), random);
  const Span shared = static_shared();
  dynamic.reset(new GuardedRoom(shared_bytes));
  current.dynamic_shared = dynamic->begin;
  for (uint64_t block : blocks) {
    current.block = {unsigned(block % current.grid_size.x), unsigned(block / current.grid_size.x % current.grid_size.y),
                     unsigned(block / current.grid_size.x / current.grid_size.y)};
    memset(shared.begin, 0xff, shared.bytes);
    memset(dynamic->begin, 0xff, shared_bytes);
    reset_threads();
    order_threads(random);
    run_block();
    ++counts[1];
    counts[2] += threads.size();
  }
}

const char* wrong_configuration(const unsigned* grid, const unsigned* block, unsigned shared_bytes) {
  const uint64_t n = (uint64_t)block[0] * block[1] * block[2];
  if (n == 0 || n > 1024 || block[2] > 64) return "a block has 1 to 1024 threads, at most 64 deep";
  if (n > kernel->max_threads) return "more threads in a block than the kernel was built for";
  if (!grid[0] || !grid[1] || !grid[2] || grid[0] > 0x7fffffffu || grid[1] > 65535 || grid[2] > 65535)
    return "a grid has 1 to 2147483647 blocks along x, 1 to 65535 along y and z";
  if (shared_bytes > 48 << 10) return "more than 48 KiB of dynamic shared memory";
  return nullptr;
}
}  // namespace

void wait_for_block(const void* site) { wait(State::at_barrier, site); }

static void wait_in_warp(const void* site, unsigned lanes, Wish wish, unsigned bytes) {
  if (!(lanes >> own_lane() & 1)) fail("a lane calls a warp function whose mask leaves it out", running);
  running->lanes = lanes;
  running->wish = wish;
  running->bytes = bytes;
  wait(State::at_warp, site);
}

void wait_for_warp(const void* site, unsigned lanes) { wait_in_warp(site, lanes, Wish::sync, 0); }

uint64_t shuffle(const void* site, unsigned lanes, uint64_t value, unsigned bytes, int source_lane) {
  running->given = value;
  running->source = source_lane;
  wait_in_warp(site, lanes, Wish::shuffle, bytes);
  return running->received;
}

unsigned ballot(const void* site, unsigned lanes, bool vote) {
  running->given = vote;
  wait_in_warp(site, lanes, Wish::ballot, 0);
  return (unsigned)running->received;
}

unsigned own_lane() { return running->number % WARP; }

extern "C" {
#define ND_PUBLIC __attribute__((visibility("default")))

ND_PUBLIC void simulator_schedule(int order, uint64_t seed) {
  std::lock_guard<std::mutex> lock(one_launch);
  schedule.order = order;
  schedule.seed = seed;
}

// How many blocks of larger grids are run; 0: all.
ND_PUBLIC void simulator_sample(uint64_t n_blocks) {
  std::lock_guard<std::mutex> lock(one_launch);
  schedule.n_blocks = n_blocks;
}

ND_PUBLIC const char* simulator_error() { return last_error.c_str(); }

ND_PUBLIC void simulator_counts(uint64_t* into) { memcpy(into, counts, sizeof counts); }

// Of the type of cuLaunchKernel.  1: refused, 2: failed while running.
ND_PUBLIC int simulator_launch(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared_bytes, void*, void** parameters,
                               void**) {
  std::lock_guard<std::mutex> lock(one_launch);
  kernel = (const Kernel*)function;
  arguments = parameters[0];
  const unsigned grid[3] = {grid_x, grid_y, grid_z}, block[3] = {block_x, block_y, block_z};
  if (const char* wrong = wrong_configuration(grid, block, shared_bytes)) {
    last_error = std::string(kernel->name) + ": " + wrong;
    return 1;
  }
  current.grid_size = {grid_x, grid_y, grid_z};
  current.block_size = {block_x, block_y, block_z};
  threads.assign(block_x * block_y * block_z, Thread{});
  watch_faults();
  launching = pthread_self();
  running = nullptr;
  ++counts[0];
  volatile int status = 0;
  if (sigsetjmp(failed, 0) == 0) {
    is_inside = true;
    run_grid(shared_bytes);
  } else {
    last_error = std::string(kernel->name) + ": " + message;
    status = 2;
  }
  is_inside = false;
  reset_threads();
  return status;
}
}
}  // namespace simulator

#include "accesses.h"
