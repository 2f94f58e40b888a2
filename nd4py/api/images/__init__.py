"""Convolution and pooling of images.

The files, as the build lists them:

- convolution.py: Convolution and pooling of images, (images, channels, height, width).
"""
