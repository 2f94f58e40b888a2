"""Sorting, searching and sets.

The files, as the build lists them:

- searching.py: Places in sorted arrays.
- sets.py: Arrays as sets: their different elements, and whether elements are among others.
- sorting.py: Elements in order: sorted arrays, and the positions of their elements.
"""
