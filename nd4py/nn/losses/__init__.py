"""Loss functions.

The files, as the build lists them:

- classification.py: Losses of outputs that are classes or bits.
- ctc.py: CTCLoss: sequences of labels without their places in time.
- loss.py: Loss: the base class of losses that have settings, and what all losses are made of.
- losses.py: Loss functions by name: (labels, pre-activation, activation's name) to the losses of a batch.
- mixture_density.py: MixtureDensityLoss: outputs that are a mixture of normal distributions.
- regression.py: Losses of outputs that are numbers.
"""
