"""Products and factorizations on devices, by the libraries that CuPy brings.

The files, as the build lists them:

- factorizing.py: Matrix factorizations and Fourier transforms on a device.
- products.py: Matrix products on a device: by its library where that has the dtype, else by the kernels in
  kernels/cuda/matmul.cu.
"""
