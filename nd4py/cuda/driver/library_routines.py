"""Library routines for factorizations of matrices, Fourier transforms and sorting on devices.

Design: the functions that CuPy has under NumPy's names.  Each routine is written once for either, `xp`, so that the
simulator of the tests, which gives them NumPy, runs the text that a GPU runs with CuPy, and only CuPy itself is left to
see on one.  Rejected: calls of cuSOLVER and cuFFT themselves, whose workspaces, layouts and batches CuPy knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from numpy.linalg import LinAlgError

Results: TypeAlias = tuple[Any, ...]


def cholesky(xp: Any, x: Any, *, is_upper: bool) -> Results:
    """Factors of the lower triangles, or of the upper ones: those of the conjugate transpose."""
    if not is_upper:
        return (xp.linalg.cholesky(x),)
    return (xp.conj(xp.linalg.cholesky(xp.conj(x.swapaxes(-1, -2)))).swapaxes(-1, -2),)


def qr(xp: Any, x: Any, *, is_complete: bool) -> Results:
    """Q and R."""
    return tuple(xp.linalg.qr(x, "complete" if is_complete else "reduced"))


def svd(xp: Any, x: Any, *, is_full: bool) -> Results:
    """U, S and Vh."""
    return tuple(xp.linalg.svd(x, full_matrices=is_full))


def svdvals(xp: Any, x: Any) -> Results:
    """S alone."""
    return (xp.linalg.svd(x, compute_uv=False),)


def eigh(xp: Any, x: Any) -> Results:
    """Eigenvalues and eigenvectors of the lower triangles."""
    return tuple(xp.linalg.eigh(x))


def eigvalsh(xp: Any, x: Any) -> Results:
    """Eigenvalues of the lower triangles."""
    return (xp.linalg.eigvalsh(x),)


def eig(xp: Any, x: Any) -> Results:
    """Eigenvalues and eigenvectors of any matrices."""
    return tuple(xp.linalg.eig(x))


def eigvals(xp: Any, x: Any) -> Results:
    """Eigenvalues of any matrices."""
    return (xp.linalg.eigvals(x),)


def solve(xp: Any, a: Any, b: Any) -> Results:
    """x with a @ x = b."""
    return (xp.linalg.solve(a, b),)


def inverse(xp: Any, x: Any) -> Results:
    """The inverses."""
    return (xp.linalg.inv(x),)


def determinants(xp: Any, x: Any) -> Results:
    """The determinants."""
    return (xp.linalg.det(x),)


def logarithms_of_determinants(xp: Any, x: Any) -> Results:
    """Signs of the determinants, and the logarithms of their absolute values."""
    return tuple(xp.linalg.slogdet(x))


def sort(xp: Any, x: Any, *, descending: bool) -> Results:
    """The elements of every line along the last axis in order, NaN behind; equal ones keep theirs.

    Descending, lines are sorted from their ends: equal elements keep their order then too, and NaN comes first.
    """
    return (xp.sort(x[..., ::-1], -1, "stable")[..., ::-1] if descending else xp.sort(x, -1, "stable"),)


def argsort(xp: Any, x: Any, *, descending: bool) -> Results:
    """The positions of the elements in the order of `sort`."""
    if not descending:
        return (xp.argsort(x, -1, "stable"),)
    return (x.shape[-1] - 1 - xp.argsort(x[..., ::-1], -1, "stable")[..., ::-1],)


def fourier(xp: Any, x: Any, *, transform: str, n: int, axis: int, norm: str) -> Results:
    """A transform along one axis; `transform` is its name."""
    return (getattr(xp.fft, transform)(x, n, axis, norm),)


ROUTINES: dict[str, Callable[..., Results]] = {
    function.__name__: function
    for function in (
        argsort,
        cholesky,
        determinants,
        eig,
        eigh,
        eigvals,
        eigvalsh,
        fourier,
        inverse,
        logarithms_of_determinants,
        qr,
        solve,
        sort,
        svd,
        svdvals,
    )
}
NEED_FINITE = (svd, svdvals, eigh, eigvalsh, eig, eigvals)  # they would not end, or give anything
MAY_FAIL = (cholesky, solve, inverse)  # where a library need not say so, results that are not finite do


def run_routine(
    xp: Any, name: str, inputs: Sequence[Any], outputs: Sequence[Any], attributes: Mapping[str, Any]
) -> tuple[int, bool]:
    """Write the results of a routine to `outputs`.

    Returns (the first matrix of the stack without a result, or -1; whether that matrix is finite).  Waits for the
    device unless no matrix can fail.
    """
    routine = ROUTINES[name]
    if routine in NEED_FINITE:
        position = first_not_finite(xp, inputs[0])
        if position >= 0:
            return position, False
    try:
        results = routine(xp, *inputs, **attributes)
    except LinAlgError:
        return failing_alone(xp, routine, inputs, attributes)
    for y, result in zip(outputs, results, strict=True):
        y[...] = result
    position = first_not_finite(xp, outputs[0]) if routine in MAY_FAIL else -1
    if position < 0:
        return -1, True
    is_finite = all(bool(xp.isfinite(x.reshape(-1, *x.shape[-2:])[position]).all()) for x in inputs)
    # Systems with NaN have solutions with NaN, as on the host; a factor has none.
    return (position, is_finite) if is_finite or routine is cholesky else (-1, True)


def first_not_finite(xp: Any, x: Any) -> int:
    """The first matrix of a stack that holds NaN or infinity, or -1.  Waits for the device."""
    flags = xp.logical_not(xp.isfinite(x).all(axis=(-2, -1))).reshape(-1)
    return int(xp.argmax(flags)) if flags.size and bool(flags.any()) else -1


def failing_alone(
    xp: Any, routine: Callable[..., Results], inputs: Sequence[Any], attributes: Mapping[str, Any]
) -> tuple[int, bool]:
    """The first matrix of a stack that fails by itself, and whether it is finite: libraries name none."""
    stacks = [x.reshape(-1, *x.shape[-2:]) for x in inputs]
    position = 0
    for position in range(len(stacks[0])):
        try:
            routine(xp, *(x[position] for x in stacks), **attributes)
        except LinAlgError:
            break
    return position, bool(xp.isfinite(stacks[0][position]).all())
