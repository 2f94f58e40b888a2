"""Making arrays.

The files, as the build lists them:

- basic_creation.py: Arrays made in host memory, for `creation` and for all code of our own that needs them there.
- creation.py: Making arrays, on the device that is asked for or else on the default one.
- data_types.py: Dtypes by name, what they promote to, and what they can hold.
- grids.py: Arrays of regularly spaced numbers and of positions.
- nested.py: Arrays of nested sequences: of Python's numbers, NumPy's, and of arrays and buffers.
- shared_constants.py: Arrays that are shared by all who ask for the same numbers.
- sharing.py: Arrays over the memory of other objects.
"""
