"""Factorizations, eigenvalues and singular values of stacks of matrices, by LAPACK.

The files, as the build lists them:

- determinant.h: The determinant of a factorized matrix, carried as a fraction and a power of two, so that no partial
  product overflows.
- eigen_pairs.h: The eigenvalues and eigenvectors of a real matrix as LAPACK writes them, as complex numbers.
- eigen_svd.pyx: Eigenvalues, singular values and least squares of stacks of matrices.
- factorizations.pyx: Factorizations of stacks of matrices: LU (solve, inverse, determinant), Cholesky and QR.
- lapack.pyx: LAPACK, from the library that has BLAS: a table of its functions, filled at first use.
- large_matrices.pyx: Factorizations of one large matrix by all threads.
- matrix_batch.pyx: Stacks of matrices given to LAPACK one by one, shared among threads.
- matrix_copies.h: Moving matrices between rows, as arrays hold them, and columns, as LAPACK wants them; looking for NaN
  and infinity.
"""
