"""Statistics, histograms, and functions of sampled data.

The files, as the build lists them:

- bin_widths.py: Bin widths of histograms by NumPy's rules.
- bins.py: Bins of histograms: their edges, and the elements in them.
- calculus.py: Derivatives and integrals of sampled functions.
- correlation.py: Convolution and correlation of two rows.
- differences.py: Differences between neighbouring elements.
- grid_histograms.py: Histograms of points: how many lie in each cell of a grid.
- histograms.py: bincount, digitize and histograms.
- interpolation.py: Piecewise linear interpolation.
- phases.py: Differences of flattened arrays, and angles without jumps.
- poly1d.py: poly1d: a polynomial as an object, that can be called, added, multiplied, divided and printed.
- polynomial_arithmetic.py: Sums, products, quotients, derivatives, integrals and roots of polynomials.
- polynomial_fits.py: Polynomials fitted to points by least squares.
- polynomials.py: Polynomials by their coefficients.
- quantiles.py: Quantiles, by all of NumPy's methods.
- selected_variance.py: The variance of the elements that a mask selects, around a mean that may be given.
- statistics.py: Variance, standard deviation, averages, covariance and correlation coefficients.
"""
