"""Drivers: functions that the host and devices each implement in their own way.

The files, as the build lists them:

- attentions.py: Attention: in blocks on the host, with the matrix of all pairs elsewhere.
- bits_by_rows.py: Bits packed, unpacked and counted, and parts of numbers, by rows, for backends that have no loops for
  it.
- correlations.py: Correlation of two rows.
- counts_by_search.py: Histograms and counts on devices, by binary search.
- driver_table.py: The table of drivers: which function the host and a device run under one name.
- equal_groups.py: Groups of equal elements on devices, by sorting.
- factorization_drivers.py: Matrix factorizations by LAPACK on the host, by the device's library on devices.
- fourier_drivers.py: Drivers of Fourier transforms on the host and on devices.
- fused_reductions.pyx: Variance, log-sum-exp, softmax and standardizing as one kernel each, over untracked arrays of
  real floats.
- index_drivers.py: Indexing along one axis on devices.
- matmul.pyx: Matrix products, in place too, and their gradients.
- partitions_by_sort.py: Partitions on devices: lines in order are partitioned everywhere.
- recurrences.py: Recurrent layers: all steps in one loop on the host, step by step elsewhere.
- recurrent_steps.py: Recurrent layers step by step, of other operations: for devices, for batches, and with any
  activation.
- repeats.py: repeat: slices along an axis, each as often as a count says.
- segment_reductions.py: Reductions of segments along an axis: in one loop on the host, a call for each segment
  elsewhere.
- statistics_drivers.py: Variance, log-sum-exp, softmax and standardizing, on the host and on devices.
"""
