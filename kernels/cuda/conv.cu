// Convolutions (cross-correlations) and their gradients as matrix products.  One side is read out of images: the matrix
// of windows is never written.
#include "product.cuh"

// What the matrix of windows reads: row = (channel, kernel row, kernel column), column = (output row, output column).
struct WindowElement {
  long long channel, y, x;
};

ND_DEVICE WindowElement window_element(const WindowArguments& s, long long row, long long column) {
  const long long kernel_x = row % s.kernel_w, rest = row / s.kernel_w;
  const long long out_x = column % s.out_w, out_y = column / s.out_w;
  return WindowElement{rest / s.kernel_h, out_y * s.stride_h + rest % s.kernel_h * s.dilation_h - s.pad_top,
                       out_x * s.stride_w + kernel_x * s.dilation_w - s.pad_left};
}

// ------------------------------------------------------------------------------------------ forward

// The windows of one image and group: (channels kernel_h kernel_w) x (out_h out_w).
template <class T> struct Windows {
  const WindowArguments& s;
  const T* image;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    const WindowElement at = window_element(s, row, column);
    if (at.y < 0 || at.y >= s.height || at.x < 0 || at.x >= s.width) return compute_of<T>(0);
    return stored<T>::get(image[(at.channel * s.height + at.y) * s.width + at.x]);
  }
};

template <class T> struct DenseMatrix {
  const T* x;
  long long columns;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    return stored<T>::get(x[row * columns + column]);
  }
};

// y = w x windows + bias, for each image and group.
template <class T> ND_DEVICE void conv_forward(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long taps = s.channels * s.kernel_h * s.kernel_w, pixels = s.out_h * s.out_w;
  const long long across = product_tiles(pixels), tiles = product_tiles(s.filters) * across;
  for (long long i = blockIdx.x; i < tiles * s.images * s.groups; i += gridDim.x) {
    const long long part = i / tiles, group = part % s.groups, tile = i % tiles;
    const DenseMatrix<T> left{(const T*)s.w + group * s.filters * taps, taps};
    const Windows<T> right{s, (const T*)s.x + part * s.channels * s.height * s.width};
    const T* bias = s.bias ? (const T*)s.bias + group * s.filters : nullptr;
    T* y = (T*)s.y + part * s.filters * pixels;
    product_tile<C>(left, right, s.filters, pixels, taps, tile / across, tile % across,
                    [=](long long filter, long long pixel, C sum) {
                      const C sum_and_bias = bias ? sum + stored<T>::get(bias[filter]) : sum;
                      y[filter * pixels + pixel] = stored<T>::put(sum_and_bias);
                    });
  }
}

// ------------------------------------------------------------------------------------------ input gradient

// w with its filters and channels exchanged: channels x (filters kernel_h kernel_w).
template <class T> struct TurnedWeights {
  const WindowArguments& s;
  const T* w;
  ND_DEVICE compute_of<T> get(long long channel, long long column) const {
    const long long window = s.kernel_h * s.kernel_w;
    return stored<T>::get(w[(column / window * s.channels + channel) * window + column % window]);
  }
};

// What reaches the elements of an image: (filters kernel_h kernel_w) x (height width).
template <class T> struct Receivers {
  const WindowArguments& s;
  const T* dy;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    const long long kernel_x = row % s.kernel_w, kernel_y = row / s.kernel_w % s.kernel_h;
    const long long filter = row / s.kernel_w / s.kernel_h;
    const long long y = column / s.width + s.pad_top - kernel_y * s.dilation_h;
    const long long x = column % s.width + s.pad_left - kernel_x * s.dilation_w;
    if (y < 0 || x < 0 || y % s.stride_h || x % s.stride_w) return compute_of<T>(0);
    const long long out_y = y / s.stride_h, out_x = x / s.stride_w;
    if (out_y >= s.out_h || out_x >= s.out_w) return compute_of<T>(0);
    return stored<T>::get(dy[(filter * s.out_h + out_y) * s.out_w + out_x]);
  }
};

// dx from dy (in place of x) and w, for each image and group.
template <class T> ND_DEVICE void conv_input_gradient(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long pixels = s.height * s.width, depth = s.filters * s.kernel_h * s.kernel_w;
  const long long across = product_tiles(pixels), tiles = product_tiles(s.channels) * across;
  for (long long i = blockIdx.x; i < tiles * s.images * s.groups; i += gridDim.x) {
    const long long part = i / tiles, group = part % s.groups, tile = i % tiles;
    const TurnedWeights<T> left{s, (const T*)s.w + group * s.filters * s.channels * s.kernel_h * s.kernel_w};
    const Receivers<T> right{s, (const T*)s.x + part * s.filters * s.out_h * s.out_w};
    T* dx = (T*)s.y + part * s.channels * pixels;
    product_tile<C>(
        left, right, s.channels, pixels, depth, tile / across, tile % across,
        [=](long long channel, long long pixel, C sum) { dx[channel * pixels + pixel] = stored<T>::put(sum); });
  }
}

// ------------------------------------------------------------------------------------------ weight gradient

// dy of one group with images along the depth: filters x (images out_h out_w).
template <class T> struct Gradients {
  const WindowArguments& s;
  const T* dy;
  ND_DEVICE compute_of<T> get(long long filter, long long column) const {
    const long long pixels = s.out_h * s.out_w, image = column / pixels;
    return stored<T>::get(dy[(image * s.groups * s.filters + filter) * pixels + column % pixels]);
  }
};

// The windows of all images, transposed: (images out_h out_w) x (channels kernel_h kernel_w).
template <class T> struct TurnedWindows {
  const WindowArguments& s;
  const T* images;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    const long long pixels = s.out_h * s.out_w, image = row / pixels;
    const T* own = images + image * s.groups * s.channels * s.height * s.width;
    return Windows<T>{s, own}.get(column, row % pixels);
  }
};

// dw from x and dy (in place of w), for each group.
template <class T> ND_DEVICE void conv_weight_gradient(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long taps = s.channels * s.kernel_h * s.kernel_w, pixels = s.out_h * s.out_w;
  const long long across = product_tiles(taps), tiles = product_tiles(s.filters) * across;
  for (long long i = blockIdx.x; i < tiles * s.groups; i += gridDim.x) {
    const long long group = i / tiles, tile = i % tiles;
    const Gradients<T> left{s, (const T*)s.w + group * s.filters * pixels};
    const TurnedWindows<T> right{s, (const T*)s.x + group * s.channels * s.height * s.width};
    T* dw = (T*)s.y + group * s.filters * taps;
    product_tile<C>(left, right, s.filters, taps, s.images * pixels, tile / across, tile % across,
                    [=](long long filter, long long tap, C sum) { dw[filter * taps + tap] = stored<T>::put(sum); });
  }
}

// ------------------------------------------------------------------------------------------ columns

// The matrices of windows of all images and groups, for a library's matrix product.
template <class T> ND_DEVICE void image_to_columns(const WindowArguments& s) {
  const long long taps = s.channels * s.kernel_h * s.kernel_w, pixels = s.out_h * s.out_w;
  for (long long i = first_thread(); i < s.images * s.groups * taps * pixels; i += all_threads()) {
    const long long part = i / pixels / taps;
    const Windows<T> windows{s, (const T*)s.x + part * s.channels * s.height * s.width};
    ((T*)s.y)[i] = stored<T>::put(windows.get(i / pixels % taps, i % pixels));
  }
}
