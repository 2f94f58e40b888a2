"""Products of vectors, matrices and tensors.

The files, as the build lists them:

- contraction.py: The contraction plan of an einsum: which operands are contracted in which order, and by which
  operation.
- contraction_paths.py: einsum_path: the order in which einsum contracts its operands.
- diagonals.py: Diagonals of matrices.
- einstein.py: einsum: sums of products in Einstein's notation.
- einsum_operands.py: The operands of einsum in one dtype, and in the order in memory that is asked for.
- matmul.py: Matrix products.
- subscripts.py: The parser of einsum's subscripts.
- tensor_products.py: Products of vectors and tensors: dot, tensordot, outer, kron, cross, and of matrices with vectors.
"""
