"""Linear algebra: the array API's extension, and what NumPy has besides.

The files, as the build lists them:

- determinants.py: Determinants.
- eigen.py: Eigenvalues and eigenvectors.
- factorizations.py: Cholesky, QR and singular value decompositions.
- least_squares.py: Least squares, for matrices that need not have full rank.
- matrices.py: Checks of matrix operands, and LinAlgError.
- matrix_gradients.py: Functions that the gradients of decompositions share.
- matrix_products.py: Products in the standard's linear algebra, whose matrices lie along the last two axes.
- norms.py: Norms of vectors and matrices, and condition numbers.
- ranks.py: Ranks and pseudoinverses, for matrices that need not have full rank.
- solving.py: Systems of linear equations, and inverses.
- tensor_equations.py: Linear equations and inverses of tensors: the axes of a tensor in two groups are the rows and
  columns of a matrix.
"""

from ..manipulation.manipulation import matrix_transpose
from ..products.matmul import matmul
from ..products.tensor_products import tensordot, vecdot
from .determinants import det, slogdet
from .eigen import eig, eigh, eigvals, eigvalsh
from .factorizations import cholesky, qr, svd, svdvals
from .least_squares import lstsq
from .matrices import LinAlgError
from .matrix_products import cross, diagonal, matrix_power, multi_dot, outer, trace
from .norms import cond, matrix_norm, norm, vector_norm
from .ranks import matrix_rank, pinv
from .solving import inv, solve
from .tensor_equations import tensorinv, tensorsolve

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
