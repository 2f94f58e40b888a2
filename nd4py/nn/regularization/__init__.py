"""Regularization: penalties of weights, and limits of gradients.

The files, as the build lists them:

- gradient_normalization.py: Gradient clipping and normalization: five ways, each per layer or per parameter.
- penalties.py: L1 and L2 regularization and weight decay, on weights and never on biases.
"""
