"""Indexing by index arrays and boolean masks.

The files, as the build lists them:

- gather.pyx: Reading and writing of elements through index arrays, and rows that join values to them.
- index_arrays.pyx: Index arrays as a selection of an array's elements.
- index_joins.h: Loops that join values to single elements through indices, for the rows of two operands that are cheap.
- index_moves.h: Loops that read or write elements through index arrays, or join values to them.
- index_offsets.h: Byte offsets of the elements that index arrays name.
- mask_loops.h: Loops over the elements that a boolean mask selects.
- masks.pyx: Reading, writing and finding of elements by a boolean mask.
- take_along.pyx: Elements of every line by their positions in it, taken and put back.
"""
