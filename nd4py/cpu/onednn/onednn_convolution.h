// Convolutions and matrix products as operations of oneDNN.
#pragma once
#include <algorithm>
#include <initializer_list>

#include "onednn_operations.h"

namespace nd_onednn {

enum Direction { FORWARD, INPUT_GRADIENT, WEIGHT_GRADIENT, PRODUCT };

// A convolution in the numbers of oneDNN, in which no dilation is 0.  Images have two axes there, and volumes three.
struct Convolution {
  explicit Convolution(const WindowShape& s) : n_axes(int(s.n_axes)), n_dims(2 + n_axes), bias{s.groups * s.filters} {
    const bool is_grouped = s.groups > 1;
    w_dims = n_dims + is_grouped;
    w[0] = s.groups;
    set(x, {s.images, s.groups * s.channels}, {s.depth, s.height, s.width});
    set(y, {s.images, s.groups * s.filters}, {s.out_d, s.out_h, s.out_w});
    set(w + is_grouped, {s.filters, s.channels}, {s.kernel_d, s.kernel_h, s.kernel_w});
    set(strides, {}, {s.stride_d, s.stride_h, s.stride_w});
    set(dilation, {}, {s.dilation_d - 1, s.dilation_h - 1, s.dilation_w - 1});
    set(before, {}, {s.pad_front, s.pad_top, s.pad_left});
    set(after, {},
        {behind(s.out_d, s.stride_d, s.kernel_d, s.dilation_d, s.depth + s.pad_front),
         behind(s.out_h, s.stride_h, s.kernel_h, s.dilation_h, s.height + s.pad_top),
         behind(s.out_w, s.stride_w, s.kernel_w, s.dilation_w, s.width + s.pad_left)});
  }
  // The first numbers, and those of the axes that there are.
  void set(int64_t* to, std::initializer_list<int64_t> first, const int64_t (&axes)[3]) const {
    to = std::copy(first.begin(), first.end(), to);
    std::copy(axes + 3 - n_axes, axes + 3, to);
  }
  // The padding behind the image that the last window reaches into.
  static int64_t behind(int64_t out, int64_t stride, int64_t kernel, int64_t dilation, int64_t size) {
    const int64_t reach = (out - 1) * stride + (kernel - 1) * dilation + 1;
    return reach > size ? reach - size : 0;
  }
  int n_axes, n_dims, w_dims;
  Dims x, w, y, bias, strides, dilation, before, after;
};

// Describes one direction of a convolution whose layouts the library may choose.
inline bool describe(Operation& op, const Convolution& c, int direction, bool has_bias, Object attributes) {
  const Layout x(c.n_dims, c.x, SINGLE_PRECISION, ANY_LAYOUT), y(c.n_dims, c.y, SINGLE_PRECISION, ANY_LAYOUT);
  const Layout w(c.w_dims, c.w, SINGLE_PRECISION, ANY_LAYOUT), bias(1, c.bias, SINGLE_PRECISION, LAYOUT_OF_RANK + 1);
  Object forward = nullptr, *into = direction == FORWARD ? &op.described : &forward;
  const int kind = direction == FORWARD ? FORWARD_INFERENCE : FORWARD_TRAINING;
  if (call.convolution_forward_primitive_desc_create(into, engine, kind, DIRECT_CONVOLUTION, x.object, w.object,
                                                     has_bias ? bias.object : nullptr, y.object, c.strides, c.dilation,
                                                     c.before, c.after, attributes))
    return false;
  if (direction == FORWARD) return true;
  const int failed =
      direction == INPUT_GRADIENT
          ? call.convolution_backward_data_primitive_desc_create(&op.described, engine, DIRECT_CONVOLUTION, x.object,
                                                                 w.object, y.object, c.strides, c.dilation, c.before,
                                                                 c.after, forward, attributes)
          : call.convolution_backward_weights_primitive_desc_create(
                &op.described, engine, DIRECT_CONVOLUTION, x.object, w.object, has_bias ? bias.object : nullptr,
                y.object, c.strides, c.dilation, c.before, c.after, forward, attributes);
  call.primitive_desc_destroy(forward);
  return !failed;
}

inline bool add_operands(Operation& op, const Convolution& c, int direction, bool has_bias) {
  Object x = plain(c.n_dims, c.x, SINGLE_PRECISION), y = plain(c.n_dims, c.y, SINGLE_PRECISION);
  Object w = plain(c.w_dims, c.w, SINGLE_PRECISION);
  bool added;
  if (direction == FORWARD)
    added = add_operand(op, SOURCE, false, QUERY_SOURCE, 0, x) & add_operand(op, WEIGHTS, false, QUERY_WEIGHTS, 0, w) &
            add_operand(op, RESULT, true, QUERY_RESULT, 0, y);
  else if (direction == INPUT_GRADIENT)
    added = add_operand(op, RESULT_GRADIENT, false, QUERY_RESULT_GRADIENT, 0, y) &
            add_operand(op, WEIGHTS, false, QUERY_WEIGHTS, 0, w) &
            add_operand(op, SOURCE_GRADIENT, true, QUERY_SOURCE_GRADIENT, 0, x);
  else
    added = add_operand(op, SOURCE, false, QUERY_SOURCE, 0, x) &
            add_operand(op, RESULT_GRADIENT, false, QUERY_RESULT_GRADIENT, 0, y) &
            add_operand(op, WEIGHTS_GRADIENT, true, QUERY_WEIGHTS_GRADIENT, 0, w);
  if (!has_bias) return added;
  Object bias = plain(1, c.bias, SINGLE_PRECISION);
  if (direction == FORWARD) return added & add_operand(op, BIAS, false, QUERY_WEIGHTS, 1, bias);
  return added & add_operand(op, BIAS_GRADIENT, true, QUERY_WEIGHTS_GRADIENT, 1, bias);
}

// An attribute that asks for our memory to work in; the caller destroys it.
inline Object make_attributes() {
  Object attributes = nullptr;
  if (call.primitive_attr_create(&attributes)) return nullptr;
  call.primitive_attr_set_scratchpad_mode(attributes, USER_SCRATCHPAD);
  return attributes;
}

inline std::shared_ptr<Operation> find_convolution(const WindowShape& s, int direction, bool has_bias, int n_threads) {
  const Key key{direction,    has_bias,     n_threads,  s.n_axes,    s.images,   s.groups,   s.channels,
                s.depth,      s.height,     s.width,    s.filters,   s.kernel_d, s.kernel_h, s.kernel_w,
                s.stride_d,   s.stride_h,   s.stride_w, s.pad_front, s.pad_top,  s.pad_left, s.dilation_d,
                s.dilation_h, s.dilation_w, s.out_d,    s.out_h,     s.out_w};
  return find_operation(key, [&](Operation& op) {
    const ThreadCount limit(n_threads);
    const Convolution c(s);
    Object attributes = make_attributes();
    const bool made =
        describe(op, c, direction, has_bias, attributes) && add_operands(op, c, direction, has_bias) && finish(op);
    if (attributes) call.primitive_attr_destroy(attributes);
    return made;
  });
}

typedef void* (*Allocate)(size_t n_bytes);
typedef void (*Release)(void* block, size_t n_bytes);

// Runs one direction; false where the library has no fast way or failed.  operands: forward x, w, y, bias;
// input gradient dy, w, dx;  weight gradient x, dy, dw, dbias.
inline bool convolve(const WindowShape& s, int direction, bool has_bias, int n_threads, char* const* operands,
                     Allocate allocate, Release release) {
  const std::shared_ptr<Operation> op = find_convolution(s, direction, has_bias, n_threads);
  if (!op->primitive) return false;
  const size_t n_bytes = workspace_bytes(*op) + 64;
  char* workspace = static_cast<char*>(allocate(n_bytes));
  if (!workspace) return false;
  const bool done = run_operation(*op, operands, workspace, n_threads);
  release(workspace, n_bytes);
  return done;
}

}  // namespace nd_onednn
