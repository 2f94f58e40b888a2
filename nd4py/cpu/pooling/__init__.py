"""Pooling of images and its gradients.

The files, as the build lists them:

- pool2d.pyx: Drivers of pooling and its gradients.
- pool_loops.inc: Pooling loops over whole planes.
- pool_quads.inc: Pooling loops for windows of 2 x 2 side by side.
"""
