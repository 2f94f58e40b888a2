"""Convolution by the oneDNN library, where it is installed and faster.

The files, as the build lists them:

- onednn.pyx: The oneDNN helper: convolutions by an optional library.
- onednn_api.h: Functions of oneDNN's C interface, found at run time.
- onednn_convolution.h: Convolutions and matrix products as operations of oneDNN.
- onednn_operations.h: Cache of oneDNN operations.
"""
