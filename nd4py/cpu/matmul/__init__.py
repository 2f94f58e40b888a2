"""Matrix products, by BLAS or by loops of our own, and correlation of two rows.

The files, as the build lists them:

- blas.pyx: Function table of the BLAS library, which is found and opened at first use.
- correlation.pyx: Correlation of two sequences, by the loops of multiply_add.
- integer_matmul.h: Matrix products of integers and bools, with any strides.
- long_products.pyx: Matrix products with long sums and a small result, and dot products.
- matmul.pyx: Matrix products of one dtype.
- product_loops.h: Matrix-product loops of one instruction set, as the Cython driver sees them.
- product_loops.inc: Matrix products on register tiles.
- product_module.h: Extension module of the matrix-product loops.
- product_packing.inc: Packing of matrix operands for register tiles.
- product_pairs.inc: Matrix products of bfloat16 by AVX512_BF16.
- product_pieces.pyx: Sizes of the pieces in which a matrix product is computed.
- product_tiles.inc: Register tiles of matrix products.
- run_product.pyx: Running a matrix product that has been cut into panels: every panel of every matrix of a stack, by
  all threads.
- small_products.h: Small matrix products and short dot products, not worth a call of BLAS.
- strided_matrix.h: Where a matrix lies: strides in bytes from row to row and from column to column.
"""
