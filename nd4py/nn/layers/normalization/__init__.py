"""Layers that normalize what flows through a network.

The files, as the build lists them:

- batch_normalization.py: Batch normalization.
- group_normalization.py: Group normalization.
- layer_normalization.py: Layer normalization.
- local_response.py: Local response normalization.
- root_mean_square.py: Normalization by the root of the mean of squares.
"""
