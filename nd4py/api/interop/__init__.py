"""Arrays for other libraries, for pickle, and for people to read.

The files, as the build lists them:

- dask_chunks.py: Our arrays as chunks of dask arrays, and beside them in operators.
- dask_creation.py: Creation of dask arrays whose chunks are our arrays, as dask is configured with `array.backend:
  nd4py`.
- dask_sizes.py: Sizes of our arrays as dask sees them, by which it places tasks and keeps within a worker's memory.
- einops_backend.py: The backend by which einops works on our arrays: `rearrange`, `reduce`, `repeat`, `einsum`, `pack`.
- number_texts.py: Integers as texts of digits.
- numpy_protocols.py: NumPy's functions applied to our arrays: NEP 13 (`__array_ufunc__`) and NEP 18
  (`__array_function__`).
- pickling.py: Arrays in pickles: out of band, without a copy, from protocol 5 on (PEP 574).
- printing.py: Text of arrays, and their conversion to NumPy arrays.
- registrations.py: Registration with libraries that take arrays of registered types alone: einops and dask.
- subclassed_array.py: SubclassedArray: the base of classes that programs derive from `nd4py.ndarray`.
"""
