"""Copies and conversions between layouts and dtypes, transposition, repetition.

The files, as the build lists them:

- cast_loops.inc: Conversions between every pair of dtypes.
- cast_vectors.inc: Numbers to words of their size and more, by AVX-512's own conversions: what is beyond a word's range
  becomes its least number, or the greatest where it has no sign, and only the rest is chosen here.
- move_module.h: Conversions between dtypes, copies that transpose, and copies past the caches.
- repeat.pyx: Slices along one axis written several times over, each its own number of times.
- stream_loops.inc: Copies past the caches: stores that do not read what they overwrite first.
- strided_copy.pyx: Copy elements from one layout to another, in parallel over whole lines of the result, or bands of
  several.
- strided_copy_loops.inc: Copies of two-dimensional pieces, rows by columns, of elements that are moved as words of
  their size.
- strided_lines.h: Elements of one or two strided operands in C order, walked in lines of constant stride.
- transpose.pyx: A transposed matrix copied row after row, so that the elements of each row are neighbours.
"""
