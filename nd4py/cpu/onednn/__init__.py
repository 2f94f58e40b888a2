"""Convolution by the oneDNN library, where it is installed and faster.

The files, as the build lists them:

- onednn.pyx: The oneDNN helper: convolutions by the library of the wheel onednn-cpu-gomp, where it is installed and
  faster.
- onednn_api.h: The functions of oneDNN's C interface that are used, found at run time, so that nothing of it is needed
  to build.
- onednn_convolution.h: Convolutions and matrix products as operations of oneDNN.
- onednn_operations.h: Operations of oneDNN: made once for each shape and number of threads, kept, and run in memory of
  our pool.
"""
