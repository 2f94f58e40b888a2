"""Convolution and pooling of images and volumes.

The files, as the build lists them:

- convolution.py: Convolution of images and volumes.
- pooling.py: Pooling of images and volumes.
- window_arguments.py: Checks of what convolution and pooling of images and volumes are given.
"""
