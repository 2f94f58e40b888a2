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
    with pytest.raises(ValueError, match=r"a vector of 3 parameters is needed.*given \(4,\)"):
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
