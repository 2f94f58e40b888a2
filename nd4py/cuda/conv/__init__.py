"""Convolution and pooling of images on devices.

The files, as the build lists them:

- cudnn_convolution.py: The cuDNN helper: convolutions and their gradients by NVIDIA's library, through its Python front
  end `cudnn`.
- windows.py: Convolution and pooling of images on a device: dense operands, the sizes of a window, then one launch.
"""
