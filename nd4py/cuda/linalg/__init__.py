"""Factorizations on devices, by the libraries that CuPy brings.

The files, as the build lists them:

- factorizing.py: Matrix factorizations and Fourier transforms on a device.
- linalg_library.py: Library routines for matrix factorizations and Fourier transforms on devices.
"""
