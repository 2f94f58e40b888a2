"""Convolution and pooling of images on devices.

The files, as the build lists them:

- cudnn_convolution.py: The cuDNN helper: convolutions and their gradients by NVIDIA's library.
- windows.py: Convolution and pooling of images and volumes on a device.
"""
