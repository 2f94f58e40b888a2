"""The gradient of scans on devices.

The files, as the build lists them:

- scan_gradients.py: Gradients of scans, by kernels of their own.
"""
