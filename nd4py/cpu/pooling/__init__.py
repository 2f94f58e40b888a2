"""Pooling of images and its gradients.

The files, as the build lists them:

- pool2d.pyx: Pooling of images and its gradients.
- pool_loops.inc: Pooling of whole planes.
- pool_quads.inc: Pooling by windows of 2 x 2 side by side, as many at a time as fit a vector: above each other lie a b
  and c d.
"""
