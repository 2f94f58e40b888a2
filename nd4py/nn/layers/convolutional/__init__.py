"""Layers over images and sequences: convolution and pooling.

The files, as the build lists them:

- convolution.py: Convolution over images.
- subsampling.py: Pooling over images.
- window.py: Sizes and padding of the windows of convolution and pooling.
"""
