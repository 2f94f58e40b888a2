"""The namespace under test, the way in and out of it, and the comparison with NumPy.

ND4PY_TEST_SUBJECT=array_api_strict (or numpy) puts another namespace in nd4py's place, to test the tests.
"""

import importlib
import os

import numpy as np

NAME = os.environ.get("ND4PY_TEST_SUBJECT", "nd4py")
xp = importlib.import_module(NAME)
if NAME == "array_api_strict":
    xp.set_array_api_strict_flags(api_version="2025.12")
ARRAY = (np.ndarray, np.generic) if NAME == "numpy" else type(xp.asarray(0.0))

DTYPES = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
DTYPES["integral"] = DTYPES["signed integer"] + DTYPES["unsigned integer"]
DTYPES["integral or bool"] = DTYPES["bool"] + DTYPES["integral"]
DTYPES["real"] = DTYPES["integral"] + DTYPES["real floating"]
DTYPES["floating"] = DTYPES["real floating"] + DTYPES["complex floating"]
DTYPES["numeric"] = DTYPES["real"] + DTYPES["complex floating"]
DTYPES["all"] = DTYPES["bool"] + DTYPES["numeric"]
PART = {"complex64": "float32", "complex128": "float64"}  # the dtype of a complex number's parts
WHOLE = {part: whole for whole, part in PART.items()}
WIDE = {"f": np.longdouble, "c": np.clongdouble}  # what references are computed in, by NumPy's kind


def dtype_of(name):
    """The subject's dtype object."""
    return getattr(xp, name)


def name_of(dtype):
    """The standard's name of one of the subject's dtypes."""
    return next(name for name in DTYPES["all"] if hasattr(xp, name) and getattr(xp, name) == dtype)


def find(name, where=""):
    """The subject's function `name`, of the main namespace, "linalg" or "fft"."""
    return getattr(getattr(xp, where) if where else xp, name)


def numpy_of(x):
    """The elements of one of the subject's arrays, which another device than the host has to be asked for."""
    return xp.as_numpy(x) if hasattr(xp, "as_numpy") else np.asarray(x)


def assert_array(got, want, dtype=None, *, ulp=0, scale=None, signs=True, label=""):
    """`got` is an array of the subject with the shape, the dtype and, within `ulp`, the values of `want`.

    want: NumPy array; its dtype, or the one named by `dtype`, is expected.
    scale: where the error is a share of something larger than the value itself.
    signs: zeros must have the right sign.
    """
    want = np.asarray(want)
    dtype = dtype or want.dtype.name
    assert isinstance(got, ARRAY), f"{label}: {type(got)} is not an array"
    assert tuple(got.shape) == want.shape, f"{label}: shape {tuple(got.shape)} instead of {want.shape}"
    assert got.dtype == dtype_of(dtype), f"{label}: dtype {got.dtype} instead of {dtype}"
    values = numpy_of(got)
    assert values.dtype.name == dtype, f"{label}: NumPy reads {values.dtype} instead of {dtype}"
    wrong = ~agreement(values, want, ulp, scale)
    if signs and ulp == 0:
        wrong |= different_zeros(values, want)
    assert not wrong.any(), f"{label}: {values[wrong][:4]} instead of {want[wrong][:4]} at {np.argwhere(wrong)[:4]}"


def agreement(values, want, ulp, scale=None):
    """Where values are equal, or both NaN, or differ by at most `ulp` units in the last place of their dtype."""
    if values.dtype.kind == "c" or want.dtype.kind == "c":
        return complex_agreement(values, want.astype(WIDE["c"]), ulp, scale)
    same = values == want
    if values.dtype.kind != "f":
        return same
    same |= np.isnan(values) & np.isnan(want)
    limits = np.finfo(values.dtype)
    want = want.astype(WIDE["f"])
    size = np.maximum(np.abs(want) if scale is None else scale, limits.smallest_normal)
    overflows = np.isinf(values) & (np.abs(want) > limits.max) & (np.sign(values) == np.sign(want))
    return same | overflows | (np.abs(values - want) <= ulp * limits.eps * size)


def complex_agreement(values, want, ulp, scale):
    """Finite numbers: the distance in the plane; others: each part for itself."""
    parts = agreement(values.real, want.real, ulp, scale) & agreement(values.imag, want.imag, ulp, scale)
    limits = np.finfo(values.dtype)
    size = np.maximum(np.abs(want) if scale is None else scale, limits.smallest_normal)
    near = np.isfinite(values) & np.isfinite(want) & (np.abs(values - want) <= ulp * limits.eps * size)
    return parts | near


def different_zeros(values, want):
    """Where a zero has the other sign."""
    if values.dtype.kind == "c" and want.dtype.kind == "c":
        return different_zeros(values.real, want.real) | different_zeros(values.imag, want.imag)
    if values.dtype.kind != "f" or want.dtype.kind != "f":
        return np.zeros(values.shape, bool)
    return (values == 0) & (want == 0) & (np.signbit(values) != np.signbit(want))
