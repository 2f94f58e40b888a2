"""set_panic: NaN and infinity are errors at the operation that makes them."""

import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

HERE = __file__
LONG = 300_000  # elements for which operations are deferred


@pytest.fixture(autouse=True)
def _off_again():
    yield
    nd.set_panic(None)


def line_of(text):
    """Where a piece of this file stands, as errors say it."""
    lines = Path(HERE).read_text(encoding="utf-8").splitlines()
    (number,) = [i for i, line in enumerate(lines, 1) if text in line and "line_of(" not in line]
    return f"{HERE}, line {number}"


def long(value, index, other=1.0):
    """Many numbers, one of them another."""
    x = np.full(LONG, other)
    x[index] = value
    return nd.array(x)


def test_a23_in_any_panic_an_operation_that_makes_infinity_raises_and_is_named():
    nd.set_panic("any")
    with pytest.raises(nd.PanicError, match="divide") as caught:
        nd.asarray([1.0, 2.0]) / nd.asarray([1.0, 0.0])  # a small one
    error = caught.value
    assert isinstance(error, FloatingPointError)
    assert (error.operation, error.index, error.value) == ("divide", (1,), np.inf)
    assert error.line == line_of("# a small one")
    assert "float64(2,), float64(2,)" in str(error)


@pytest.mark.parametrize("mode", ["nan", "inf", "any"])
def test_a_mode_searches_for_its_own_kind(mode):
    x = nd.asarray([0.0, -1.0])
    nd.set_panic(mode)
    for made, function in (("inf", lambda: 1.0 / nd.asarray([0.0])), ("nan", lambda: nd.sqrt(x))):
        if mode in (made, "any"):
            with pytest.raises(nd.PanicError, match=made):
                function()
        else:
            function()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("size", [1, 7, 5000])
def test_dtypes_and_lengths(dtype, size):
    zeros = nd.zeros(size, dtype=dtype)
    numbers = np.ones(size)
    numbers[-1] = 0
    x = nd.asarray(numbers).astype(dtype)
    with nd.panic("any"):
        nd.exp(zeros) * x
        with pytest.raises(nd.PanicError) as caught:
            nd.divide(nd.ones(size, dtype=dtype), x)
    assert caught.value.index == (size - 1,)
    assert not np.isfinite(caught.value.value)


def test_the_index_is_that_of_the_array_whatever_its_layout():
    x = np.ones((4, 5, 6))
    x[2, 3, 1] = 0
    for view in (nd.asarray(x), nd.asarray(x).permute_dims((2, 0, 1)), nd.asarray(x)[::-1, :, ::-1]):
        place = tuple(int(i) for i in np.argwhere(np.asarray(view) == 0)[0])
        out = nd.ones(view.shape)
        with nd.panic("inf"), pytest.raises(nd.PanicError) as caught:
            nd.log(view)
        assert caught.value.index == place
        with nd.panic("inf"), pytest.raises(nd.PanicError) as caught:
            nd.log(view, out=out[::1, ::-1][:, ::-1])
        assert caught.value.index == place
        assert caught.value.value == -np.inf


def test_a_deferred_operation_is_named_by_its_line_where_the_result_is_read():
    x = long(0.0, 12345)
    nd.set_panic("any")
    y = x * 2.0 + 0.0
    y = nd.log(y)  # the logarithm
    y = y + 1.0
    with pytest.raises(nd.PanicError) as caught:
        float(y[0])
    assert caught.value.operation == "log"
    assert caught.value.line == line_of("# the logarithm")
    assert (caught.value.index, caught.value.value) == ((12345,), -np.inf)
    with pytest.raises(nd.PanicError, match="log"):
        y.sum()  # it is still deferred
    nd.set_panic(None)
    assert float(y[0]) == np.log(2.0) + 1.0
    assert float(y[12345]) == -np.inf


def test_what_is_gone_from_the_result_is_found_too():
    x = long(800.0, 7)
    with nd.panic("any"), pytest.raises(nd.PanicError, match="exp.* made inf"):
        np.asarray(1.0 / (1.0 + nd.exp(x)))  # 1 / inf is 0
    with nd.panic("any"), nd.combine(False), pytest.raises(nd.PanicError, match="exp.* made inf"):
        1.0 / (1.0 + nd.exp(x))


@pytest.mark.parametrize("function", [
    lambda x: float((nd.log(x) * 2.0).sum()),
    lambda x: np.asarray(nd.log(x.reshape(300, 1000)).max(axis=1)),
    lambda x: np.asarray(nd.log(x).astype("float32") + 1),
    lambda x: np.asarray(nd.log(x.reshape(300, 1000)) - nd.log(x.reshape(300, 1000)).sum(axis=1, keepdims=True)),
    lambda x: nd.flush() or float(nd.log(x)[0]),
    lambda x: float(nd.log(x).prod()),
])  # fmt: skip
def test_passes_of_every_kind(function):
    x = long(0.0, 4321, 1.5)
    nd.set_panic("inf")
    with pytest.raises(nd.PanicError) as caught:
        function(x)
    assert caught.value.operation == "log"
    x = long(0.5, 4321, 1.0)
    function(x)


def test_the_end_of_a_block_runs_what_was_deferred_in_it():
    x = long(-1.0, 3)
    with pytest.raises(nd.PanicError, match="sqrt"), nd.panic("nan"):
        y = nd.sqrt(x)
    assert np.isnan(float(y[3]))


def test_a_pass_without_bad_values_has_the_bits_of_before():
    x = nd.asarray(np.random.default_rng(2).normal(size=(700, 600)))

    def program():
        y = nd.exp(x) * 2.0 + nd.tanh(x)
        z = y - nd.sum(y, axis=1, keepdims=True)
        return [
            np.asarray(item) for item in (z, nd.sum(z, axis=0), nd.where(z > 0, z, 1.0), z.astype("float32"), z @ z.T)
        ]

    expected = program()
    with nd.panic("any"):
        found = program()
    assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))


def test_an_operand_that_had_it_before_is_named():
    x = nd.asarray([1.0, np.nan])
    nd.set_panic("any")
    with pytest.raises(nd.PanicError, match=r"passed on nan.*operand 1 had before \(nan at index \(1,\)\)"):
        nd.ones(2) + x
    with pytest.raises(nd.PanicError, match="operand 1 is"):
        nd.ones(2) * float("inf")
    with pytest.raises(nd.PanicError, match="operand 0 had before"):
        nd.sum(x)
    with pytest.raises(nd.PanicError, match="operand 0 had before"):
        np.asarray(long(np.inf, 9) * 2.0)


def test_moving_values_is_no_operation():
    x = nd.asarray([1.0, np.nan, np.inf])
    with nd.panic("any"):
        moved = nd.concat([x, x])[nd.asarray([1, 0])].copy()
        nd.full(3, float("nan"))
        whole = nd.where(nd.isfinite(x), x, 0.0)
        x.astype("float32")
    assert np.isnan(float(moved[0]))
    assert np.asarray(whole).tolist() == [1.0, 0.0, 0.0]


def test_a_conversion_that_overflows_raises():
    with nd.panic("inf"), pytest.raises(nd.PanicError, match="conversion.* made inf"):
        nd.asarray([1.0, 1e300]).astype("float32")


@pytest.mark.parametrize(
    "name, function",
    [
        ("matmul", lambda: nd.full((3, 3), 1e200) @ nd.full((3, 3), 1e200)),
        ("sum", lambda: nd.sum(nd.full(4, 1.7e308))),
        ("cumulative_sum", lambda: nd.cumulative_sum(nd.full(4, 1.7e308))),
        ("mean", lambda: nd.mean(nd.zeros((0,)))),
        ("convolution", lambda: nd.conv2d(nd.full((1, 1, 4, 4), 1e200), nd.full((1, 1, 2, 2), 1e200))),
        ("add", lambda: nd.add(nd.full(3, 1.7e308), 1.7e308, out=nd.zeros(3))),
    ],
)
def test_operations_of_every_kind(name, function):
    with nd.panic("any"), pytest.raises(nd.PanicError) as caught:
        function()
    assert caught.value.operation == name


def test_a_matrix_without_a_result_is_an_error_of_its_own():
    with nd.panic("any"):
        with pytest.raises(nd.linalg.LinAlgError, match="singular"):
            nd.linalg.inv(nd.zeros((2, 2)))
        nd.linalg.inv(nd.eye(2))
        with pytest.raises(nd.PanicError, match="inverse"):
            nd.linalg.inv(nd.eye(2) * 1e-320)


def test_in_place_operations():
    x = nd.full(3, 1.7e308)
    with nd.panic("inf"), pytest.raises(nd.PanicError, match="multiply.* made inf"):
        x *= 10.0
    y = long(1.7e308, 5)
    with pytest.raises(nd.PanicError, match="multiply"), nd.panic("inf"):
        y *= 10.0  # deferred: the end of the block runs it


def test_gradients():
    nd.set_panic("any")
    with pytest.raises(nd.PanicError) as caught:
        nd.grad(lambda x: nd.sum(nd.sqrt(x)))(nd.asarray([1.0, 0.0]))  # its derivative is infinite at 0
    assert "sqrt" in caught.value.operation
    assert caught.value.__notes__ == ["in the backward pass"]
    with pytest.raises(nd.PanicError):
        nd.grad(lambda x: nd.sum(nd.sqrt(x)))(long(0.0, 77))
    assert np.asarray(nd.grad(lambda x: nd.sum(nd.sqrt(x)))(nd.asarray([1.0, 4.0]))).tolist() == [0.5, 0.25]


def network():
    return nn.MultiLayerNetwork(
        [nn.DenseLayer(3, "identity"), nn.DenseLayer(3, "softplus"), nn.OutputLayer(2)],
        input_type=nn.InputType.feed_forward(4), seed=1, dtype="float64",
    )  # fmt: skip


@pytest.mark.parametrize("n", [2, 64])
def test_a_network_names_the_layer(n):
    net, labels = network(), nd.one_hot([0, 1] * (n // 2), 2)
    x = nd.ones((n, 4))
    net.fit(x, labels, epochs=6, batch_size=n)  # long enough for a graph of the step
    expected = np.asarray(net.output(x))
    nd.set_panic("any")
    assert np.array_equal(np.asarray(net.output(x)), expected)
    net.fit(x, labels, batch_size=n)
    net.set_params(net.params() * 1e200)
    for call in (lambda: net.output(x), lambda: net.fit(x, labels, batch_size=n)):
        with pytest.raises(nd.PanicError) as caught:
            call()
        assert any(note.startswith("in layer 1 (DenseLayer)") for note in caught.value.__notes__)


def regression():
    return nn.MultiLayerNetwork(
        [nn.DenseLayer(3, "identity"), nn.OutputLayer(2, loss="mse", activation="identity")],
        input_type=nn.InputType.feed_forward(4), seed=1, dtype="float64",
    )  # fmt: skip


def test_the_loss_of_a_network_is_named():
    with nd.panic("inf"), pytest.raises(nd.PanicError) as caught:
        regression().fit(nd.ones((2, 4)), nd.full((2, 2), 1e200))
    assert "in the loss of layer 1 (OutputLayer)" in caught.value.__notes__


def test_the_backward_pass_of_a_network_names_the_layer():
    net = regression()
    factors = np.concatenate([np.full(4 * 3 + 3, 1e-210), np.full(3 * 2 + 2, 1e50)])
    net.set_params(net.params() * nd.asarray(factors))  # outputs of 1e50, but gradients of the first weights of 1e310
    with nd.panic("inf"), pytest.raises(nd.PanicError) as caught:
        net.fit(nd.full((2, 4), 1e210), nd.zeros((2, 2)))
    assert any(note.startswith("in the backward pass in layer 0 (DenseLayer)") for note in caught.value.__notes__)


def test_graphs_run_step_by_step():
    graph = nd.capture(lambda x: nd.log(x) + 1.0, nd.ones(3))
    nd.set_panic("inf")
    assert np.array_equal(np.asarray(graph(nd.ones(3))), np.ones(3))
    with pytest.raises(nd.PanicError, match="log"):
        graph(nd.asarray([1.0, 0.0, 1.0]))
    assert nd.capture(lambda x: nd.log(x), nd.zeros(3)).n_launches == 1  # values of a capture are no results


def test_all_threads_are_searched():
    errors = []

    def work():
        try:
            nd.log(nd.zeros(3))
        except nd.PanicError as error:
            errors.append(error)

    with nd.panic("inf"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(errors) == 1


def test_modes_are_given_back():
    assert nd.set_panic("nan") is None
    assert nd.set_panic("any") == "nan"
    with nd.panic(None):
        nd.log(nd.zeros(2))
    assert nd.set_panic(None) == "any"
    nd.log(nd.zeros(2))


@pytest.mark.parametrize("mode", ["NaN", "all", 1, True, ["nan"]])
def test_wrong_modes_are_refused(mode):
    for function in (nd.set_panic, lambda mode: nd.panic(mode).__enter__()):
        with pytest.raises(ValueError, match="mode must be one of None, 'nan', 'inf', 'any'"):
            function(mode)
    assert nd.set_panic(None) is None


def test_an_error_can_be_pickled():
    with nd.panic("inf"), pytest.raises(nd.PanicError) as caught:
        nd.log(nd.zeros(2))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.operation, again.index) == ("log", (0,))


def test_a_profile_and_a_panic_at_once():
    x = long(0.5, 1)
    with nd.panic("any"), nd.profile() as p:
        y = float((nd.log(x) + 1).sum())
    assert np.isfinite(y)
    assert [record.operation for record in p.records] == ["log+add", "sum"]
