"""Loss functions.

The files, as the build lists them:

- losses.py: Loss functions by name: (labels, pre-activation, activation's name) to the losses of a batch.
"""
