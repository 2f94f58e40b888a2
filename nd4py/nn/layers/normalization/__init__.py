"""Layers that normalize what flows through a network.

The files, as the build lists them:

- batch_normalization.py: Batch normalization.
- layer_normalization.py: Layer normalization.
"""
