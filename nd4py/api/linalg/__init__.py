"""Linear algebra: the array API's extension, and what NumPy has besides."""

from ..linear import matmul
from ..manipulation import matrix_transpose
from ..products import cross, tensordot, vecdot
from .determinants import det, slogdet
from .eigen import eig, eigh, eigvals, eigvalsh
from .factorizations import cholesky, qr, svd, svdvals
from .least_squares import lstsq
from .matrices import LinAlgError
from .norms import cond, matrix_norm, norm, vector_norm
from .products import diagonal, matrix_power, multi_dot, outer, trace
from .ranks import matrix_rank, pinv
from .solving import inv, solve

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
    "trace",
    "vecdot",
    "vector_norm",
]
