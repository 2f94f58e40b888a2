"""Elements that index arrays or boolean masks name.

The files, as the build lists them:

- gather.pyx: Elements that index arrays name: read, written, or added to.
- index_arrays.pyx: Selections: the elements of an array that index arrays name.
- index_moves.h: Elements that index arrays name, copied from an array, written to it, or added to it.
- index_offsets.h: Where the elements lie that index arrays name.
- mask_loops.h: Elements that a boolean mask selects.
- masks.pyx: Elements that a boolean mask selects: read, written, or found.
- take_along.pyx: Elements of every line of a contiguous array, picked by their positions in it, and put back there.
"""
