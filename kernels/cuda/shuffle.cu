// Fisher & Yates shuffles by all threads at once.  The result is that of doing their steps one after the other.
//
// Design: step i exchanges elements i and p[i].  An element moves only when a step draws the index where it lies, and
// then to the index that is the step's number, so its way is a chain: from the index it was put to, to the next step
// that drew this index, to the first step that drew that step's index, and so on.  With the steps sorted by the indices
// they drew, every link of these chains is a neighbour.  A chain has about log(n) links, so each thread follows one.
// Rejected: rounds of reservations (Shun et al. 2015, https://doi.org/10.1137/1.9781611973730.30), whose number the
// host must ask for, and one thread for all steps, each of which waits for memory.
//
// direction 1: the permutation of 0 ... n - 1 that exchanges element i with one of 0 ... i;
// direction -1: the first n elements of a list that exchanges element i with one behind it; time is reversed.
#include "device.cuh"

// Step i of a shuffle draws an index; all arrays hold n numbers, int64.
struct ShuffleArguments {
  const char* drawn;  // the index that each step draws
  const char* order;  // the steps, those that drew the same index one after the other
  char* neighbours;   // of each step: the next one in time that drew its index, or the one before it; -1 for none
  char* movers;       // of each index: the step that takes its element away, or brought it; -1 for none
  char* y;
  long long n;
};

constexpr int SHUFFLE_THREADS = 256;

// `movers` holds -1 at first.
template <int direction> ND_DEVICE void shuffle_links(const ShuffleArguments& arguments) {
  const long long* drawn = (const long long*)arguments.drawn;
  const long long* order = (const long long*)arguments.order;
  for (long long k = first_thread(); k < arguments.n; k += all_threads()) {
    const long long step = order[k], index = drawn[step], ahead = k + direction, behind = k - direction;
    const bool is_last = ahead < 0 || ahead >= arguments.n || drawn[order[ahead]] != index;
    const bool is_first = behind < 0 || behind >= arguments.n || drawn[order[behind]] != index;
    const long long next = is_last ? -1 : order[ahead];
    ((long long*)arguments.neighbours)[step] = next;
    if (is_first && index < arguments.n) ((long long*)arguments.movers)[index] = step == index ? next : step;
  }
}

template <int direction> ND_DEVICE void shuffle_follow(const ShuffleArguments& arguments) {
  for (long long step = first_thread(); step < arguments.n; step += all_threads()) {
    long long index = ((const long long*)arguments.drawn)[step];
    for (long long next = ((const long long*)arguments.neighbours)[step]; next >= 0;
         next = ((const long long*)arguments.movers)[next])
      index = next;
    if (direction > 0)
      ((long long*)arguments.y)[index] = step;
    else
      ((long long*)arguments.y)[step] = index;
  }
}
