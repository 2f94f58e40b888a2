"""What networks are made of, and networks, on simulated devices: the CPU's results to rounding."""

import copy
import pickle

import numpy as np
import pytest
from device_training import assert_trains_alike, numpy_of

import nd4py as nd
from nd4py import nn
from nd4py._exec.autodiff import journal
from nd4py.cuda import memory
from nd4py.data import DataSet
from nd4py.nn.registries import UPDATERS
from nd4py.parallel import ParallelWrapper

pytestmark = pytest.mark.usefixtures("simulator")
ROUNDING = {"float32": 5e-6, "float64": 1e-14}
# x shape, filters, kernel, settings
CONVOLUTIONS = [
    ((2, 3, 7, 6), 4, (3, 3), {}),
    ((1, 4, 9, 7), 6, (3, 2), {"stride": (2, 3), "padding": (1, 2, 0, 1), "groups": 2}),
    ((2, 2, 8, 8), 2, (2, 3), {"padding": 2, "dilation": 2}),
]
POOLINGS = [
    ((2, 3, 6, 6), 2, {}),
    ((1, 2, 9, 7), (3, 3), {"stride": 2, "padding": 1}),
    ((2, 1, 7, 8), (3, 2), {"stride": (1, 3), "padding": (0, 2, 1, 0)}),
]


def on(values, device="cuda:0"):
    return nd.asarray(values, device=device)


def assert_same(function, *operands, dtype):
    """`function` and the gradients of its weighted sum, on the device and on the CPU."""
    operands = [x.astype(dtype) for x in operands]
    want = np.asarray(function(*map(nd.asarray, operands)))
    slack = {"rtol": ROUNDING[dtype], "atol": ROUNDING[dtype]}
    np.testing.assert_allclose(numpy_of(function(*map(on, operands))), want, **slack)
    weights = np.random.default_rng(9).normal(size=want.shape).astype(dtype)

    def total(*operands):
        return nd.sum(function(*operands) * nd.asarray(weights, device=operands[0].device))

    gradient = nd.grad(total, tuple(range(len(operands))))
    for got, expected in zip(gradient(*map(on, operands)), gradient(*map(nd.asarray, operands)), strict=True):
        expected = np.asarray(expected)
        np.testing.assert_allclose(numpy_of(got), expected, rtol=slack["rtol"], atol=20 * ROUNDING[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape, filters, kernel, settings", CONVOLUTIONS, ids=str)
def test_convolutions(shape, filters, kernel, settings, dtype):
    rng = np.random.default_rng(1)
    x, bias = rng.normal(size=shape), rng.normal(size=filters)
    w = rng.normal(size=(filters, shape[1] // settings.get("groups", 1), *kernel))
    assert_same(lambda x, w, bias: nd.conv2d(x, w, bias, **settings), x, w, bias, dtype=dtype)
    assert_same(lambda x, w: nd.conv2d(x.mT.copy().mT, w, **settings), x, w, dtype=dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("pool", [nd.max_pool2d, nd.avg_pool2d])
@pytest.mark.parametrize("shape, kernel, settings", POOLINGS, ids=str)
def test_poolings(pool, shape, kernel, settings, dtype):
    x = np.random.default_rng(1).integers(-3, 3, shape).astype(dtype)
    assert_same(lambda x: pool(x, kernel, **settings), x, dtype=dtype)


def test_halves():
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(1, 2, 5, 5)).astype("float16"), rng.normal(size=(3, 2, 2, 2)).astype("float16")
    y = nd.conv2d(on(x), on(w))
    assert y.dtype == "float16"
    np.testing.assert_allclose(numpy_of(y), np.asarray(nd.conv2d(nd.asarray(x), nd.asarray(w))), rtol=2e-3, atol=2e-3)
    np.testing.assert_array_equal(numpy_of(nd.max_pool2d(on(x), 2)), np.asarray(nd.max_pool2d(nd.asarray(x), 2)))


def test_wrong_ones():
    x, w = on(np.ones((1, 2, 5, 5))), on(np.ones((3, 2, 2, 2)))
    with pytest.raises(ValueError, match=r"different devices, cpu and cuda:0"):
        nd.conv2d(x, nd.ones((3, 2, 2, 2)))
    with pytest.raises(ValueError, match=r"different devices, cuda:0 and cuda:1"):
        nd.conv2d(x, w.to_device("cuda:1"))
    with pytest.raises(ValueError, match="w must be"):
        nd.conv2d(x, w[:, :1])
    with pytest.raises(TypeError, match="no int64 loop"):
        nd.max_pool2d(x.astype("int64"), 2)


@pytest.mark.parametrize("axis", [0, 1, -1, (0, 2), None])
@pytest.mark.parametrize(
    "function", [nd.softmax, nd.log_softmax, nd.logsumexp, nd.layer_norm, nd.rms_norm, nd.var, nd.std]
)
def test_normalizing(function, axis):
    x = np.random.default_rng(4).normal(size=(3, 4, 5))
    assert_same(lambda x: function(x, axis=axis), x, dtype="float64")


@pytest.mark.parametrize("function", [nd.softmax, nd.log_softmax])
def test_normalizing_long_lines_halves_and_nothing(function):
    x = np.random.default_rng(4).normal(size=(2, 1500))
    assert_same(function, x, dtype="float32")
    half = x[:, :40].astype("float16")
    y = function(on(half))
    assert y.dtype == "float16"
    np.testing.assert_allclose(numpy_of(y), np.asarray(function(nd.asarray(half))), rtol=2e-3)
    assert function(on(np.ones((0, 3)))).shape == (0, 3)


def test_log_sum_exp_of_infinities():
    x = np.asarray([[-np.inf, -np.inf], [np.inf, 1.0], [1.0, np.nan], [1000.0, 1000.0]])
    np.testing.assert_array_equal(
        numpy_of(nd.logsumexp(on(x), axis=1)), np.asarray(nd.logsumexp(nd.asarray(x), axis=1))
    )
    assert float(nd.logsumexp(on(np.ones(0)))) == -np.inf


# Networks.


def lenet(**settings):
    """LeNet's layers on small images."""
    layers = [
        nn.ConvolutionLayer(kernel_size=5, n_out=3),
        nn.SubsamplingLayer(pooling_type="max"),
        nn.ConvolutionLayer(kernel_size=3, n_out=4),
        nn.SubsamplingLayer(pooling_type="max"),
        nn.DenseLayer(n_out=8, activation="relu"),
        nn.OutputLayer(n_out=3),
    ]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.convolutional_flat(16, 16, 1), **{"updater": nn.Adam(0.01)} | settings
    )


def batches(n_features, n_classes, n_batches=2, n_examples=4):
    rng = np.random.default_rng(8)
    return [
        (rng.normal(size=(n_examples, n_features)), np.eye(n_classes)[rng.integers(0, n_classes, n_examples)])
        for _ in range(n_batches)
    ]


def test_lenet_trains_with_the_loss_of_the_cpu():
    data = batches(256, 3)
    there, here = assert_trains_alike(lenet, data)
    there.fit(data)
    here.fit(data)
    assert there.iteration_count == 4
    assert there.score_value == pytest.approx(here.score_value, rel=1e-4)
    features = data[0][0]
    np.testing.assert_allclose(numpy_of(there.output(features)), np.asarray(here.output(features)), atol=1e-4)
    assert there.score(data) == pytest.approx(here.score(data), rel=1e-4)
    assert there.evaluate(data).confusion_matrix().tolist() == here.evaluate(data).confusion_matrix().tolist()


def test_a_step_copies_back_its_score_alone_and_asks_for_no_memory(simulator, monkeypatch):
    copied = []
    copy = simulator.memcpy_d2h_async

    def noted(destination, source, n_bytes, stream):
        copied.append(n_bytes)
        copy(destination, source, n_bytes, stream)

    network, [batch, *_] = lenet().to_device("cuda:0"), batches(256, 3)
    for _ in range(2):
        network.fit_batch(*batch)
    monkeypatch.setattr(simulator, "memcpy_d2h_async", noted)
    asked = memory.stats(0).driver_calls
    for _ in range(3):
        network.fit_batch(*batch)
    assert copied == [network.params().itemsize] * 3
    assert memory.stats(0).driver_calls == asked


def dense(updater=None, **settings):
    """Two dense layers with dropout between them."""
    layers = [nn.DenseLayer(n_out=5, activation="tanh"), nn.DropoutLayer(0.4), nn.OutputLayer(n_out=3)]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.feed_forward(4), updater=updater or nn.Sgd(0.1), dtype="float64",
        **settings,
    )  # fmt: skip


@pytest.mark.parametrize("updater", UPDATERS.values(), ids=lambda kind: kind.__name__)
def test_updaters_run_on_the_device(updater):
    there, here = assert_trains_alike(lambda: dense(updater()), batches(4, 3, 3), rtol=1e-12)
    if here.updater_state() is not None:
        np.testing.assert_allclose(numpy_of(there.updater_state()), np.asarray(here.updater_state()), rtol=1e-9)


@pytest.mark.parametrize(
    "settings",
    [
        {"l1": 0.01, "l2": 0.02},
        {"weight_decay": 0.1, "weight_init": "var_scaling_normal_fan_in"},
        {"gradient_normalization": "clip_l2_per_layer", "gradient_threshold": 0.01},
        {"gradient_normalization": "clip_element_wise_absolute_value", "gradient_threshold": 0.01},
        {"gradient_normalization": "renormalize_l2_per_param_type"},
        {"workspace_mode": "none", "weight_init": "ones"},
    ],
    ids=str,
)
def test_settings_mean_the_same(settings):
    assert_trains_alike(lambda: dense(**settings), batches(4, 3), rtol=1e-12)


def test_a_network_is_made_where_arrays_are_made():
    here = dense(nn.Adam(0.1))
    with nd.device("cuda:1"):
        there = dense(nn.Adam(0.1))
    assert there.device == there.updater_state().device == "cuda:1"
    np.testing.assert_array_equal(numpy_of(there.params()), np.asarray(here.params()))
    for features, labels in batches(4, 3):
        on_it = on(features, "cuda:1"), on(labels, "cuda:0")  # batches come from anywhere
        assert there.fit_batch(*on_it) == pytest.approx(here.fit_batch(features, labels), rel=1e-12)


def test_networks_move_and_are_copied_and_saved(tmp_path):
    data = batches(4, 3)
    network = dense(nn.Adam(0.1))
    network.fit(data[:1])
    twin = network.clone().to_device("cuda:0")
    assert network.device == "cpu"
    copy = twin.clone()
    assert copy.device == "cuda:0"
    assert twin.clone(device="cuda:1").device == "cuda:1"
    twin.save(tmp_path / "network.zip")
    loaded = type(twin).load(tmp_path / "network.zip")
    assert loaded.device == "cpu"
    scores = [net.fit_batch(*data[1]) for net in (network, twin, copy, loaded)]
    assert scores == pytest.approx([scores[0]] * 4, rel=1e-12)
    back = twin.to_device("cpu")
    assert back is twin
    np.testing.assert_allclose(np.asarray(twin.params()), np.asarray(network.params()), rtol=1e-10)


def test_what_networks_tell_is_on_their_device():
    network = dense().to_device("cuda:0")
    [features, labels] = batches(4, 3)[0]
    gradient, _ = network.compute_gradient_and_score(features, labels)
    assert gradient.device == network.param_table()["0_W"].device == "cuda:0"
    assert [x.device for x in network.feed_forward(features)] == ["cuda:0"] * 4
    assert network.memory_info(32).parameters == network.params().nbytes
    with pytest.raises(ValueError, match="expects"):
        network.output(features[:, :2])


# Several devices, and recorded steps.


@pytest.mark.parametrize("devices", ["cuda:1", ("cuda:0", "cuda:1"), ("cpu", "cuda:0")], ids=str)
def test_workers_on_several_devices_train_as_workers_on_the_host(devices):
    data = [DataSet(*batch) for batch in batches(4, 3, n_batches=5)]
    there, here = dense(nn.Adam(0.1)), dense(nn.Adam(0.1))
    settings = {"workers": 2, "averaging_frequency": 2, "prefetch_buffer": 0}
    with ParallelWrapper(here, **settings) as wrapper:
        wrapper.fit(data, epochs=2)
    with ParallelWrapper(there, devices=devices, **settings) as wrapper:
        wrapper.fit(data, epochs=2)
        names = [devices] * 2 if isinstance(devices, str) else list(devices)
        assert [worker.model.device for worker in wrapper._team] == names
    assert there.score_value == pytest.approx(here.score_value, rel=1e-10)
    for got, want in ((there.params(), here.params()), (there.updater_state(), here.updater_state())):
        np.testing.assert_allclose(np.asarray(got.to_device("cpu")), np.asarray(want), rtol=1e-9, atol=1e-12)


def test_devices_of_workers_are_names():
    with pytest.raises(ValueError, match="devices must be names such as"):
        ParallelWrapper(dense(), devices=[0])
    with pytest.raises(ValueError, match="devices must be names such as"):
        ParallelWrapper(dense(), devices=[])


def test_a_recorded_step_of_training_goes_on_as_the_step_itself():
    rng = np.random.default_rng(2)
    first = [rng.normal(size=(2, 1, 3, 3)), rng.normal(size=(8, 3))]
    images, labels = rng.normal(size=(4, 1, 6, 6)), np.eye(3)[rng.integers(0, 3, 4)]

    def loss(params, x, labels):
        hidden = nd.relu(nd.max_pool2d(nd.conv2d(x, params[0]), 2)).reshape((4, 8))
        return -nd.sum(labels * nd.log_softmax(hidden @ params[1]))

    def trainer(device):
        params = [nd.asarray(p, device=device) for p in first]
        x, y = nd.asarray(images, device=device), nd.asarray(labels, device=device)

        def step():
            value, gradients = nd.value_and_grad(loss)(params, x, y)
            for p, g in zip(params, gradients, strict=True):
                nd.subtract(p, nd.sgd_step(g, lr=0.05), out=p)
            return value

        return step, params

    here, want = trainer("cpu")
    there, got = trainer("cuda:0")
    expected = [float(here()) for _ in range(4)]
    with nd.cuda.Graph(there) as graph:  # the step has run once then
        assert [float(graph.launch()) for _ in range(3)] == pytest.approx(expected[1:], rel=1e-12)
    for x, y in zip(got, want, strict=True):
        np.testing.assert_allclose(numpy_of(x), np.asarray(y), rtol=1e-12)
    assert expected[-1] < expected[0]


class Interrupt(BaseException):
    """What Ctrl-C raises, at a chosen place."""


@pytest.mark.parametrize("n_interrupts", [1, 2])
@pytest.mark.parametrize("n_copied", [0, 1])
def test_a_step_that_is_decided_is_finished_whatever_interrupts_it(n_interrupts, n_copied, monkeypatch):
    network, [batch] = lenet().to_device("cuda:0"), batches(256, 3, 1)
    network.fit_batch(*batch)
    twin = network.clone()
    twin.fit_batch(*batch)
    plain, left = journal.write, [n_interrupts, n_copied]

    def interrupted(target, source):
        if left[1] == 0 and left[0] > 0:
            left[0] -= 1
            raise Interrupt
        left[1] -= left[1] > 0
        plain(target, source)

    monkeypatch.setattr(journal, "write", interrupted)
    with pytest.raises(Interrupt):
        network.fit_batch(*batch)
    assert numpy_of(network.params()).tobytes() == numpy_of(twin.params()).tobytes()
    assert numpy_of(network.updater_state()).tobytes() == numpy_of(twin.updater_state()).tobytes()
    assert (network.iteration_count, network.score_value) == (twin.iteration_count, twin.score_value)
    assert network.fit_batch(*batch) == twin.fit_batch(*batch)


def test_a_step_that_is_not_decided_on_a_device_changes_nothing(monkeypatch):
    network, [batch] = lenet().to_device("cuda:0"), batches(256, 3, 1)
    before = numpy_of(network.params()).tobytes(), numpy_of(network.updater_state()).tobytes()

    def interrupted(*arguments):
        raise Interrupt

    monkeypatch.setattr("nd4py.nn.networks.update.add_weight_decay", interrupted)
    with pytest.raises(Interrupt):
        network.fit_batch(*batch)
    assert (numpy_of(network.params()).tobytes(), numpy_of(network.updater_state()).tobytes()) == before
    assert network.iteration_count == 0


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_a_copied_network_stays_on_its_device_and_goes_on(how):
    network, [batch] = lenet().to_device("cuda:1"), batches(256, 3, 1)
    network.fit_batch(*batch)
    twin = how(network)
    assert twin.device == "cuda:1"
    assert [twin.fit_batch(*batch) for _ in range(2)] == [network.fit_batch(*batch) for _ in range(2)]
    assert numpy_of(network.params()).tobytes() == numpy_of(twin.params()).tobytes()
    assert numpy_of(network.updater_state()).tobytes() == numpy_of(twin.updater_state()).tobytes()
