"""Distributions of vectors."""

from __future__ import annotations

from math import prod

from ..._core.annotations import Sizes
from ..._core.array.array import NDArray
from ..._core.whole_numbers import named, real
from ..._exec.random_source import drawing_device
from ..arguments import tells_its_name
from ..elementwise.elementwise import add, divide, log, maximum, multiply, sqrt
from ..linalg.eigen import eigh
from ..linalg.factorizations import cholesky, svd
from ..products.matmul import matmul
from ..reductions.normalization import softmax
from ..reductions.reductions import all, any, max
from .distribution_parameters import FINITE, POSITIVE, Parameter, array_of, check_range, one_of, sizes_of
from .shuffling import Shuffling
from .urns import Urns

METHODS = ("svd", "eigh", "cholesky")
CHECKS = ("warn", "raise", "ignore")


class Multivariate(Shuffling, Urns):
    """Distributions of vectors."""

    @tells_its_name
    def dirichlet(
        self, alpha: Parameter, size: Sizes | None = None, *, shape: Sizes | None = None, device: str | None = None
    ) -> NDArray:
        """Vectors of numbers that add up to 1: gamma numbers of the shapes `alpha`, divided by their sum.

        alpha: (k,) positive numbers.  Raises ValueError for others.
        Returns float64 (*size, k).

        >>> nd.allclose(nd.random.dirichlet([1.0, 2.0, 3.0], size=4).sum(axis=1), 1)
        array(True, dtype=bool)
        """
        place = drawing_device("dirichlet", device, alpha)
        shapes = array_of("dirichlet: alpha", alpha, place)
        if isinstance(shapes, float) or shapes.ndim != 1 or shapes.size == 0:
            raise ValueError(f"dirichlet: alpha must be a row of one number or more, given {alpha!r}")
        check_range("dirichlet: alpha", shapes, POSITIVE)
        sizes = (*sizes_of(one_of("dirichlet", size, shape)), shapes.size)
        # Of small shapes gamma numbers may all be 0, so logarithms are divided: x of shape a + 1 times u**(1 / a).
        x = log(self.gamma(add(shapes, 1.0), 1.0, sizes, device=place))
        return softmax(add(x, divide(multiply(self.exponential(1.0, sizes, device=place), -1.0), shapes)), axis=-1)

    def multivariate_normal(
        self,
        mean: Parameter,
        cov: Parameter,
        size: Sizes | None = None,
        check_valid: str = "warn",
        tol: float = 1e-8,
        *,
        method: str = "svd",
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Vectors of normal numbers with a mean (k,) and a covariance matrix (k, k).

        cov: (n, n) the covariances.
        check_valid: "warn" and "raise" refuse a matrix that is not symmetric or has a negative eigenvalue beyond `tol`;
        "ignore" does not look.    method: how the matrix is factored, "svd", "eigh" or "cholesky".
        Raises ValueError for such matrices and other shapes, LinAlgError where cholesky finds no factor.
        Returns float64 (*size, k).

        >>> nd.random.Generator(3).multivariate_normal([0.0, 0.0], [[1.0, 0.5], [0.5, 1.0]], size=1)
        array([[ 0.859899  , -1.20285185]], dtype=float64)
        """
        named("multivariate_normal: method", method, METHODS)
        named("multivariate_normal: check_valid", check_valid, CHECKS)
        place = drawing_device("multivariate_normal", device, mean, cov)
        middle, matrix = (array_of(f"multivariate_normal: {name}", value, place)
                          for name, value in (("mean", mean), ("cov", cov)))  # fmt: skip
        if isinstance(middle, float) or isinstance(matrix, float) or matrix.shape != middle.shape * 2:
            raise ValueError("multivariate_normal: mean must be (k,) and cov (k, k)")
        for name, value in (("mean", middle), ("cov", matrix)):
            check_range(f"multivariate_normal: {name}", value, FINITE)
        if check_valid != "ignore":
            check_covariance(matrix, real("multivariate_normal: tol", tol))
        sizes = (*sizes_of(one_of("multivariate_normal", size, shape)), middle.size)
        x = self.standard_normal((prod(sizes[:-1]), middle.size), device=place)
        return add(matmul(x, factor(matrix, method)), middle).reshape(sizes)


def check_covariance(matrix: NDArray, tol: float) -> None:
    """Raises ValueError unless a matrix is symmetric and has no negative eigenvalue, but for roundings."""
    if matrix.size == 0:
        return
    largest = float(max(abs(matrix)))
    if any(abs(matrix - matrix.T) > tol * largest):
        raise ValueError("multivariate_normal: cov must be symmetric; check_valid='ignore' takes it as it is")
    values, _ = eigh(matrix)
    if not all(values >= -tol * max(abs(values))):
        raise ValueError("multivariate_normal: cov has a negative eigenvalue; check_valid='ignore' takes it as it is")


def factor(matrix: NDArray, method: str) -> NDArray:
    """A matrix a with a.T @ a = cov."""
    if method == "cholesky":
        return cholesky(matrix).mT
    if method == "svd":
        _, values, rows = svd(matrix, full_matrices=False)
        return multiply(sqrt(values)[:, None], rows)
    values, vectors = eigh(matrix)
    return multiply(sqrt(maximum(values, 0.0))[:, None], vectors.mT)
