"""Convolution of images and its gradients.

The files, as the build lists them:

- conv.pyx: Drivers of convolution and its gradients.
- conv_bands.inc: Packed input bands of a convolution.
- conv_depthwise.inc: Convolutions whose groups have one channel and few filters: depthwise ones.
- conv_forward.inc: Forward loop of a convolution.
- conv_input_gradient.inc: Gradient loop for a convolution's input: the forward steps backwards.
- conv_loops.h: Convolution and pooling loops of one instruction set, as the Cython drivers see them.
- conv_loops.inc: The three directions of a convolution on packed bands and register tiles (conv_bands.inc,
  conv_tiles.inc), and others.
- conv_module.h: Extension module of the convolution and pooling loops.
- conv_tiles.inc: Register tiles of the convolutions.
- conv_weight_gradient.inc: Gradient loop for a convolution's weights and bias.
- conv_winograd.inc: Convolutions with kernels of 3 x 3 elements, and the gradients of their inputs, in 16
  multiplications for 36.
- conv_winograd_weights.inc: Gradient of 3 x 3 kernels in 16 multiplications for 36, from tiles of 2 x 2 gradients of
  results and the 4 x 4 elements that these were made of: the transpose of conv_winograd.inc.
- pointwise.pyx: Convolution with 1 x 1 kernels, as matrix products.
- window_sizes.pyx: Sizes of sliding windows, checked, for convolution and pooling.
"""
