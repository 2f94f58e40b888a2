"""Regularization: penalties of weights, and limits of gradients.

The files, as the build lists them:

- constraints.py: Constraints of weights, which a network applies after every update.
- dropouts.py: What changes the input of a layer at random while it trains: dropout in its kinds, and noise.
- gradient_normalization.py: Gradient clipping and normalization: per layer, per parameter, or all together.
- penalties.py: L1 and L2 regularization and weight decay, on weights and never on biases.
- rules.py: All settings of regularization that have a type of their own, by name.
- weight_noise.py: Noise of weights: what a network computes with in training in place of its weights.
"""
