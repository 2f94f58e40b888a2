"""Arrays in workspaces: where they are, and copies of them elsewhere."""

import gc

import numpy as np
import pytest

import nd4py as nd

LARGE = nd.WorkspaceConfiguration(initial_size="64K")
DTYPES = ["bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
COPIES = {
    "detach": lambda x: x.detach(),
    "leverage": lambda x: x.leverage(),
    "leverage_to": lambda x: x.leverage_to("outer"),
    "leverage_or_detach": lambda x: x.leverage_or_detach("outer"),
    "migrate": lambda x: x.migrate(),
    "dup": lambda x: x.dup(),
    "copy": lambda x: x.copy(),
    "unsafe_duplication": lambda x: x.unsafe_duplication(),
}
HOMES = {"detach": None, **dict.fromkeys(["leverage", "leverage_to", "leverage_or_detach"], "outer")}


@pytest.fixture(autouse=True)
def clean():
    yield
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def home(x):
    """The id of an array's workspace, or None."""
    return x.workspace and x.workspace.id


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", list(COPIES))
def test_copies_keep_values_and_dtype_and_go_where_they_should(name, dtype):
    """dl4j's `leverage` took the default dtype."""
    wanted = [[1, 0, 1], [0, 1, 1]]
    with nd.workspace("outer", LARGE), nd.workspace("inner", LARGE):
        x = nd.asarray(wanted).astype(dtype)
        assert (home(x), x.is_attached(), x.is_in_scope()) == ("inner", True, True)
        y = COPIES[name](x)
        assert (home(y), y.dtype.name, y.shape) == (HOMES.get(name, "inner"), dtype, (2, 3))
        assert y.address != x.address
        z = COPIES[name](x[:, ::2])
        assert (z.dtype.name, z.shape, z.is_contiguous) == (dtype, (2, 2), True)
        assert y.astype("complex128").tolist() == wanted
        assert z.astype("complex128").tolist() == [[1, 1], [0, 1]]


def test_results_of_everything_are_attached():
    with nd.workspace("outer", LARGE):
        x = nd.arange(6.0).reshape(2, 3)
        made = [x + 1, x[0], x[nd.asarray([0])], x @ x.T, nd.sum(x), nd.concat([x, x]), x.astype("int32"), nd.sort(x)]
        made += [nd.linalg.norm(x), nd.fft.fft(x), nd.random.normal(size=(2,)), nd.asarray([1.0])]
        assert [home(y) for y in made] == ["outer"] * len(made)


def test_imported_memory_is_not_attached():
    source = np.ones(3)
    with nd.workspace("outer", LARGE):
        x = nd.asarray(source)
        assert (x.is_attached(), x.is_in_scope(), x.workspace) == (False, True, None)
    assert x.tolist() == [1.0] * 3


def test_inplace_operators_write_where_the_array_is():
    x = nd.zeros(3)
    with nd.workspace("outer", LARGE):
        x += nd.ones(3)
        x[1:] = nd.full(2, 5.0)
    assert (x.tolist(), x.is_attached()) == ([1.0, 5.0, 5.0], False)


def test_detached_arrays_are_returned_as_they_are():
    x = nd.ones(3)
    assert x.is_in_scope()
    for name in ("detach", "leverage", "leverage_to", "leverage_or_detach", "migrate"):
        assert COPIES[name](x) is x
    with nd.workspace("outer", LARGE), nd.workspace("inner", LARGE):
        for name in ("detach", "leverage", "leverage_to", "leverage_or_detach"):
            assert COPIES[name](x) is x
        assert x.leverage_to("nowhere", True) is x
        assert home(x.migrate()) == "inner"


def test_detach_survives():
    with nd.workspace("outer", LARGE):
        x = nd.arange(12.0).reshape(3, 4)
        y, z = x.detach(), x[1:, ::2].detach()
    assert not y.is_attached()
    assert (y.tolist()[2], z.tolist(), z.nbytes) == ([8.0, 9.0, 10.0, 11.0], [[4.0, 6.0], [8.0, 10.0]], 32)


def test_leverage():
    with nd.workspace("outer", LARGE) as outer:
        x = nd.ones(3)
        assert home(x.leverage()) is None  # no parent
        with nd.workspace("inner", LARGE):
            assert x.leverage() is x  # there already
            y = nd.full(3, 2.0).leverage()
            with nd.scope_out_of_workspaces():
                assert y.leverage() is y
        assert y.workspace is outer
        assert (x + y).tolist() == [3.0] * 3


def test_leverage_to():
    with nd.workspace("outer", LARGE), nd.workspace("middle", LARGE), nd.workspace("inner", LARGE):
        x = nd.ones(3)
        assert home(x.leverage_to("outer")) == "outer"
        assert x.leverage_to("inner") is x
        nd.workspace("closed", LARGE)
        for missing in ("closed", "nowhere"):
            assert x.leverage_to(missing) is x
            assert home(x.leverage_or_detach(missing)) is None
            with pytest.raises(nd.WorkspaceError, match=f"no workspace '{missing}' is open here; workspace 'inner'"):
                x.leverage_to(missing, enforce_existence=True)
        assert home(x.leverage_or_detach("middle")) == "middle"
        assert nd.workspace_manager.current_workspace().id == "inner"


def test_migrate():
    with nd.workspace("outer", LARGE):
        x = nd.asarray([1, 2**40])
        with nd.workspace("inner", LARGE):
            y = x.migrate()
            assert (home(y), y.dtype, y.tolist()) == ("inner", nd.int64, [1, 2**40])
        with nd.scope_out_of_workspaces():
            assert x.migrate() is x
            assert home(x.migrate(detach_on_no_workspace=True)) is None


def test_dup_outside_is_detached():
    with nd.workspace("outer", LARGE):
        x = nd.ones(3)
        with nd.scope_out_of_workspaces():
            kept = x.dup(), x.unsafe_duplication()
    assert [y.tolist() for y in kept] == [[1.0] * 3] * 2


def test_unsafe_duplication_keeps_strides():
    with nd.workspace("outer", LARGE):
        x = nd.arange(24.0).reshape(2, 3, 4).permute_dims((2, 0, 1))
        y = x.unsafe_duplication()
        assert (y.strides, y.tolist()) == (x.strides, x.tolist())
        gaps = x[::2]
        assert gaps.unsafe_duplication().is_contiguous
        repeated = nd.broadcast_to(nd.ones(3), (2, 3))
        assert repeated.unsafe_duplication().tolist() == [[1.0] * 3] * 2


def test_copies_of_stale_arrays_are_refused():
    with nd.workspace("outer", LARGE):
        x = nd.ones(3)
    with nd.workspace("outer", LARGE), nd.workspace("inner", LARGE):
        for copy in COPIES.values():
            with pytest.raises(nd.WorkspaceError, match="'outer', generation 1, which is open again as generation 2"):
                copy(x)


# What other libraries look at.

EXPORTS = {
    "numpy": np.asarray,
    "numpy of a view": lambda x: np.asarray(x[::2]),
    "dlpack": np.from_dlpack,
    "dlpack of a view": lambda x: np.from_dlpack(x[1:]),
    "memoryview": memoryview,
    "interface": lambda x: np.asarray(type("Named", (), {"__array_interface__": x.__array_interface__, "x": x})()),
    "ours again": lambda x: nd.asarray(np.asarray(x)),
}


@pytest.mark.parametrize("name", list(EXPORTS))
def test_exported_memory_stays_as_it_is(name):
    """The arena gives its block away and goes on with another."""
    gc.collect()
    for config in (LARGE, nd.WorkspaceConfiguration(), nd.WorkspaceConfiguration(policy_spill="reallocate")):
        before = nd.memory.stats().live_bytes
        ws = nd.Workspace("exported", config)
        seen = []
        for value in range(1, 6):
            with ws:
                nd.full(7, 99)
                x = nd.full(10, value)
                seen.append(EXPORTS[name](x))
            with ws:
                nd.full(100, -1)
            assert ws.current_size == (config.initial_size * 13 // 10 or ws.current_size)
        assert [set(view.tolist()) for view in seen] == [{value} for value in range(1, 6)]
        with pytest.raises(nd.WorkspaceError):
            x.tolist()
        ws.destroy()
        assert [set(view.tolist()) for view in seen] == [{value} for value in range(1, 6)]
        del seen, x
        gc.collect()
        assert nd.memory.stats().live_bytes == before


def test_exports_that_are_over_cost_nothing():
    ws = nd.Workspace("steady", LARGE)
    addresses = set()
    for _ in range(4):
        with ws:
            x = nd.ones(10)
            np.asarray(x).sum(), np.from_dlpack(x).sum(), bytes(memoryview(x))
            addresses.add(x.address)
    assert len(addresses) == 1


def test_no_collector_is_needed():
    """The last reference frees at once; only cycles wait for the collector."""
    gc.collect()
    gc.disable()
    try:
        before = nd.memory.stats().live_bytes
        x = nd.ones(10_000)
        holder = [x]
        holder.append(holder)
        del x, holder
        assert nd.memory.stats().live_bytes > before
        gc.collect()
        assert nd.memory.stats().live_bytes == before
        y = nd.ones(10_000)
        del y
        assert nd.memory.stats().live_bytes == before
    finally:
        gc.enable()


def test_gradients_inside_a_scope():
    x = nd.asarray([1.0, 2.0, 3.0])
    with nd.workspace("gradients", LARGE):
        inside = nd.grad(lambda x: nd.sum(nd.exp(x) * x[1:].sum()))(x)
        assert inside.is_attached()
        kept = inside.detach()
    assert kept.tolist() == nd.grad(lambda x: nd.sum(nd.exp(x) * x[1:].sum()))(x).tolist()
