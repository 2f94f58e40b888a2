// Parallel regions: the tasks of each thread, and the caller's wait for the others.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace nd_regions {

constexpr int TURNS = 64;  // of waiting between two looks at the clock

struct Region {
  int n_others = 0;                // threads besides the caller
  std::atomic<ptrdiff_t> next{0};  // task, of those that are taken in turns
  std::atomic<int> n_done{0};      // of them
  std::atomic<bool> is_caller_asleep{false};
  std::mutex mutex;
  std::condition_variable all_done;
};

// Whether a region has all its threads: OMP_THREAD_LIMIT may leave it fewer, which do the others' parts by turns.
static bool has_all(int n_threads) {
#ifdef _OPENMP
  return omp_get_num_threads() == n_threads;
#else
  return n_threads == 1;
#endif
}

// Neighbours, the same ones for a thread each time; as many as those of any other, or one more.
static ptrdiff_t first_task(ptrdiff_t n, int thread, int n_threads) {
  const ptrdiff_t each = n / n_threads, more = n % n_threads;
  return thread * each + (thread < more ? thread : more);
}

static ptrdiff_t next_task(Region* region) { return region->next.fetch_add(1, std::memory_order_relaxed); }

static bool are_done(const Region* region) { return region->n_done.load() == region->n_others; }

static void be_done(Region* region) {
  if (region->n_done.fetch_add(1) + 1 < region->n_others || !region->is_caller_asleep.load()) return;
  std::lock_guard<std::mutex> guard(region->mutex);
  region->all_done.notify_one();
}

static void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Whether the others are done: waits for them actively for so long, and then asleep.
static bool wait_for_others(Region* region, double active, double asleep) {
  using clock = std::chrono::steady_clock;
  if (active > 0) {
    const auto start = clock::now();
    do {
      for (int turn = 0; turn < TURNS; turn++) {
        if (are_done(region)) return true;
        pause();
      }
    } while (std::chrono::duration<double, std::nano>(clock::now() - start).count() < active);
  }
  std::unique_lock<std::mutex> guard(region->mutex);
  region->is_caller_asleep = true;
  const auto limit = std::chrono::duration<double, std::nano>(asleep);
  return region->all_done.wait_for(guard, limit, [region] { return are_done(region); });
}

}  // namespace nd_regions
