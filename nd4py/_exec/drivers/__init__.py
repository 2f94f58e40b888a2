"""Functions that the host and devices each have drivers of, and what is made of others where a device has none.

The files, as the build lists them:

- correlations.py: Sums of products of a short row with every part of a long one.
- counts_by_search.py: Counts and sums by position or by bin on devices: the borders between numbers are searched for
  among sorted ones.
- driver_table.py: Functions that the host and devices each have drivers of: a table of what is called where.
- equal_groups.py: Groups of equal elements on devices: neighbours in sorted lines that differ begin a group.
- factorization_drivers.py: Factorizations of stacks of matrices, wherever they are: LAPACK's on the host, those of a
  device's library there.
- fourier_drivers.py: Drivers of Fourier transforms, wherever the arrays are.
- fused_reductions.pyx: Variance, log-sum-exp, softmax and standardizing: kernels of their own over untracked arrays of
  real floats.
- index_drivers.py: Elements named by indices along one axis on devices: a few drivers of the backend, and what is made
  of them.
- matmul.pyx: Matrix products: operands as their driver takes them, and gradients.
- repeats.py: Slices along an axis, each as often as a count says.
- statistics_drivers.py: Variance, log-sum-exp, softmax and standardizing by kernels of their own, wherever the arrays
  are.
- window_drivers.py: Convolution and pooling, which the host and devices each have drivers of.
"""
