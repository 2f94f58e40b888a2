"""xarray wraps our arrays and keeps them."""

import numpy as np
import pytest
from compare import assert_same

import nd4py as nd

xr = pytest.importorskip("xarray")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(4, 6))
HOLED = np.where(X > 1, np.nan, X)


def wrapped(x, asarray):
    return xr.DataArray(asarray(x), dims=("time", "space"), coords={"time": np.arange(4)})


WORK = {
    "arithmetic": lambda x: (x * 2 + x.mean("time")) / 3,
    "comparison": lambda x: x > 0,
    "functions": lambda x: np.exp(x) + np.sqrt(abs(x)),
    "sum": lambda x: x.sum("space"),
    "sum, all": lambda x: x.sum(),
    "max": lambda x: x.max("time"),
    "std": lambda x: x.std("time"),
    "var, skipna": lambda x: x.var("space", skipna=True),
    "median": lambda x: x.median("space"),
    "cumsum": lambda x: x.cumsum("time"),
    "argmax": lambda x: x.argmax("space"),
    "isel": lambda x: x.isel(time=[0, 2], space=slice(1, 4)),
    "sel": lambda x: x.sel(time=2),
    "concat": lambda x: xr.concat([x, x], "space"),
    "stack": lambda x: x.stack(both=("time", "space")),
    "transpose": lambda x: x.transpose("space", "time"),
    "clip": lambda x: x.clip(-0.5, 0.5),
    "where": lambda x: xr.where(x > 0, x, 0.0),
    "fillna": lambda x: x.fillna(0.0),
    "isnull": lambda x: x.isnull(),
    "count": lambda x: x.count("time"),
    "pad": lambda x: x.pad(space=(1, 2), constant_values=0.0),
    "roll": lambda x: x.roll(space=2),
    "diff": lambda x: x.diff("time"),
    "dot": lambda x: x.dot(x, dim="space"),
    "groupby": lambda x: x.groupby("time").mean(),
    "expand_dims": lambda x: x.expand_dims("new"),
    "broadcast": lambda x: x + x.isel(time=0),
    "astype": lambda x: x.astype("float32"),
    "round": lambda x: x.round(),
    "dataset": lambda x: xr.Dataset({"a": x, "b": x + 1}).mean("time")["b"],
    "coarsen": lambda x: x.coarsen(space=2).mean(),
    "quantile": lambda x: x.quantile(0.25, dim="space"),
    "rank order": lambda x: x.sortby("time", ascending=False),
}


@pytest.mark.parametrize("data", [X, HOLED], ids=["whole", "with NaN"])
@pytest.mark.parametrize("name", WORK)
def test_wrapped_arrays(name, data):
    if name == "argmax" and data is HOLED:
        data = np.where(np.isnan(data), 0.0, data)
    got, want = WORK[name](wrapped(data, nd.asarray)), WORK[name](wrapped(data, np.asarray))
    assert got.dims == want.dims
    assert_same(got.data, want.data)


def test_values_are_numpys():
    x = wrapped(X, nd.asarray)
    assert isinstance(x.values, np.ndarray)
    assert "array" in repr(x)


@pytest.mark.parametrize("name", ["where", "where other", "shift", "reindex", "pad", "weighted", "interp", "fillna"])
def test_missing_values_are_filled_in(name):
    """What asks the dtype for its missing value takes NumPy's dtypes alone."""
    calls = {
        "where": lambda a: a.where(a > 3),
        "where other": lambda a: a.where(a > 3, 0.0),
        "shift": lambda a: a.shift(a=1),
        "reindex": lambda a: a.reindex(a=[0, 2, 5]),
        "pad": lambda a: a.pad(a=1),
        "weighted": lambda a: a.weighted(a).mean(),
        "interp": lambda a: a.interp(a=0.5),
        "fillna": lambda a: a.where(a > 3).fillna(7.0),
    }
    values = np.arange(12.0).reshape(3, 4)
    got, want = (
        calls[name](xr.DataArray(make(values), dims=("a", "b"), coords={"a": [0, 1, 2]})).data
        for make in (nd.asarray, np.asarray)
    )
    np.testing.assert_array_equal(np.asarray(got), want)
