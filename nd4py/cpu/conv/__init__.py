"""Convolution of images and its gradients.

The files, as the build lists them:

- conv.pyx: Convolution of images and its gradients.
- conv_bands.inc: Packed bands: the rows of one image that some output rows read, laid out so that a tap is one offset
  (see conv_tiles.inc).
- conv_forward.inc: Convolution forward: one task is one band of one group of one image.
- conv_input_gradient.inc: Gradient of a convolution's input: the forward steps backwards.
- conv_loops.h: Convolution and pooling loops of one instruction-set build, as the Cython drivers see them.
- conv_loops.inc: The three directions of a convolution on packed bands and register tiles (conv_bands.inc,
  conv_tiles.inc).
- conv_module.h: Convolution and pooling.
- conv_tiles.inc: Register tiles of the convolutions: matrix products of packed operands, one vector of pixels per lane
  group.
- conv_weight_gradient.inc: Gradient of a convolution's weights and bias: dot products of dy with packed bands over the
  pixels of many images.
- pointwise.pyx: Convolution with kernels of 1 x 1 at every pixel: one matrix product per image and group, y = w @ x +
  bias, and its input's gradient, dx = w.T @ dy.
- window_sizes.pyx: Windows that slide over images: the sizes that convolution and pooling share, checked.
"""
