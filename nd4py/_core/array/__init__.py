"""The array: its class, its methods and operators, and what becomes of arrays without memory.

The files, as the build lists them:

- array.pyx: NDArray: typed elements in memory, seen through a ShapeInfo.
- array_base.pyx: ArrayBase: what arrays on the host and on devices have in common, which is everything but their
  memory.
- array_objects.h: Objects of arrays that ended are kept for the next ones.
- exits.pyx: Where values leave the tape: whatever hands out those of an array that is being differentiated asks here
  first.
- extending.pyx: Methods and properties of arrays that are written in other files; an array's own is long enough.
- methods.pyx: Methods of arrays that are functions of the namespace too, as NumPy has them.
- operators.pyx: Which row of the table is behind each of Python's operators.
- released.pyx: What arrays become when their memory is taken away, or when they can never have any.
- type_change.h: Arrays that change their type: one that lost its memory, or has none yet, is no NDArray, so that no
  operation on arrays need ever ask.
- workspace_methods.pyx: Methods of arrays about where their memory is, and how it goes back.
"""
