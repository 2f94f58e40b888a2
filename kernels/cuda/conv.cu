// Convolutions (cross-correlations) and their gradients as matrix products.  One side is read out of images: the matrix
// of windows is never written.
#include "product.cuh"

// Where an element of a volume lies.
struct Position {
  long long z, y, x;
};

ND_DEVICE Position position_in(long long index, long long depth, long long height, long long width) {
  const long long plane = height * width, z = depth == 1 ? 0 : index / plane, in_plane = index - z * plane;
  return Position{z, in_plane / width, in_plane % width};
}

ND_DEVICE long long kernel_size(const WindowArguments& s) { return s.kernel_d * s.kernel_h * s.kernel_w; }
ND_DEVICE long long x_size(const WindowArguments& s) { return s.depth * s.height * s.width; }
ND_DEVICE long long y_size(const WindowArguments& s) { return s.out_d * s.out_h * s.out_w; }

ND_DEVICE Position position_in_kernel(const WindowArguments& s, long long index) {
  return position_in(index, s.kernel_d, s.kernel_h, s.kernel_w);
}

// ------------------------------------------------------------------------------------------ forward

// The windows of one image and group: (channels kernel_d kernel_h kernel_w) x (out_d out_h out_w).
template <class T> struct Windows {
  const WindowArguments& s;
  const T* image;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    const long long channel = row / kernel_size(s);
    const Position tap = position_in_kernel(s, row - channel * kernel_size(s));
    const Position out = position_in(column, s.out_d, s.out_h, s.out_w);
    const long long z = out.z * s.stride_d + tap.z * s.dilation_d - s.pad_front;
    const long long y = out.y * s.stride_h + tap.y * s.dilation_h - s.pad_top;
    const long long x = out.x * s.stride_w + tap.x * s.dilation_w - s.pad_left;
    if (z < 0 || z >= s.depth || y < 0 || y >= s.height || x < 0 || x >= s.width) return compute_of<T>(0);
    return stored<T>::get(image[((channel * s.depth + z) * s.height + y) * s.width + x]);
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
  const long long taps = s.channels * kernel_size(s), pixels = y_size(s);
  const long long across = product_tiles(pixels), tiles = product_tiles(s.filters) * across;
  for (long long i = blockIdx.x; i < tiles * s.images * s.groups; i += gridDim.x) {
    const long long part = i / tiles, group = part % s.groups, tile = i % tiles;
    const DenseMatrix<T> left{(const T*)s.w + group * s.filters * taps, taps};
    const Windows<T> right{s, (const T*)s.x + part * s.channels * x_size(s)};
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

// w with its filters and channels exchanged: channels x (filters kernel_d kernel_h kernel_w).
template <class T> struct TurnedWeights {
  const WindowArguments& s;
  const T* w;
  ND_DEVICE compute_of<T> get(long long channel, long long column) const {
    const long long window = kernel_size(s);
    return stored<T>::get(w[(column / window * s.channels + channel) * window + column % window]);
  }
};

// What reaches the elements of an image: (filters kernel_d kernel_h kernel_w) x (depth height width).
template <class T> struct Receivers {
  const WindowArguments& s;
  const T* dy;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    const long long filter = row / kernel_size(s);
    const Position tap = position_in_kernel(s, row - filter * kernel_size(s));
    const Position at = position_in(column, s.depth, s.height, s.width);
    const long long z = at.z + s.pad_front - tap.z * s.dilation_d;
    const long long y = at.y + s.pad_top - tap.y * s.dilation_h;
    const long long x = at.x + s.pad_left - tap.x * s.dilation_w;
    if (z < 0 || y < 0 || x < 0 || z % s.stride_d || y % s.stride_h || x % s.stride_w) return compute_of<T>(0);
    const long long out_z = z / s.stride_d, out_y = y / s.stride_h, out_x = x / s.stride_w;
    if (out_z >= s.out_d || out_y >= s.out_h || out_x >= s.out_w) return compute_of<T>(0);
    return stored<T>::get(dy[((filter * s.out_d + out_z) * s.out_h + out_y) * s.out_w + out_x]);
  }
};

// dx from dy (in place of x) and w, for each image and group.
template <class T> ND_DEVICE void conv_input_gradient(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long pixels = x_size(s), depth = s.filters * kernel_size(s);
  const long long across = product_tiles(pixels), tiles = product_tiles(s.channels) * across;
  for (long long i = blockIdx.x; i < tiles * s.images * s.groups; i += gridDim.x) {
    const long long part = i / tiles, group = part % s.groups, tile = i % tiles;
    const TurnedWeights<T> left{s, (const T*)s.w + group * s.channels * depth};
    const Receivers<T> right{s, (const T*)s.x + part * s.filters * y_size(s)};
    T* dx = (T*)s.y + part * s.channels * pixels;
    product_tile<C>(
        left, right, s.channels, pixels, depth, tile / across, tile % across,
        [=](long long channel, long long pixel, C sum) { dx[channel * pixels + pixel] = stored<T>::put(sum); });
  }
}

// ------------------------------------------------------------------------------------------ weight gradient

// dy of one group with images along the product's depth: filters x (images out_d out_h out_w).
template <class T> struct Gradients {
  const WindowArguments& s;
  const T* dy;
  ND_DEVICE compute_of<T> get(long long filter, long long column) const {
    const long long pixels = y_size(s), image = column / pixels;
    return stored<T>::get(dy[(image * s.groups * s.filters + filter) * pixels + column % pixels]);
  }
};

// The windows of all images, transposed: (images out_d out_h out_w) x (channels kernel_d kernel_h kernel_w).
template <class T> struct TurnedWindows {
  const WindowArguments& s;
  const T* images;
  ND_DEVICE compute_of<T> get(long long row, long long column) const {
    const long long pixels = y_size(s), image = row / pixels;
    const T* own = images + image * s.groups * s.channels * x_size(s);
    return Windows<T>{s, own}.get(column, row % pixels);
  }
};

// dw from x and dy (in place of w), for each group.
template <class T> ND_DEVICE void conv_weight_gradient(const WindowArguments& s) {
  using C = compute_of<T>;
  const long long taps = s.channels * kernel_size(s), pixels = y_size(s);
  const long long across = product_tiles(taps), tiles = product_tiles(s.filters) * across;
  for (long long i = blockIdx.x; i < tiles * s.groups; i += gridDim.x) {
    const long long group = i / tiles, tile = i % tiles;
    const Gradients<T> left{s, (const T*)s.w + group * s.filters * pixels};
    const TurnedWindows<T> right{s, (const T*)s.x + group * s.channels * x_size(s)};
    T* dw = (T*)s.y + group * s.filters * taps;
    product_tile<C>(left, right, s.filters, taps, s.images * pixels, tile / across, tile % across,
                    [=](long long filter, long long tap, C sum) { dw[filter * taps + tap] = stored<T>::put(sum); });
  }
}

// ------------------------------------------------------------------------------------------ columns

// The matrices of windows of all images and groups, for a library's matrix product.
template <class T> ND_DEVICE void image_to_columns(const WindowArguments& s) {
  const long long taps = s.channels * kernel_size(s), pixels = y_size(s);
  for (long long i = first_thread(); i < s.images * s.groups * taps * pixels; i += all_threads()) {
    const long long part = i / pixels / taps;
    const Windows<T> windows{s, (const T*)s.x + part * s.channels * x_size(s)};
    ((T*)s.y)[i] = stored<T>::put(windows.get(i / pixels % taps, i % pixels));
  }
}
