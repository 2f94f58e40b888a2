"""Factorizations on devices, by the libraries that CuPy brings.

The files, as the build lists them:

- factorizing.py: Factorizations of stacks of matrices, and Fourier transforms, on a device: results for a library's
  routines to write.
- linalg_library.py: What devices take from a library: factorizations of matrices and Fourier transforms.
"""
