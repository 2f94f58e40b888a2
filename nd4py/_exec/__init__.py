"""Execution: from a call to a result, and its record on the tape.

The files, as the build lists them:

- autodiff/: Automatic differentiation: the tape, its nodes, and changes that happen as a whole or not at all.
- batching/: Batches: operations on the arrays of many examples as a function of one example sees them.
- concat.pyx: Concatenation and stacking.
- constants.py: Constants: shared read-only arrays.
- conversion.pyx: Copies, casts, fills, assignment and Python scalars.
- copying.pyx: Copies between layouts and dtypes: conversions, fills, and operands that share memory.
- creation.pyx: New arrays in host memory: uninitialised, filled with one value, or with the numbers of nested lists.
- device/: Devices: where arrays are made, and operations on arrays that are not on the host.
- dispatch/: Dispatch: from a call to the row of the table, its dtypes and shapes, and the loop that runs it.
- drivers/: Drivers: functions that the host and devices each implement in their own way.
- indexing/: Indexing with arrays: x[key] and x[key] = value, on the host and on devices.
- lazy/: The lazy engine on the host: which operations are deferred, and the pass over memory that runs them.
- loss_operands.py: Operands of losses: outputs first, labels last.
- order_in_memory.py: The order of elements in memory: C's, or Fortran's.
- pairwise.py: Elements along an axis joined by a function of two arrays: log2(n) calls in any order, n - 1 in the given
  one.
- random_source.py: The source of random numbers: one stream for the host and for devices.
- recording/: Recordings: what a function of arrays runs, noted operation by operation.
- reductions.pyx: Reductions: their axes and results, then the driver of the host or the device.
- scans.pyx: Scans such as cumulative sums: their axis and dtypes, then the driver; and their gradient.
- upcalls.pyx: The upcalls that this layer fills in.
"""
