"""Recordings: what a function of arrays runs, noted operation by operation.

The files, as the build lists them:

- made_arrays.py: Arrays that a function makes by itself while it is recorded, and writes elements to that are recorded.
- recorded_array.pyx: RecordedArray: an array inside of a function whose operations are recorded.
- recorded_elements.py: Operations on elements, recorded as the row which runs for their operands.
- recorded_indexing.py: Indexing with arrays, recorded: which elements they name along which axes.
- recorded_operands.py: Operands and results of operations that are recorded.
- recorded_writes.py: Writing to arrays that are recorded: from then on another value stands for them.
- recording_backend.py: The family of arrays that are recorded, as dispatch sees it.
- recording_rules.py: Rules for recordings: an operation runs on the arrays of the example, and is noted with its
  operands.
- recordings.py: Recordings: the operations that a function ran, from its inputs to its results.
- running_results.py: Scans, recorded, and their gradients, which are operations of their own.
"""
