"""Updaters and schedules against their formulas."""

from collections import defaultdict

import cases
import numpy as np
import pytest
from nn_cases.updaters import PARAMS

import nd4py as nd
from nd4py import nn

N = PARAMS.size


def given_params(updater):
    """The arguments behind the counters of `update` and `advance`."""
    return (nd.asarray(PARAMS),) if updater.takes_params else ()


@pytest.mark.parametrize(
    "updater, reference", [pytest.param(*case, id=type(case[0]).__name__) for case in cases.UPDATERS]
)
def test_updater_matches_its_formula(updater, reference):
    rng, expected_state = np.random.default_rng(3), defaultdict(lambda: np.zeros(N))
    state = updater.init(nd.zeros(N, dtype="float64"))
    for t in range(1, 6):
        g = rng.normal(size=N)
        advanced, after = updater.advance(nd.asarray(g, copy=True), state, t - 1, 0, *given_params(updater))
        delta = updater.update(nd.asarray(g), state, t - 1, 0, *given_params(updater))
        np.testing.assert_allclose(np.asarray(delta), reference(g, expected_state, t), rtol=1e-9, atol=1e-15)
        np.testing.assert_array_equal(np.asarray(advanced), np.asarray(delta))
        assert after is state is None or np.array_equal(np.asarray(after), np.asarray(state))
    for name, part in zip(updater.state, np.asarray(state).reshape(-1, N) if updater.state else (), strict=True):
        np.testing.assert_allclose(part, expected_state[name], rtol=1e-12, atol=1e-18)


@pytest.mark.parametrize("updater", [pytest.param(row[0], id=type(row[0]).__name__) for row in cases.UPDATERS])
def test_state_is_one_vector_of_the_parameters_dtype(updater):
    state = updater.init(nd.ones(7, dtype="float32"))
    if updater.state:
        assert state.shape == (7 * len(updater.state),)
        assert state.dtype == nd.float32
        assert not np.asarray(state).any()
    else:
        assert state is None


@pytest.mark.parametrize(
    "schedule, step, value",
    [
        pytest.param(schedule, step, value, id=f"{type(schedule).__name__}-{step}")
        for schedule, values in cases.SCHEDULES
        for step, value in values.items()
    ],
)
def test_schedule_value(schedule, step, value):
    assert schedule.value(step, 0) == pytest.approx(value, abs=1e-12)


def test_schedule_follows_epochs_when_told():
    schedule = nn.StepSchedule(1.0, 0.5, 2, per="epoch")
    assert [schedule.value(1000, epoch) for epoch in range(5)] == [1.0, 1.0, 0.5, 0.5, 0.25]


def test_schedules_within_schedules_follow_their_own_counters():
    by_epoch = nn.StepSchedule(1.0, 0.5, 1, per="epoch")
    assert nn.RampSchedule(by_epoch, 4).value(1, 2) == 0.125
    assert nn.WarmupSchedule(by_epoch, 4).value(9, 2) == 0.25
    assert nn.WarmupSchedule(by_epoch, 4, per="epoch").value(9, 6) == 0.25
    assert nn.WarmupSchedule(0.5, 4, 0.1).value(2, 0) == pytest.approx(0.3)


@pytest.mark.parametrize("updater", [nn.AdamW(), nn.Lion()])
def test_decay_of_an_updater_needs_the_parameters(updater):
    state = updater.init(nd.zeros(3))
    with pytest.raises(ValueError, match="parameters are needed for the weight decay, given None"):
        updater.update(nd.ones(3), state, 0, 0)
    with pytest.raises(ValueError, match=r"must have the shape of the gradient, \(3,\), given \(4,\)"):
        updater.advance(nd.ones(3), state, 0, 0, nd.ones(4))


def test_decay_of_an_updater_in_a_network_shrinks_the_parameters():
    x, labels = cases.small_batch()
    moved = []
    for weight_decay in (0.0, 0.1):
        net = cases.small_network(updater=nn.AdamW(0.01, weight_decay=weight_decay))
        before = np.array(net.params())
        net.fit_batch(x, labels)
        moved.append(np.array(net.params()))
    np.testing.assert_allclose(moved[0] - moved[1], 0.001 * before, rtol=1e-9, atol=1e-15)


def test_poly_schedule_decays():
    values = [nn.PolySchedule(0.1, 1.5, 20).value(i, 0) for i in range(21)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == 0.0


def test_updater_uses_its_schedule():
    updater, g = nn.Sgd(nn.MapSchedule({0: 1.0, 2: 0.5})), nd.ones(3, dtype="float64")
    assert [float(updater.update(g, None, i, 0)[0]) for i in range(4)] == [1.0, 1.0, 0.5, 0.5]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.Sgd(-0.1), "Sgd: learning_rate must be at least 0, given -0.1"),
        (lambda: nn.Sgd(float("inf")), "learning_rate must be a finite number, given inf"),
        (lambda: nn.Sgd("fast"), "learning_rate must be a finite number, given 'fast'"),
        (lambda: nn.Nesterovs(momentum=1.0), "momentum must be at least 0 and less than 1, given 1.0"),
        (lambda: nn.Adam(b1=-0.5), "b1 must be at least 0, given -0.5"),
        (lambda: nn.StepSchedule(0.1, 0.5, 0), "step must be a whole number of at least 1, given 0"),
        (lambda: nn.StepSchedule(0.1, 0.5, 3, per="day"), "per must be 'iteration' or 'epoch', given 'day'"),
        (lambda: nn.MapSchedule({5: 0.1}), r"no value for step 0, given steps \[5\]"),
        (lambda: nn.CycleSchedule(0.1, 1.0, 3, 2), "length must be a whole number of at least 4, given 3"),
    ],
)
def test_bad_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


class Halved:
    """A schedule of the caller's own: half of the rate in every epoch."""

    def value(self, iteration, epoch):
        return 0.1 / 2**epoch


def test_a_schedule_of_the_caller_s_own():
    schedule: nn.Schedule = Halved()
    updater = nn.Sgd(schedule)
    assert [updater.rate(7, epoch) for epoch in range(3)] == [0.1, 0.05, 0.025]
    np.testing.assert_allclose(np.asarray(updater.update(nd.ones(2), None, 0, 1)), 0.05)


def adafactor(p, g, means, t, axes, rate=0.01):
    """One step of algorithm 4 of Shazeer & Stern for a parameter whose rows and columns lie along `axes`."""
    b2, squares = 1 - t**-0.8, g**2 + 1e-30
    for axis in axes:
        means[axis] = b2 * means[axis] + (1 - b2) * squares.mean(axis, keepdims=True)
    rows, columns = means[axes[1]], means[axes[0]]
    u = g / np.sqrt(rows * columns / rows.mean(axes[0], keepdims=True))
    u = u / max(1.0, np.sqrt(np.mean(u**2)))
    return min(rate, 1 / np.sqrt(t)) * max(1e-3, np.sqrt(np.mean(p**2))) * u


@pytest.mark.parametrize(
    "shape, axes",
    [((4, 7), (0, 1)), ((7, 4), (0, 1)), ((1, 5), (0, 1)), ((6, 5, 2, 3), (0, 1)), ((6, 2, 3, 5), (0, 3))],
)
@pytest.mark.parametrize("dtype, rtol", [("float64", 1e-12), ("float32", 1e-5)])
def test_adafactor_keeps_means_of_rows_and_columns(shape, axes, dtype, rtol):
    rng, updater, means = np.random.default_rng(4), nn.AdaFactor(), defaultdict(float)
    p = rng.normal(size=shape)
    state = updater.init(nd.asarray(p, dtype=dtype))
    assert state.shape == (p.size // shape[axes[0]] + p.size // shape[axes[1]],) == (updater.state_size(shape),)
    for t in range(1, 11):
        g = rng.normal(size=shape) * rng.uniform(0.1, 3.0, size=shape[-1])
        given = (nd.asarray(g, dtype=dtype), state, t - 1, 0, nd.asarray(p, dtype=dtype))
        advanced, _ = updater.advance(*given)
        delta = updater.update(*given)
        np.testing.assert_array_equal(np.asarray(advanced), np.asarray(delta))
        np.testing.assert_allclose(np.asarray(delta), adafactor(p, g, means, t, axes), rtol=rtol, atol=rtol * 1e-3)
        p = p - np.asarray(delta)


def test_adafactor_without_its_rules_for_the_length_of_steps():
    g = nd.asarray([[3.0, -3.0], [0.5, 0.5]])
    free = nn.AdaFactor(
        nn.StepSchedule(0.5, 0.5, 1), relative_step=False, scale_parameter=False, clipping_threshold=9.0
    )
    assert [free.rate(i, 0) for i in range(3)] == [0.5, 0.25, 0.125]
    np.testing.assert_allclose(np.asarray(free.update(g, free.init(g), 0, 0)), 0.5 * np.sign(np.asarray(g)))
    assert [nn.AdaFactor(1.0).rate(i, 0) for i in (0, 3, 99)] == [1.0, 0.5, 0.1]
    clipped = nn.AdaFactor(0.5, relative_step=False, scale_parameter=False, clipping_threshold=0.25)
    np.testing.assert_allclose(np.asarray(clipped.update(g, clipped.init(g), 0, 0)), 0.125 * np.sign(np.asarray(g)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_adafactor_leaves_alone_what_has_no_gradient(dtype):
    g = np.random.default_rng(1).normal(size=(5, 4)) * 1e-3
    g[1], g[:, 2] = 0.0, 0.0
    for given in (g, np.zeros((5, 4)), 1e5 * g):
        params, updater = nd.ones((5, 4), dtype=dtype), nn.AdaFactor()
        delta = np.asarray(updater.update(nd.asarray(given, dtype=dtype), updater.init(params), 0, 0, params))
        assert np.isfinite(delta).all()
        np.testing.assert_array_equal(delta != 0.0, given != 0.0)


def test_adafactor_in_a_network_sees_one_parameter_after_another(tmp_path):
    layers = [nn.ConvolutionLayer((3, 3), n_out=4), nn.BatchNormalization(), nn.DenseLayer(5), nn.OutputLayer(3)]
    net = nn.MultiLayerNetwork(
        layers, input_type=cases.IMAGES, updater=nn.AdaFactor(0.1), bias_updater=nn.Adam(), dtype="float64"
    )
    updaters = {
        slot.key: nn.Adam() if slot.parameter.is_bias else nn.AdaFactor(0.1)
        for slot in net.slots
        if not slot.parameter.is_state
    }
    params = {name: net.param_table()[name].copy() for name in updaters}
    states = {name: updater.init(params[name]) for name, updater in updaters.items()}
    assert net.updater_state().size == sum(state.size for state in states.values())
    rng = np.random.default_rng(2)
    for i in range(4):
        x, labels = rng.normal(size=(6, *cases.IMAGES.shape)), np.eye(3)[rng.integers(0, 3, 6)]
        gradient = net.compute_gradient_and_score(x, labels)[0]
        for slot in net.slots:
            if (updater := updaters.get(slot.key)) is not None:
                g, p = gradient[slot.elements].reshape(slot.parameter.shape), params[slot.key]
                given = (g, p) if updater.sees_shapes else (g.reshape(-1), p.reshape(-1))
                state = states[slot.key]
                params[slot.key] = p - updater.update(given[0], state, i, 0, given[1]).reshape(p.shape)
        net.fit_batch(x, labels)
        for name, expected in params.items():
            np.testing.assert_allclose(
                np.asarray(net.param_table()[name]), np.asarray(expected), rtol=1e-12, atol=1e-15
            )
    net.save(tmp_path / "net.zip")
    twin = nn.MultiLayerNetwork.load(tmp_path / "net.zip")
    assert twin.fit_batch(x, labels) == net.fit_batch(x, labels)
    np.testing.assert_array_equal(np.asarray(twin.params()), np.asarray(net.params()))
    np.testing.assert_array_equal(np.asarray(twin.updater_state()), np.asarray(net.updater_state()))


def test_weight_decay_beside_adafactor():
    x, labels = cases.small_batch()
    moved = []
    for weight_decay in (0.0, 0.1):
        net = cases.small_network(updater=nn.AdaFactor(0.01), weight_decay=weight_decay)
        before = {name: np.array(value) for name, value in net.param_table().items()}
        net.fit_batch(x, labels)
        moved.append({name: np.array(value) for name, value in net.param_table().items()})
    for name, value in before.items():
        expected = 0.01 * 0.1 * value if name.endswith("W") else 0.0 * value
        np.testing.assert_allclose(moved[0][name] - moved[1][name], expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.AdaFactor(eps=0.0), "AdaFactor: eps must be above 0, given 0.0"),
        (lambda: nn.AdaFactor(clipping_threshold=-1), "clipping_threshold must be at least 0, given -1"),
        (lambda: nn.AdaFactor(relative_step=1), "relative_step must be True or False, given 1"),
        (lambda: nn.AdaFactor().update(nd.ones((2, 2)), nd.zeros(4), 0, 0), "params: steps are as long .*given None"),
        (lambda: nn.AdaFactor().update(nd.ones((2, 2)), nd.zeros(4), 0, 0, nd.ones(4)), r"\(2, 2\), given \(4,\)"),
        (lambda: nn.AdaFactor().update(nd.ones((2, 2)), nd.zeros(3), 0, 0, nd.ones((2, 2))), "given shape"),
        (lambda: nn.AdaFactor().update(nd.ones(2), nd.zeros(2), -1, 0, nd.ones(2)), "iteration must be a whole number"),
    ],
)  # fmt: skip
def test_adafactor_refuses_what_does_not_fit(make, message):
    with pytest.raises(ValueError, match=message):
        make()
