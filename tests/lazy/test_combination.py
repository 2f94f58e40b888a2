"""Op combination: what is deferred, when it runs, what is counted and shown, and how it is switched off."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh, is_deferred
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

import nd4py as nd
from nd4py.api.environment.program_picture import INNER, LEAF, Node, picture


def counted(function):
    """What the counters grew by while `function` ran."""
    before = nd.combine_statistics()._asdict()
    function()
    return {name: value - before[name] for name, value in nd.combine_statistics()._asdict().items()}


# G1: operations wait, and run when a value is read.

LOOKS = {
    "float": lambda x: float(x[0]),
    "bool": lambda x: bool(x.max() > 0),
    "index": lambda x: x[3],
    "iterate": lambda x: next(iter(x)),
    "contains": lambda x: 3.0 in x,
    "len": len,
    "print": str,
    "repr": repr,
    "format": lambda x: f"{x}",
    "tolist": lambda x: x.tolist(),
    "numpy": np.asarray,
    "memoryview": memoryview,
    "DLPack": np.from_dlpack,
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "reshape": lambda x: x.reshape(2, -1),
    "sort": nd.sort,
    "matmul": lambda x: x @ x,
    "block": lambda x: x.block(),
    "flush": lambda x: nd.flush(),
    "synchronize": lambda x: nd.synchronize(),
    "write": lambda x: x.__setitem__(0, 1),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_g1_an_operation_waits_until_a_value_is_read(look):
    x = fresh()
    y = x * 2 + 1
    assert is_deferred(y)
    assert (y.shape, y.dtype, y.ndim, y.size, y.nbytes, y.itemsize) == ((N,), nd.float64, 1, N, 8 * N, 8)
    assert isinstance(y, nd.NDArray)
    assert is_deferred(y)
    look(y)
    assert not is_deferred(y)
    assert type(y) is nd.NDArray
    np.testing.assert_array_equal(np.asarray(y)[1:], (VALUES * 2 + 1)[1:])


def test_g1_a_deferred_array_is_not_hashable_and_pickles_its_values():
    y = fresh() + 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(y)
    equal(pickle.loads(pickle.dumps(fresh() + 1)), VALUES + 1)
    equal(copy.deepcopy(fresh() + 1), VALUES + 1)


def test_g1_small_and_shared_operations_run_at_once():
    assert not is_deferred(nd.exp(nd.ones(1000)))
    assert not is_deferred(nd.asarray(VALUES) * 2)


# G2: the same bits (test_combination_programs.py has random programs).


def test_g2_a_chain_gives_the_bits_of_its_steps():
    def chain(x):
        y = nd.tanh(x * 1.5 + 2) - nd.exp(-abs(x))
        return [y, nd.where(y > 0, y, x), y.astype(nd.float16) * 3, (y * y).sum(), y.mean(axis=0), (y / x).max()]

    for dtype in ("float32", "float64", "bfloat16"):
        combined = chain(fresh().astype(dtype))
        with nd.combine(False):
            plain = chain(fresh().astype(dtype))
        for got, wanted in zip(combined, plain, strict=True):
            assert got.dtype == wanted.dtype
            assert memoryview(got.astype("float64")).tobytes() == memoryview(wanted.astype("float64")).tobytes()


# G3: counters.


def test_g3_a_chain_of_four_is_one_pass():
    x = fresh()
    grown = counted(lambda: float(((x * 2 + 1) / 3 - x)[0]))
    assert (grown["queued"], grown["launched"], grown["combined"], grown["passes_saved"]) == (4, 1, 4, 3)
    assert grown["bytes_saved"] == 7 * 8 * N  # nine arrays one by one, two in one pass: x is read by two of four
    assert grown["pending_bytes"] == 0


def test_g3_a_trailing_reduction_joins_the_pass():
    x = fresh()
    grown = counted(lambda: float((x * 2 + 1).sum()))
    assert (grown["queued"], grown["launched"], grown["combined"], grown["passes_saved"]) == (2, 1, 3, 2)


def test_g3_a_pair_in_place_is_one_pass():
    x, y = fresh(), fresh()

    def pair():
        z = x + y
        z *= 3.0
        z.block()

    assert counted(pair)["launched"] == 1


# G4: aliasing.


def test_g4_a_copy_does_not_see_later_writes():
    x = fresh()
    y = x.dup()
    z = x + 0
    x += 1
    equal(y, VALUES)
    equal(z, VALUES)
    equal(x, VALUES + 1)


# G5: other threads (test_combination_lifetimes.py has more).


def test_g5_a_deferred_array_is_whole_in_another_thread():
    y = fresh() * 3
    found = []
    thread = threading.Thread(target=lambda: found.append(np.array(y)))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(found[0], VALUES * 3)


# G6: errors.


def test_g6_wrong_shapes_and_dtypes_are_told_at_the_call():
    y = fresh() + 1
    with pytest.raises(ValueError, match="broadcast"):
        y + nd.ones(3)
    with pytest.raises(TypeError):
        nd.bitwise_xor(y, y)
    with pytest.raises(TypeError):
        y + "text"
    with pytest.raises((ValueError, IndexError)):
        y.sum(axis=1)
    assert is_deferred(y)
    equal(y, VALUES + 1)


def test_g6_running_out_of_memory_names_the_operation():
    x = nd.ones(1 << 20)
    before = nd.memory.limits()
    y = nd.exp(x)
    nd.memory.trim()
    nd.memory.set_limits(maxbytes=nd.memory.stats().taken_bytes + 4096, cache_bytes=0)
    try:
        with pytest.raises(MemoryError, match=r"exp in .*test_combination.py, line \d+"):
            y.block()
    finally:
        nd.memory.set_limits(**vars(before))
    assert float(y[0]) == float(nd.exp(nd.ones(1))[0])


# Looking at programs, and control.


def test_explain_says_what_will_run_and_runs_nothing(tmp_path):
    x = fresh()
    kept = x * 2
    dropped = kept - 5
    y = nd.where(kept > 1, kept, 0.25)
    del dropped
    program = nd.explain(y)
    assert is_deferred(y)
    assert program.shape == (N,)
    assert program.leaves == [("leaf0", "float64", (N,))]
    assert [step[1] for step in program.steps] == ["multiply", "greater", "where"]
    assert (len(program.outputs), program.dropped) == (2, 1)
    text = str(program)
    for part in ("3 operations on", "read   leaf0", "write", "1 operations are dropped", "test_combination.py, line"):
        assert part in text
    program.plot(str(tmp_path / "program.svg"))
    assert "<svg" in (tmp_path / "program.svg").read_text()
    equal(y, np.where(VALUES * 2 > 1, VALUES * 2, 0.25))
    assert nd.explain(y) is None
    with pytest.raises(TypeError, match="must be an nd4py array"):
        nd.explain(3)


@pytest.mark.parametrize("seed", range(8))
def test_no_arrow_of_a_picture_runs_behind_a_node(seed):
    random = np.random.default_rng(seed)
    nodes = {"leaf": Node("leaf", LEAF, ()), "other": Node("other", LEAF, ())}
    for i in range(20):
        reads = random.choice(list(nodes), size=random.integers(1, 3), replace=False)
        nodes[f"v{i}"] = Node("multiply_add\n0.5", INNER, tuple(map(str, reads)))
    (axes,) = picture(nodes, "20 operations").axes
    boxes = [patch.get_path().get_extents() for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(boxes) == len(nodes) == len({tuple(box.get_points().ravel()) for box in boxes})
    assert len(arrows) >= sum(len(node.reads) for node in nodes.values())
    for arrow in arrows:
        start, one, two, stop, *way = arrow._path_original.vertices  # a curve between columns, a line through one
        t = np.linspace(0, 1, 50)[:, None]
        points = (1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * one + 3 * t**2 * (1 - t) * two + t**3 * stop
        points = np.concatenate([points, *(stop + t * (end - stop) for end in way)])
        for box in boxes:
            (left, low), (right, high) = box.get_points()
            inside = (points > (left + 1e-6, low)) & (points < (right - 1e-6, high))
            assert not inside.all(axis=1).any()


def test_combination_is_switched_off_inside_a_block_of_one_thread():
    x = fresh()
    before = x + 1
    with nd.combine(False):
        assert is_deferred(before)
        assert not is_deferred(x * 2)
        assert not is_deferred(before * 2)
        with nd.combine(True):
            assert is_deferred(x * 2)
        others = []
        thread = threading.Thread(target=lambda: others.append(is_deferred(x * 2)))
        thread.start()
        thread.join()
        assert others == [True]
    assert is_deferred(x * 2)
    with pytest.raises(TypeError, match="True or False"), nd.combine(1):
        pass
    with pytest.raises(KeyError), nd.combine(False):
        raise KeyError
    assert is_deferred(x * 2)


def test_the_environment_switches_combination_off():
    program = "import nd4py as nd; y = nd.ones(10**6) + 1; print(nd.explain(y), nd.combine_statistics().queued)"
    environment = dict(os.environ, ND4PY_COMBINE="0")
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["None", "0"]


def test_gradients_flow_through_large_arrays():
    x = fresh()
    value, slope = nd.value_and_grad(lambda x: (nd.tanh(x) * x + 1).sum())(x + 0)
    with nd.combine(False):
        wanted_value, wanted = nd.value_and_grad(lambda x: (nd.tanh(x) * x + 1).sum())(x + 0)
    assert float(value) == float(wanted_value)
    equal(slope, np.asarray(wanted))


def test_functions_of_the_standard_take_pending_arrays():
    """Every sample call of the standard's table, with operands that have no values yet (a process of its own)."""
    environment = dict(os.environ, ND4PY_COMBINE_FROM="0", PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, "-m", "deferred_samples"], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-1]) > 1000
