"""Batches: operations on the arrays of many examples as a function of one example sees them.

The files, as the build lists them:

- batch_backend.py: The family of arrays of a batch, as dispatch sees it.
- batch_operands.py: Operands of operations in a batch: which batch it is, and what belongs to it.
- batched_array.pyx: BatchedArray: the same array of every example of a batch, as a function of one example sees it.
- batched_gradients.py: Gradients of irregular functions of arrays of a batch.
- driver_rules.py: Rules for the drivers of irregular operations, which the tape does not know, in a batch.
- indexing_rules.py: Rules for indexing with arrays in a batch: an index array of the examples' own numbers stands
  before the others.
- open_batches.py: Batches: calls of functions over all examples at once.
- row_rules.py: Rules for batches: what an operation on arrays of a batch is on their values.
- scan_rules.py: Rules for scans in a batch: their axis counts one more.
"""
