"""Products of vectors, matrices and tensors.

The files, as the build lists them:

- contraction.py: The plan of an einsum: which operands are contracted in which order, and by which operation.
- diagonals.py: The diagonals of matrices.
- einstein.py: Sums of products in Einstein's notation.
- matmul.py: Matrix products.
- subscripts.py: Einstein's notation: from subscripts to labels of axes.
- tensor_products.py: Products of vectors and tensors, made of matrix products.
"""
