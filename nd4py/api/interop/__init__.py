"""Arrays for other libraries, for pickle, and for people to read.

The files, as the build lists them:

- number_texts.py: Integers as texts of digits.
- numpy_protocols.py: NumPy's functions applied to our arrays: NEP 13 (`__array_ufunc__`) and NEP 18
  (`__array_function__`).
- pickling.py: Arrays in pickles: out of band, without a copy, from protocol 5 on (PEP 574).
- printing.py: Text of arrays, and their conversion to NumPy arrays.
"""
