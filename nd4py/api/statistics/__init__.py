"""Statistics, histograms, and functions of sampled data.

The files, as the build lists them:

- bin_widths.py: Bin widths of histograms by NumPy's rules.
- bins.py: Bins of histograms: their edges, and the elements in them.
- calculus.py: Derivatives and integrals of sampled functions.
- correlation.py: Convolution and correlation of two rows.
- differences.py: Differences between neighbouring elements.
- histograms.py: bincount, digitize and histograms.
- interpolation.py: Piecewise linear interpolation.
- polynomials.py: Polynomials by their coefficients.
- quantiles.py: Quantiles, by all of NumPy's methods.
- selected_variance.py: The variance of the elements that a mask selects, around a mean that may be given.
- statistics.py: Variance, standard deviation, averages, covariance and correlation coefficients.
"""
