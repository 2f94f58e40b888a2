"""Layers over images and sequences: convolution and pooling.

The files, as the build lists them:

- batch_blocks.py: Pixels of blocks as images of their own, and back.
- convolution.py: Convolution over images and volumes.
- deconvolution.py: Transposed convolution over images and volumes.
- depthwise.py: Depthwise and separable convolution over images.
- global_pooling.py: Pooling of whole images, volumes and sequences.
- locally_connected.py: Locally connected layers: windows over images and sequences with weights of their own at each
  position.
- pixel_blocks.py: Blocks of pixels as channels, and channels as blocks of pixels.
- pooling_types.py: Kinds of pooling: what the numbers of a window become.
- spatial_layer.py: SpatialLayer: the base class of layers without parameters that change the sizes of sequences, images
  or volumes.
- step_windows.py: Convolution and pooling over the steps of sequences, as images with a height of 1.
- subsampling.py: Pooling over images and volumes.
- upsampling.py: Upsampling of sequences, images and volumes.
- window.py: Sizes and padding of the windows of convolution and pooling, over sequences, images and volumes.
- windowed_layer.py: What layers with windows share, and WindowedLayer, the base class of convolutions.
- zero_padding.py: Zeros around sequences, images and volumes, and their opposite.
"""
