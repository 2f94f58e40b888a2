"""Bits of whole numbers.

The files, as the build lists them:

- bit_loops.h: Loops over bits: bytes packed and unpacked, bits counted, and whole lines joined by and, or, exclusive
  or.
- bits.pyx: Bits of whole numbers: packed into bytes, unpacked, counted, and joined along an axis; and the parts of real
  ones.
- mantissa_loops.h: Mantissas and exponents of real numbers, in one pass: two results of different sizes, for which rows
  have no loops.
"""
