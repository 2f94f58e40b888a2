"""Copies and conversions between layouts and dtypes, transposition, repetition.

The files, as the build lists them:

- cast_loops.inc: Conversion loops between every pair of dtypes.
- cast_vectors.inc: Conversions of floats to integers by AVX-512's own instructions.
- move_module.h: Extension module of the conversion and copy loops.
- repeat.pyx: Repetition of slices along one axis, each its own number of times.
- stream_loops.inc: Copies past the caches.
- strided_copy.pyx: Copies from one layout to another, in parallel.
- strided_copy_loops.inc: Strided copies of two-dimensional pieces, rows by columns.
- strided_lines.h: Lines of constant stride, in which one or two strided operands are walked in C order.
"""
