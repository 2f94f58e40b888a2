"""Products and factorizations on devices, by the libraries that CuPy brings.

The files, as the build lists them:

- factorizing.py: Matrix factorizations and Fourier transforms on a device.
- linalg_library.py: Library routines for matrix factorizations and Fourier transforms on devices.
- products.py: Matrix products on a device: by its library where that has the dtype, else by the kernels in
  kernels/cuda/matmul.cu.
"""
