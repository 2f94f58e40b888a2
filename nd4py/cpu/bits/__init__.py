"""Bits of whole numbers.

The files, as the build lists them:

- bit_loops.h: Loops over bits: bytes packed and unpacked, bits counted, and whole lines joined by and, or, exclusive
  or.
- bits.pyx: Bits of whole numbers: packed into bytes, unpacked, counted, and joined along an axis.
"""
