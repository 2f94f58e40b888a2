// Shuffles of Fisher & Yates by all threads at once, with the result of doing their steps one after the other.
//
// Design: step i exchanges places i and p[i].  An element moves only when a step draws the place where it lies, and
// then to the place that has the step's number, so its way is a chain: from the place it was put to, to the next step
// that drew this place, to the first step that drew that step's place, and so on.  With the steps sorted by the places
// they drew, every link of these chains is a neighbour.  A chain has about log(n) links, so each thread follows one.
// Rejected: rounds of reservations (Shun et al. 2015, https://doi.org/10.1137/1.9781611973730.30), whose number the
// host must ask for, and one thread for all steps, each of which waits for memory.
//
// direction 1: the permutation of 0 ... n - 1 that exchanges place i with one of the places 0 ... i;
// direction -1: the first n places of a list that exchanges place i with one of the places behind it; time is reversed.
#include "device.cuh"

constexpr int SHUFFLE_THREADS = 256;

// `movers` holds -1 at first.
template <int direction> ND_DEVICE void shuffle_links(const ShuffleArguments& arguments) {
  const long long* places = (const long long*)arguments.places;
  const long long* order = (const long long*)arguments.order;
  for (long long k = first_thread(); k < arguments.n; k += all_threads()) {
    const long long step = order[k], place = places[step], ahead = k + direction, behind = k - direction;
    const bool is_last = ahead < 0 || ahead >= arguments.n || places[order[ahead]] != place;
    const bool is_first = behind < 0 || behind >= arguments.n || places[order[behind]] != place;
    const long long next = is_last ? -1 : order[ahead];
    ((long long*)arguments.neighbours)[step] = next;
    if (is_first && place < arguments.n) ((long long*)arguments.movers)[place] = step == place ? next : step;
  }
}

template <int direction> ND_DEVICE void shuffle_follow(const ShuffleArguments& arguments) {
  for (long long step = first_thread(); step < arguments.n; step += all_threads()) {
    long long place = ((const long long*)arguments.places)[step];
    for (long long next = ((const long long*)arguments.neighbours)[step]; next >= 0;
         next = ((const long long*)arguments.movers)[next])
      place = next;
    if (direction > 0)
      ((long long*)arguments.y)[place] = step;
    else
      ((long long*)arguments.y)[step] = place;
  }
}
