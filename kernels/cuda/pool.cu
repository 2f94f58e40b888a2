// Pooling of images and its gradients.  A window is clipped to the image: padding never wins a maximum and never counts
// in an average.  The first of equal elements (in row order) is the maximum; a NaN beats every number.
//
// Gradients are gathered, not scattered: a thread goes through the windows that an element lies in, in their order, so
// that no addition depends on the order of threads.
#include "device.cuh"

constexpr int POOL_THREADS = 256;

ND_DEVICE long long lesser(long long a, long long b) { return a < b ? a : b; }
ND_DEVICE long long greater(long long a, long long b) { return a > b ? a : b; }

// Rows `top` to `bottom` and columns `left` to `right` of an image.
struct Window {
  long long top, bottom, left, right;
};

ND_DEVICE Window clipped_window(const WindowArguments& s, long long out_y, long long out_x) {
  const long long y = out_y * s.stride_h - s.pad_top, x = out_x * s.stride_w - s.pad_left;
  return Window{greater(0, y), lesser(s.height, y + s.kernel_h), greater(0, x), lesser(s.width, x + s.kernel_w)};
}

template <class C> ND_DEVICE bool beats(C candidate, C best) {
  return candidate > best || (candidate != candidate && best == best);
}

// The index of a window's maximum in its plane.
template <class T> ND_DEVICE long long index_of_maximum(const WindowArguments& s, const T* plane, const Window& w) {
  long long best = w.top * s.width + w.left;
  for (long long y = w.top; y < w.bottom; ++y)
    for (long long x = w.left; x < w.right; ++x)
      if (beats(stored<T>::get(plane[y * s.width + x]), stored<T>::get(plane[best]))) best = y * s.width + x;
  return best;
}

template <class C> ND_DEVICE C window_share(const Window& w) {
  return C(1) / C((w.bottom - w.top) * (w.right - w.left));
}

ND_DEVICE long long n_planes(const WindowArguments& s) { return s.images * s.channels; }

template <class T> ND_DEVICE void max_pool(const WindowArguments& s) {
  const long long n_outputs = s.out_h * s.out_w;
  for (long long i = first_thread(); i < n_planes(s) * n_outputs; i += all_threads()) {
    const T* plane = (const T*)s.x + i / n_outputs * s.height * s.width;
    const Window w = clipped_window(s, i % n_outputs / s.out_w, i % s.out_w);
    ((T*)s.y)[i] = plane[index_of_maximum(s, plane, w)];
  }
}

template <class T> ND_DEVICE void average_pool(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long n_outputs = s.out_h * s.out_w;
  for (long long i = first_thread(); i < n_planes(s) * n_outputs; i += all_threads()) {
    const T* plane = (const T*)s.x + i / n_outputs * s.height * s.width;
    const Window w = clipped_window(s, i % n_outputs / s.out_w, i % s.out_w);
    C sum = C(0);
    for (long long y = w.top; y < w.bottom; ++y)
      for (long long x = w.left; x < w.right; ++x) sum += stored<T>::get(plane[y * s.width + x]);
    ((T*)s.y)[i] = stored<T>::put(sum * window_share<C>(w));
  }
}

// Calls visit(index of the output in its plane, its window) for every window that element (y, x) lies in, in order.
template <class Visit>
ND_DEVICE void visit_windows_of(const WindowArguments& s, long long y, long long x, Visit visit) {
  const long long from_y = y + s.pad_top, from_x = x + s.pad_left;
  const long long first_y = from_y < s.kernel_h ? 0 : (from_y - s.kernel_h) / s.stride_h + 1;
  const long long first_x = from_x < s.kernel_w ? 0 : (from_x - s.kernel_w) / s.stride_w + 1;
  for (long long out_y = first_y; out_y < s.out_h && out_y * s.stride_h <= from_y; ++out_y)
    for (long long out_x = first_x; out_x < s.out_w && out_x * s.stride_w <= from_x; ++out_x)
      visit(out_y * s.out_w + out_x, clipped_window(s, out_y, out_x));
}

// dx (y) from x and dy (w): each dy goes to the maximum of its window.
template <class T> ND_DEVICE void max_pool_gradient(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long size = s.height * s.width;
  for (long long i = first_thread(); i < n_planes(s) * size; i += all_threads()) {
    const T* plane = (const T*)s.x + i / size * size;
    const T* dy = (const T*)s.w + i / size * s.out_h * s.out_w;
    C sum = C(0);
    visit_windows_of(s, i % size / s.width, i % s.width, [&](long long index, const Window& w) {
      if (index_of_maximum(s, plane, w) == i % size) sum += stored<T>::get(dy[index]);
    });
    ((T*)s.y)[i] = stored<T>::put(sum);
  }
}

// dx (y) from dy (w): each dy is shared evenly among its window.
template <class T> ND_DEVICE void average_pool_gradient(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long size = s.height * s.width;
  for (long long i = first_thread(); i < n_planes(s) * size; i += all_threads()) {
    const T* dy = (const T*)s.w + i / size * s.out_h * s.out_w;
    C sum = C(0);
    visit_windows_of(s, i % size / s.width, i % s.width,
                     [&](long long index, const Window& w) { sum += stored<T>::get(dy[index]) * window_share<C>(w); });
    ((T*)s.y)[i] = stored<T>::put(sum);
  }
}
