"""Creation of arrays.

The files, as the build lists them:

- abstract_dtypes.py: NumPy's abstract kinds of dtypes, `nd.floating` and its like, and `issubdtype`.
- basic_creation.py: Array creation in host memory.
- constructing.py: What NumPy's class makes when it is called: an array of a shape, over the memory of another object if
  one is given.
- creation.py: Array creation on the device that is asked for, else on the default one.
- data_types.py: Dtypes by name, type promotion, and the limits of dtypes.
- dtype_names.py: NumPy's other names: of dtypes, after the types of C, and of the classes of arrays and dtypes.
- dtype_rules.py: Dtypes found for values: the common one of several, the smallest one of a number.
- generating.py: Arrays of what a function, an iterator or a text gives: fromfunction, fromiter and fromstring;
  diagflat.
- grid_keys.py: Arrays written as an index: mgrid, ogrid, r_ and c_; s_ and index_exp, which give the index itself; ix_.
- grids.py: Regularly spaced numbers, index grids and triangles.
- memory_order.py: Arrays in an order in memory, C or Fortran: asfortranarray, ascontiguousarray, copy, require and
  their like.
- nested.py: Arrays of nested sequences: Python's numbers, NumPy's, arrays and buffers.
- shared_constants.py: Shared constant arrays.
- sharing.py: Arrays over the memory of other objects, without a copy.
- signal_windows.py: Windows: weights that fade out toward the ends of a signal.
- spaced_arrays.py: Evenly spaced numbers between the elements of arrays: what linspace, logspace and geomspace do for
  array ends.
"""
