"""The gradient of scans on devices.

The files, as the build lists them:

- scan_gradients.py: Gradients with kernels of their own: those of scans.
"""
