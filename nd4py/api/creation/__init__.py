"""Creation of arrays.

The files, as the build lists them:

- basic_creation.py: Array creation in host memory.
- creation.py: Array creation on the device that is asked for, else on the default one.
- data_types.py: Dtypes by name, type promotion, and the limits of dtypes.
- grids.py: Regularly spaced numbers, index grids and triangles.
- nested.py: Arrays of nested sequences: Python's numbers, NumPy's, arrays and buffers.
- shared_constants.py: Shared constant arrays.
- sharing.py: Arrays over the memory of other objects, without a copy.
"""
