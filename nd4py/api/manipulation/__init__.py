"""Reshaping, joining, repeating and padding.

The files, as the build lists them:

- editing.py: Arrays with slices taken out, put in, repeated or cut off: delete, insert, resize, trim_zeros and
  rollaxis.
- joining.py: NumPy's other names for joining and cutting: append, block, column_stack, dstack, hsplit and their like.
- manipulation.py: Reshaping and joining.
- packed_bits.py: Bits packed into bytes, and unpacked.
- padding.py: Padding.
- rearranging.py: roll, tile, meshgrid, tril, triu, diag, fliplr, flipud and rot90.
- repeating.py: repeat: slices repeated, each as often as a count says.
- shapes.py: The shape of what may be an array or a list: NumPy's functions for it.
- splitting.py: split, array_split and unstack.
- statistical_padding.py: Padding with statistics of the edges, ramps, mirrored slopes, and functions.
- striding.py: Views with any strides, none of which leads out of the array's memory: as_strided and
  sliding_window_view.
"""
