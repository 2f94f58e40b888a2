"""Statistics, histograms, and functions of sampled data.

The files, as the build lists them:

- bin_widths.py: How wide the bins of a histogram should be, by the rules that NumPy names.
- bins.py: Bins of a histogram: where they begin and end, and what falls into them.
- calculus.py: Derivatives and integrals of sampled functions.
- correlation.py: Convolution and correlation of two rows.
- differences.py: Differences between neighbours.
- histograms.py: Counting numbers, and elements by bin.
- interpolation.py: Piecewise linear interpolation.
- polynomials.py: Polynomials by their coefficients.
- quantiles.py: Quantiles: elements of the sorted array, or points between them.
- statistics.py: Statistics made of several reductions and elementwise rows.
"""
