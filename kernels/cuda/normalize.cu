// Normalization of lines: softmax, its logarithm, and standardization.  A block works on a line; sums are carried in
// doubles.
#include "merge.cuh"

// Lines of n elements without gaps, one after the other.
struct NormalizeArguments {
  const char *x, *scale, *bias;  // scale and bias: n elements, or null
  char* y;
  long long n_lines, n;
  double epsilon;
};

template <class A> struct Sum {
  ND_DEVICE static A init() { return A(0); }
  ND_DEVICE static A merge(A l, A r) { return l + r; }
};
template <class C> struct Largest {
  ND_DEVICE static C init() { return lowest<C>(); }
  ND_DEVICE static C merge(C l, C r) { return larger(l, r); }
};

// value(i) of every element of a line, added up.
template <int Threads, class Value> ND_DEVICE double line_sum(long long n, Value value) {
  double sum = 0;
  for (long long i = threadIdx.x; i < n; i += Threads) sum += value(i);
  return merge_everywhere<Sum<double>, Threads>(sum);
}

template <int Threads, class T, class Line>
ND_DEVICE void for_each_line(const NormalizeArguments& arguments, Line line) {
  for (long long i = blockIdx.x; i < arguments.n_lines; i += gridDim.x)
    line((const T*)arguments.x + i * arguments.n, (T*)arguments.y + i * arguments.n);
}

// The largest element, which keeps exponentials in range, and the sum of exp(x - largest).
template <int Threads, class T, class C> ND_DEVICE double exponential_sum(const T* x, long long n, C* largest) {
  C own = lowest<C>();
  for (long long i = threadIdx.x; i < n; i += Threads) own = larger(own, stored<T>::get(x[i]));
  const C top = merge_everywhere<Largest<C>, Threads>(own);
  *largest = top;
  return line_sum<Threads>(n, [=](long long i) { return (double)exp(C(stored<T>::get(x[i]) - top)); });
}

template <class T, int Threads> ND_DEVICE void softmax(const NormalizeArguments& arguments) {
  using C = compute_of<T>;
  const long long n = arguments.n;
  for_each_line<Threads, T>(arguments, [=](const T* x, T* y) {
    C top;
    const C scale = C(1 / exponential_sum<Threads>(x, n, &top));
    for (long long i = threadIdx.x; i < n; i += Threads)
      y[i] = stored<T>::put(exp(C(stored<T>::get(x[i]) - top)) * scale);
  });
}

template <class T, int Threads> ND_DEVICE void log_softmax(const NormalizeArguments& arguments) {
  using C = compute_of<T>;
  const long long n = arguments.n;
  for_each_line<Threads, T>(arguments, [=](const T* x, T* y) {
    C top;
    const C rest = C(log(exponential_sum<Threads>(x, n, &top)));
    for (long long i = threadIdx.x; i < n; i += Threads) y[i] = stored<T>::put((stored<T>::get(x[i]) - top) - rest);
  });
}

// (x - mean) / sqrt(variance + epsilon) * scale + bias, scale and bias where they are given.
template <class T, int Threads> ND_DEVICE void standardize(const NormalizeArguments& arguments) {
  using C = compute_of<T>;
  const long long n = arguments.n;
  const double epsilon = arguments.epsilon;
  const T *scale = (const T*)arguments.scale, *bias = (const T*)arguments.bias;
  for_each_line<Threads, T>(arguments, [=](const T* x, T* y) {
    const double mean = line_sum<Threads>(n, [=](long long i) { return (double)stored<T>::get(x[i]); }) / (double)n;
    const double squares = line_sum<Threads>(n, [=](long long i) {
      const double distance = (double)stored<T>::get(x[i]) - mean;
      return distance * distance;
    });
    const double factor = 1 / sqrt(squares / (double)n + epsilon);
    for (long long i = threadIdx.x; i < n; i += Threads) {
      double value = ((double)stored<T>::get(x[i]) - mean) * factor;
      if (scale) value = value * (double)stored<T>::get(scale[i]);
      if (bias) value = value + (double)stored<T>::get(bias[i]);
      y[i] = stored<T>::put(C(value));
    }
  });
}
