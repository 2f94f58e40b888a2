"""Whether libraries that are timed side by side compute the same: a few elements of each result are compared."""

from dataclasses import dataclass

import numpy as np

N_SAMPLES = 257  # elements of a result that are compared, its first and last among them
# How far results may lie apart, as a fraction of the greatest element: the libraries promise a few units in the last
# position, and sums of many elements less.
TOLERANCES = {"float16": 1e-2, "bfloat16": 6e-2, "float32": 1e-4, "float64": 1e-9}


@dataclass(frozen=True)
class Digest:
    """What is known of a result: shapes, some elements, the bytes that were read and written."""

    shapes: tuple
    samples: tuple  # of each result: float64, or complex128
    is_exact: tuple  # of each result: whether it holds integers or bools
    bytes_in: int
    bytes_out: int


def digest(library, result, bytes_in):
    """The digest of a result, an array or a tuple of arrays."""
    results = result if isinstance(result, tuple | list) else (result,)
    arrays = [library.to_numpy(array) for array in results if array is not None]
    samples = []
    for array in arrays:
        # Of an array in no straight order a few elements are picked without copying all.
        flat = array.flat if array.size else array.reshape(-1)
        positions = np.linspace(0, array.size - 1, min(N_SAMPLES, array.size)).astype(int)
        kind = complex if array.dtype.kind == "c" else float
        samples.append(np.asarray([flat[position] for position in positions], kind))
    shapes = tuple(array.shape for array in arrays)
    is_exact = tuple(array.dtype.kind in "iub" for array in arrays)
    return Digest(
        shapes, tuple(samples), is_exact, bytes_in, sum(bytes_of(array) for array in results if array is not None)
    )


def bytes_of(array):
    """Bytes of an array of any library; a number is as good as none."""
    return int(getattr(array, "nbytes", 0))


def difference(ours, reference, dtype, tolerance=None):
    """How a digest differs from another, in words; "" where it does not."""
    if tolerance == np.inf:
        return ""
    if ours.shapes != reference.shapes:
        return f"shapes {ours.shapes} are not {reference.shapes}"
    allowed = tolerance or TOLERANCES.get(dtype, 0.0)
    for got, wanted, is_exact in zip(ours.samples, reference.samples, reference.is_exact, strict=True):
        finite = np.isfinite(wanted)
        scale = np.abs(wanted[finite]).max(initial=0.0)
        same = np.where(
            finite, np.abs(got - np.where(finite, wanted, 0)) <= (0 if is_exact else allowed) * scale, got == wanted
        )
        same |= np.isnan(got) & np.isnan(wanted)
        if not same.all():
            position = int(np.argmin(same))
            return f"{got[position]!r} is not {wanted[position]!r}"
    return ""
