"""array-api-compat and array-api-extra."""

import numpy as np
import pytest
from compare import assert_same, check

import nd4py as nd

X = np.random.default_rng(0).normal(size=(4, 6))


def test_compat_helpers():
    compat = pytest.importorskip("array_api_compat")
    x = nd.asarray(X)
    assert compat.array_namespace(x, 1.0) is nd
    assert compat.is_array_api_obj(x)
    assert not compat.is_numpy_array(x)
    assert compat.device(x) == "cpu"
    assert compat.to_device(x, "cpu") is x
    assert compat.size(x) == 24
    assert not compat.is_lazy_array(x)
    assert compat.is_writeable_array(x)
    with pytest.raises(TypeError):
        compat.array_namespace(x, X)


EXTRA = {
    "atleast_nd": lambda xpx, x: xpx.atleast_nd(x, ndim=3),
    "cov": lambda xpx, x: xpx.cov(x),
    "create_diagonal": lambda xpx, x: xpx.create_diagonal(x[0]),
    "isclose": lambda xpx, x: xpx.isclose(x, x + 1e-9),
    "kron": lambda xpx, x: xpx.kron(x, x),
    "nunique": lambda xpx, x: xpx.nunique(x),
    "one_hot": lambda xpx, x: xpx.one_hot((x[0] > 0) * 2, 3),
    "pad": lambda xpx, x: xpx.pad(x, 1),
    "setdiff1d": lambda xpx, x: xpx.setdiff1d(x[0], x[0, :2]),
    "sinc": lambda xpx, x: xpx.sinc(x),
    "nan_to_num": lambda xpx, x: xpx.nan_to_num(x / 0.0),
    "argpartition": lambda xpx, x: xpx.partition(x, 2)[..., 2],
    "isin": lambda xpx, x: xpx.isin(x, x[0]),
    "apply_where": lambda xpx, x: xpx.apply_where(x > 0, x, abs, lambda x: -x),
    "at, set": lambda xpx, x: xpx.at(x + 0)[x > 0].set(0.0),
    "at, add": lambda xpx, x: xpx.at(x + 0)[1, :].add(2.0),
}


@pytest.mark.parametrize("name", EXTRA)
def test_extra(name):
    xpx = pytest.importorskip("array_api_extra")
    with np.errstate(all="ignore"):
        check(lambda x: EXTRA[name](xpx, x), X)


def test_default_dtype():
    xpx = pytest.importorskip("array_api_extra")
    assert_same(xpx.default_dtype(nd) == nd.float64, True)
