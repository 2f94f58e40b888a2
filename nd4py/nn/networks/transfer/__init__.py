"""Transfer learning: new networks from trained ones, and training behind frozen layers.

The files, as the build lists them:

- featurized_training.py: TransferLearningHelper: training behind frozen layers, on what these make of the examples
  once.
- transfer_learning.py: TransferLearning: a new network from a trained one, with layers frozen, replaced, removed or
  added.
"""
