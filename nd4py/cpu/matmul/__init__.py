"""Matrix products, by BLAS or by loops of our own, and correlation of two rows.

The files, as the build lists them:

- blas.pyx: The BLAS library: found and opened at first use, called through a small table of function pointers.
- correlation.pyx: Correlation of two rows, by the loops of multiply_add.
- integer_matmul.h: Matrix products of integers and bools; any strides.
- long_products.pyx: Matrix products with long sums and a small result, and dot products: the sums are cut into runs,
  which threads share.
- matmul.pyx: Matrix products of one dtype: stacks are broadcast, transposed operands are read where they lie.
- product_loops.h: Matrix products of one instruction-set build, as the Cython driver sees them.
- product_loops.inc: Matrix products on register tiles.
- product_module.h: Matrix products.
- product_packing.inc: Operands of matrix products as register tiles read them: packed, or where they lie.
- product_pairs.inc: Matrix products of bfloat16 by AVX512_BF16, which adds two products at a time to sums in single
  precision.
- product_pieces.pyx: How much of a matrix product is worked on at a time: what the caches hold, and what a signal can
  wait for.
- product_tiles.inc: Register tiles of matrix products: a few rows of a times a few vectors of columns of b.
- small_products.h: Products too small for a call of BLAS: short dot products, and matrices of a few rows and columns.
"""
