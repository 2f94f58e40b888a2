"""Factorizations, eigenvalues and singular values of stacks of matrices, by LAPACK.

The files, as the build lists them:

- determinant.h: The determinant of a factorized matrix.
- eigen_pairs.h: Eigenvalues and eigenvectors of a real matrix as complex numbers, from the form that LAPACK writes.
- eigen_svd.pyx: Eigenvalues, singular values and least squares of stacks of matrices.
- factorizations.pyx: Factorizations of stacks of matrices: LU (solve, inverse, determinant), Cholesky and QR.
- lapack.pyx: Function table of LAPACK, filled at first use.
- large_matrices.pyx: Factorizations of one large matrix by all threads.
- matrix_batch.pyx: Batches of matrices given to LAPACK one by one, shared among threads.
- matrix_copies.h: Copies of matrices between row-major and column-major order.
"""
