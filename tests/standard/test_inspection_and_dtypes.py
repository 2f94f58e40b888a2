"""The inspection functions, and those of dtypes: astype, can_cast, finfo, iinfo, isdtype."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays
from .subject import DTYPES, NAME, PART, assert_array, dtype_of, xp
from .tables.promotion import PROMOTION

KINDS = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")
every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])
info = xp.__array_namespace_info__


def test_capabilities():
    capabilities = info().capabilities()
    assert capabilities["boolean indexing"] is True
    assert capabilities["data-dependent shapes"] is True
    most = capabilities["max dimensions"]
    assert most is None or most >= 4
    if most is not None:
        assert xp.ones((1,) * most).ndim == most


def test_devices():
    devices = info().devices()
    assert type(devices) is tuple
    assert info().default_device() in devices
    for device in devices:
        assert xp.zeros(2, device=device).device == device
    assert xp.zeros(2).device == info().default_device()


def test_default_dtypes():
    want = {"real floating": "float64", "complex floating": "complex128", "integral": "int64", "indexing": "int64"}
    for defaults in (info().default_dtypes(), info().default_dtypes(device=info().default_device())):
        assert defaults == {kind: dtype_of(name) for kind, name in want.items()}
    assert xp.argmax(xp.ones(3)).dtype == info().default_dtypes()["indexing"]


def test_dtypes():
    """By kind and by tuples of kinds; only names of the standard."""
    device = info().default_device()
    assert info().dtypes() == {name: dtype_of(name) for name in DTYPES["all"]}
    for kind in KINDS:
        assert info().dtypes(kind=kind, device=device) == {name: dtype_of(name) for name in DTYPES[kind]}
    both = info().dtypes(kind=("bool", "real floating"))
    assert both == {name: dtype_of(name) for name in DTYPES["bool"] + DTYPES["real floating"]}
    assert info().dtypes(kind=()) == {}
    with pytest.raises((TypeError, ValueError)):
        info().dtypes(kind="colour")


@every_dtype
def test_isdtype(dtype):
    given_dtype = dtype_of(dtype)
    for kind in KINDS:
        assert xp.isdtype(given_dtype, kind) is (dtype in DTYPES[kind])
    for other in DTYPES["all"]:
        assert xp.isdtype(given_dtype, dtype_of(other)) is (dtype == other)
    assert xp.isdtype(given_dtype, ("bool", "integral")) is (dtype in DTYPES["integral or bool"])
    assert xp.isdtype(given_dtype, (dtype_of("int8"), "complex floating")) is (
        dtype == "int8" or dtype in DTYPES["complex floating"]
    )
    assert xp.isdtype(dtype=given_dtype, kind=()) is False


def test_isdtype_refuses():
    for kind in ("colour", ("bool", "colour"), 3):
        with pytest.raises((TypeError, ValueError)):
            xp.isdtype(xp.int8, kind)


def test_can_cast():
    """True where the promotion table leads from one to the other; what it leaves open is not tested."""
    for (a, b), common in PROMOTION.items():
        assert bool(xp.can_cast(dtype_of(a), dtype_of(b))) is (common == b), (a, b)
        assert bool(xp.can_cast(xp.ones(2, dtype=dtype_of(a)), dtype_of(b))) is (common == b), (a, b)


@pytest.mark.parametrize("dtype", DTYPES["floating"])
def test_finfo(dtype):
    limits = np.finfo(dtype)
    real = PART.get(dtype, dtype)
    for argument in (dtype_of(dtype), xp.ones(2, dtype=dtype_of(dtype))):
        found = xp.finfo(argument)
        assert (type(found.bits), found.bits) == (int, np.dtype(real).itemsize * 8)
        assert found.dtype == dtype_of(real)
        for name in ("eps", "max", "min", "smallest_normal"):
            assert type(getattr(found, name)) is float
            assert getattr(found, name) == float(getattr(limits, name))


@pytest.mark.parametrize("dtype", DTYPES["integral"])
def test_iinfo(dtype):
    limits = np.iinfo(dtype)
    for argument in (dtype_of(dtype), xp.ones(2, dtype=dtype_of(dtype))):
        found = xp.iinfo(argument)
        assert (type(found.bits), found.bits) == (int, limits.bits)
        assert (type(found.max), found.max) == (int, limits.max)
        assert (type(found.min), found.min) == (int, limits.min)
        assert found.dtype == dtype_of(dtype)


def test_limits_refuse_other_dtypes():
    for dtype in (*DTYPES["integral"], "bool"):
        with pytest.raises((TypeError, ValueError)):
            xp.finfo(dtype_of(dtype))
    for dtype in (*DTYPES["floating"], "bool"):
        with pytest.raises((TypeError, ValueError)):
            xp.iinfo(dtype_of(dtype))


@every_dtype
@EXAMPLES
@given(data=st.data(), copy=st.booleans())
def test_astype(dtype, data, copy):
    """To every dtype; values that fit. Casts of complex numbers to real ones should be refused."""
    values, x = data.draw(arrays(dtype, domain=(0, 9)))
    device = x.device
    for result in DTYPES["all"]:
        if dtype in PART and result not in (*PART, "bool"):
            continue
        assert_array(xp.astype(x, dtype_of(result), copy=copy), values.astype(result))
        assert_array(xp.astype(x, dtype_of(result), device=device), values.astype(result))


@pytest.mark.parametrize("dtype", DTYPES["complex floating"])
def test_astype_refuses_to_drop_a_part(dtype):
    for result in DTYPES["real"]:
        with pytest.raises((TypeError, ValueError)):
            xp.astype(xp.ones(2, dtype=dtype_of(dtype)), dtype_of(result))


@every_dtype
def test_astype_copies_unless_told_not_to(dtype):
    x = xp.zeros(3, dtype=dtype_of(dtype))
    copied = xp.astype(x, dtype_of(dtype))
    copied[0] = True if dtype == "bool" else 1
    assert_array(x, np.zeros(3, dtype))
    assert xp.astype(x, dtype_of(dtype), copy=False) is x
    other = dtype_of("int8" if dtype == "bool" else "bool")
    assert xp.astype(x, other, copy=False).dtype == other


def test_astype_of_special_numbers():
    values = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan])
    x = xp.asarray(values)
    assert_array(xp.astype(x, xp.bool), np.asarray([False, False, True, True, True]))
    assert_array(xp.astype(x, xp.float32), values.astype("float32"))
    assert_array(xp.real(xp.astype(x, xp.complex64)), values.astype("float32"))
    z = xp.asarray(np.asarray([0j, 1j, 1, complex(0, np.nan)]))
    assert_array(xp.astype(z, xp.bool), np.asarray([False, True, True, True]))
    assert_array(xp.astype(xp.asarray([1.9, -1.9]), xp.int8), np.asarray([1, -1], "int8"))


def test_result_type_refuses():
    with pytest.raises((TypeError, ValueError)):
        xp.result_type()
    with pytest.raises((TypeError, ValueError)):
        xp.result_type("colour", xp.int8)


def test_dtypes_are_hashable_and_readable():
    """Clients keep dtypes in dictionaries, compare them with anything and print them."""
    assert len({dtype_of(name) for name in DTYPES["all"]}) == 13
    for name in DTYPES["all"]:
        assert dtype_of(name) != "colour"
        assert (dtype_of(name) == None) is False  # noqa: E711
        assert (dtype_of(name) == object()) is False
        if NAME == "nd4py":
            assert name in repr(dtype_of(name))
