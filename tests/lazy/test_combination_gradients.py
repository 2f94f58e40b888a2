"""Op combination on the tape: recorded operations are deferred like all others, and gradients have the same bits."""

import gc
import threading

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh, is_deferred

import nd4py as nd
from nd4py import nn

ROWS = VALUES[: 64 * 1024].reshape(64, 1024)
KEEP = nd.array(np.arange(64 * 1024).reshape(64, 1024) % 3 > 0, copy=True)


def layer_norm(x):
    centered = x - x.mean(axis=-1, keepdims=True)
    return centered / nd.sqrt((centered * centered).mean(axis=-1, keepdims=True) + 1e-5)


def soft_max(x):
    e = nd.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# Functions of rows of 1024 elements, x, and of one row, b.
FUNCTIONS = {
    "cheap": lambda x, b: (x * 2 + 1 - x) * x,
    "activation": lambda x, b: nd.sigmoid(nd.tanh(x) * x + 1),
    "bias and relu": lambda x, b: nd.relu(x + b),
    "bias before and after": lambda x, b: (x + b) * nd.exp(b * 0.1) / (nd.abs(b) + 1),
    "same operand twice": lambda x, b: x * x + x * x,
    "same operation twice": lambda x, b: nd.tanh(x) * nd.tanh(x),
    "choice": lambda x, b: nd.where(KEEP, x * b, nd.square(x)),
    "choice by comparison": lambda x, b: nd.where(x > b, x * 3, b - x),
    "dropout": lambda x, b: x * (nd.astype(KEEP, x.dtype) * 1.25) + b,
    "other dtype": lambda x, b: (x.astype("float32") * 2 + b.astype("float32")).astype("float64"),
    "parameters": lambda x, b: nd.clip(nd.leaky_relu(x * b, alpha=0.2), -1.0, 2.0),
    "loss": lambda x, b: nd.squared_error(nd.sigmoid(x * b), KEEP.astype("float64")),
    "sum along rows": lambda x, b: (x * b + 1).sum(axis=-1),
    "sum along columns": lambda x, b: (x * b + 1).sum(axis=0),
    "largest": lambda x, b: (x * b).max(axis=1, keepdims=True) * x,
    "mean of a held array": lambda x, b: (y := nd.exp(x * 0.5)).mean() * y,
    "layer norm": lambda x, b: layer_norm(x + b),
    "soft max": lambda x, b: soft_max(x * 2) * b,
    "view between": lambda x, b: nd.tanh((x + b).reshape(-1)[::2]) * 2,
    "transposed": lambda x, b: (x * 2).T + x.T * 3,
    "product between": lambda x, b: nd.relu(x + b) @ (x[:4] * 0.5).T,
    "irregular": lambda x, b: nd.cumulative_sum(x + b, axis=1) * x,
    "constant part": lambda x, b: nd.stop_gradient(x * 2 + b) * x,
    "many results": lambda x, b: nd.sqrt(sum((nd.sin(x * i + b) for i in range(1, 9)), nd.square(x)) + 20),
}


def arguments():
    return fresh(ROWS), fresh(ROWS[3])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_values_and_gradients_have_the_bits_of_single_steps(function, dtype):
    weights = fresh(np.cos(ROWS))

    def total(x, b):
        y = function(x, b)
        return nd.sum(y * weights.reshape(-1)[: y.size].reshape(y.shape).astype(y.dtype))

    found = {}
    for wanted in (True, False):
        with nd.combine(wanted):
            x, b = (array.astype(dtype) for array in arguments())
            value, gradients = nd.value_and_grad(total, argnums=(0, 1))(x, b)
            found[wanted] = [np.asarray(array).tobytes() for array in (value, *gradients)]
            assert [str(array.dtype) for array in gradients] == [dtype] * 2
    assert found[True] == found[False]


def test_recorded_operations_wait_and_write_only_what_the_way_back_reads():
    programs = []

    def total(x):
        y = nd.tanh(x * 2) + 1
        programs.append(nd.explain(y))
        return y.sum()

    before = nd.combine_statistics()
    slope = nd.grad(total)(fresh())
    (program,) = programs
    assert [step[1] for step in program.steps] == ["multiply", "tanh", "add"]
    assert len(program.outputs) == 2  # tanh(2x), which its gradient reads, and y, which is looked at
    assert nd.combine_statistics().launched - before.launched == 1  # y itself is not written: the sum ends its pass
    assert is_deferred(slope)
    y = np.asarray(nd.tanh(nd.asarray(VALUES) * 2))
    np.testing.assert_allclose(np.asarray(slope), (1 - y * y) * 2, rtol=1e-10)


def test_a_deferred_array_on_the_tape_becomes_a_view_when_it_is_looked_at():
    seen = []

    def total(x):
        y = x * 3
        assert is_deferred(y)
        assert (y.shape, y.dtype, isinstance(y, nd.NDArray)) == ((N,), nd.float64, True)
        thread = threading.Thread(target=lambda: seen.append(float(nd.stop_gradient(y[0]))))
        thread.start()
        thread.join()
        assert not is_deferred(y)
        assert type(y) is nd.NDArray
        seen.append(np.array(nd.stop_gradient(y)))
        return (y * x).sum()

    slope = nd.grad(total)(fresh())
    assert seen[0] == -9
    np.testing.assert_array_equal(seen[1], VALUES * 3)
    equal(slope, np.asarray(VALUES * 3 + VALUES * 3))


def test_writing_in_place_is_refused_or_noticed():
    def writes(x):
        y = x * 2
        with pytest.raises(ValueError, match="cannot be written in place"):
            y += 1
        with pytest.raises(ValueError, match="out="):
            nd.add(y, 1.0, out=nd.zeros(N))
        with pytest.raises(ValueError, match="gradients do not flow"):
            y[...] = 0
        return y.sum()

    equal(nd.grad(writes)(fresh()), np.full(N, 2.0))

    def overwrites(x):
        y = nd.exp(x)
        plain = nd.stop_gradient(y)
        plain += 1
        return y.sum()

    with pytest.raises(ValueError, match="written in place after its use"):
        nd.grad(overwrites)(fresh())


def test_an_array_written_after_its_use_is_read_as_it_was():
    other = fresh()

    def total(x):
        y = x * 2 + other
        other[...] = 0
        return (y * y).sum()

    slope = nd.grad(total)(fresh())
    y = VALUES * 2 + VALUES
    equal(slope, (y + y) * 2)


def test_what_is_dropped_is_not_computed_and_nothing_stays():
    gc.collect()
    nd.synchronize()
    start, before = nd.memory.stats().live_bytes, nd.combine_statistics()
    gc.disable()
    try:
        x = fresh()

        def total(x):
            nd.exp(x * 5) + 1
            return (x[:3] * 2).sum()

        nd.grad(total)(x)
        nd.flush()
        assert nd.combine_statistics().launched == before.launched
        value, slope = nd.value_and_grad(lambda x: (nd.tanh(x) * x).sum())(x)
        slope.block()
        del value, slope, x, total
        assert nd.combine_statistics().pending_bytes == 0
        assert nd.memory.stats().live_bytes == start
    finally:
        gc.enable()


def test_a_recorded_array_of_a_closed_workspace_is_refused():
    kept = []

    def total(x):
        with nd.workspace("closed"):
            kept.append(x * 2)
        with pytest.raises(nd.WorkspaceError):
            kept[0] + x
        with pytest.raises(nd.WorkspaceError):
            float(kept[0][0])
        return x.sum()

    equal(nd.grad(total)(fresh()), np.ones(N))
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


@pytest.mark.parametrize("updater", [nn.Nesterovs(0.1), nn.Adam(0.01), nn.Sgd(0.1)], ids=str)
def test_training_has_the_same_bits(updater):
    random = np.random.default_rng(5)
    features = random.normal(size=(256, 100)).astype("float32")
    labels = np.eye(10, dtype="float32")[random.integers(0, 10, 256)]

    def trained():
        network = nn.MultiLayerNetwork(
            [
                nn.DenseLayer(n_out=200, activation="swish"),
                nn.DropoutLayer(rate=0.3),
                nn.DenseLayer(n_out=100, activation="relu"),
                nn.OutputLayer(n_out=10, activation="sigmoid", loss="mse"),
            ],
            input_type=nn.InputType.feed_forward(100),
            updater=updater,
            l2=1e-3,
            l1=1e-4,
            weight_decay=1e-3,
        )
        for _ in range(3):
            network.fit((features, labels))
        return np.asarray(network.params()).tobytes(), network.score_value

    before = nd.combine_statistics().queued
    combined = trained()
    assert nd.combine_statistics().queued > before
    with nd.combine(False):
        assert trained() == combined
