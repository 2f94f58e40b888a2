"""The array: its class, methods and operators, and arrays whose memory was released.

The files, as the build lists them:

- array.pyx: NDArray: an array in host memory.
- array_base.pyx: ArrayBase: the base class of arrays on the host and on devices, with all that does not depend on their
  memory.
- array_type.py: ArrayType: the class of the class NDArray, which lets programs derive classes from it.
- exits.pyx: The check that refuses to hand out values of an array that is being differentiated.
- methods.pyx: Methods of arrays that are also functions of the namespace, as in NumPy.
- numpy_methods.pyx: Methods and attributes that NumPy's arrays have beside: fill, sort, view, flat, flags, base, put
  and others; and the method by which Arrow's libraries take arrays.
- operators.pyx: The row of the table behind each of Python's operators.
- released.pyx: Released arrays: the objects of arrays whose memory was freed; every use of them raises an error.
- workspace_methods.pyx: Methods of arrays about their workspace, and about releasing their memory.
"""
