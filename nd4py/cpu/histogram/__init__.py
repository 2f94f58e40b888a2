"""Counting elements by bin.

The files, as the build lists them:

- histogram.pyx: Counting elements by bin, for bincount and histograms.
- histogram_loops.h: Counting: how many elements, or which sum of weights, fall into each bin.
"""
