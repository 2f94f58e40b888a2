"""Recurrence and attention over sequences.

The files, as the build lists them:

- dot_product_attention.py: Attention of queries to keys.
- recurrence.py: Recurrent layers as functions: long short-term memory, gated recurrent units, simple recurrence.
- steps.py: Recurrent layers step by step, with any activation.
- tracked_recurrence.py: Recurrent layers of checked operands, with their gradients: those of the weights are one
  product over all steps.
"""
