"""Counting elements by bin.

The files, as the build lists them:

- histogram.pyx: Counts of elements by bin, for bincount and histograms.
- histogram_loops.h: Histogram loops: the number of elements, or the sum of weights, in each bin.
"""
