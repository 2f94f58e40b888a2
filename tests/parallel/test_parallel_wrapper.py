"""What ParallelWrapper computes: averaging rules, against closed formulas on a linear model and against networks."""

import logging

import numpy as np
import pytest

import nd4py as nd
from nd4py.data import ArrayDataSetIterator, AsyncShieldDataSetIterator, DataSet
from nd4py.parallel import ParallelWrapper, average

N_IN = 5


class LinearModel:
    """y = x @ w with a mean squared error: the surface that the wrapper needs, with gradients in closed form."""

    def __init__(self, momentum=None, rate=0.05):
        self.w = nd.asarray(np.linspace(-1, 1, N_IN))
        self.v = None if momentum is None else nd.zeros(N_IN)
        self.momentum, self.rate = momentum, rate
        self.listeners, self.clones = [], []
        self.iteration_count = self.epoch_count = self.n_averagings = 0
        self.score_value = self.last_etl_ms = self.last_batch_size = None

    def clone(self, *, replica):
        other = LinearModel(self.momentum, self.rate)
        self.clones.append(other)
        return other

    def params(self):
        return self.w

    def set_params(self, values):
        self.w[...] = values
        self.n_averagings += 1

    def updater_state(self):
        return self.v

    def set_updater_state(self, values):
        self.v[...] = values

    def fit_batch(self, features, labels):
        difference = features @ self.w - labels
        gradient = features.T @ difference * (2.0 / features.shape[0])
        step = self.rate * gradient
        if self.v is not None:
            self.v[...] = self.momentum * self.v + step
            step = self.v
        self.w[...] = self.w - step
        self.iteration_count += 1
        self.score_value = float(nd.mean(difference * difference))
        return self.score_value


def problem(n, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, N_IN))
    return nd.asarray(features), nd.asarray(features @ rng.normal(size=N_IN) + 0.1 * rng.normal(size=n))


def numbers(array):
    return np.asarray(array).copy()


def fitted(model, n, batch, epochs=1, **options):
    with ParallelWrapper(model, **options) as wrapper:
        assert wrapper.fit(ArrayDataSetIterator(*problem(n), batch), epochs=epochs) is model
    return model


def serial(model, n, batch, epochs=1):
    for _ in range(epochs):
        for data in ArrayDataSetIterator(*problem(n), batch):
            model.fit_batch(data.features, data.labels)
    return model


@pytest.mark.parametrize("momentum", [None, 0.9], ids=["sgd", "momentum"])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_k_workers_with_batch_b_equal_one_model_with_batch_kb(workers, momentum):
    parallel = fitted(LinearModel(momentum), 60, 4, epochs=3, workers=workers, averaging_frequency=1)
    alone = serial(LinearModel(momentum), 60, 4 * workers, epochs=3)
    np.testing.assert_allclose(numbers(parallel.w), numbers(alone.w), rtol=1e-6)
    assert parallel.iteration_count == alone.iteration_count


def by_hand(n, batch, workers, frequency, average_updaters, momentum, epochs=1):
    """The rules, spelled out on separate models one after another."""
    team = [LinearModel(momentum) for _ in range(workers)]

    def average_team(participants):
        for name in ("w", "v") if average_updaters else ("w",):
            mean = np.mean([numbers(getattr(model, name)) for model in participants], axis=0)
            for model in team:
                getattr(model, name)[...] = nd.asarray(mean)

    batches = list(ArrayDataSetIterator(*problem(n), batch))
    for _ in range(epochs):
        rounds = [batches[start : start + workers] for start in range(0, len(batches), workers)]
        since = []
        for number, one_round in enumerate(rounds, 1):
            for model, data in zip(team, one_round, strict=False):
                model.fit_batch(data.features, data.labels)
            since.append(len(one_round))
            if number % frequency == 0:
                average_team(team[: max(since)])
                since = []
        if since:
            average_team(team[: max(since)])
    return team


@pytest.mark.parametrize("average_updaters", [True, False])
@pytest.mark.parametrize("n", [48, 40, 44, 4], ids=["whole rounds", "remainder", "partial last", "one batch"])
@pytest.mark.parametrize("workers, frequency", [(2, 1), (2, 3), (3, 1), (3, 2), (3, 100)])
def test_follows_the_rules(workers, frequency, n, average_updaters):
    model = LinearModel(momentum=0.9)
    options = {"workers": workers, "averaging_frequency": frequency, "average_updaters": average_updaters}
    fitted(model, n, 4, epochs=2, **options)
    team = by_hand(n, 4, workers, frequency, average_updaters, momentum=0.9, epochs=2)
    for replica, expected in zip([model, *model.clones], team, strict=True):
        np.testing.assert_allclose(numbers(replica.w), numbers(expected.w), rtol=1e-9)
        np.testing.assert_allclose(numbers(replica.v), numbers(expected.v), rtol=1e-9)


@pytest.mark.parametrize("n_batches", [1, 2, 5, 7, 12])
def test_no_replica_is_stale_after_fit(n_batches):
    model = fitted(LinearModel(momentum=0.5), 4 * n_batches, 4, workers=3, averaging_frequency=2)
    for replica in model.clones:
        assert np.array_equal(numbers(replica.w), numbers(model.w))
        assert np.array_equal(numbers(replica.v), numbers(model.v))
        assert (replica.iteration_count, replica.epoch_count) == (model.iteration_count, model.epoch_count - 1)


@pytest.mark.parametrize("frequency, averagings", [(1, 6), (2, 3), (3, 2), (4, 2), (5, 2), (6, 1), (7, 1)])
def test_one_averaging_every_frequency_rounds_and_one_for_the_remainder(frequency, averagings):
    model = fitted(LinearModel(), 48, 4, workers=2, averaging_frequency=frequency)
    assert model.n_averagings == averagings


def test_the_result_does_not_depend_on_timing():
    results = {numbers(fitted(LinearModel(0.9), 120, 3, workers=3).w).tobytes() for _ in range(10)}
    assert len(results) == 1


def test_without_prefetch_and_with_a_shield_the_result_is_the_same():
    ahead = fitted(LinearModel(), 48, 4)
    plain = fitted(LinearModel(), 48, 4, prefetch_buffer=0)
    shielded = LinearModel()
    ParallelWrapper(shielded).fit(AsyncShieldDataSetIterator(ArrayDataSetIterator(*problem(48), 4)))
    assert numbers(ahead.w).tobytes() == numbers(plain.w).tobytes() == numbers(shielded.w).tobytes()


def test_fitting_again_starts_from_the_model_as_it_is():
    model = LinearModel(momentum=0.9)
    wrapper = ParallelWrapper(model, averaging_frequency=1)
    batches = ArrayDataSetIterator(*problem(48), 4)
    wrapper.fit(batches)
    model.set_params(nd.zeros(N_IN))
    model.set_updater_state(nd.ones(N_IN))
    wrapper.fit(batches)
    wrapper.shutdown()
    fresh = LinearModel(momentum=0.9)
    fresh.set_params(nd.zeros(N_IN))
    fresh.set_updater_state(nd.ones(N_IN))
    fitted(fresh, 48, 4, averaging_frequency=1)
    assert numbers(model.w).tobytes() == numbers(fresh.w).tobytes()


class Diary:
    """Notes every call of a listener with what it can read there."""

    def __init__(self):
        self.calls = []

    def iteration_done(self, model, iteration, epoch):
        self.calls.append(("iteration", iteration, epoch, model.score_value, model.last_batch_size))
        assert model.last_etl_ms >= 0.0

    def on_epoch_end(self, model):
        weights = [numbers(replica.w) for replica in (model, *model.clones)]
        assert all(np.array_equal(weights[0], other) for other in weights)
        self.calls.append(("end", model.epoch_count))


class Silent:
    """A listener that reacts to nothing."""


def test_listeners_hear_of_every_round_and_the_score_is_the_mean():
    model, diary = LinearModel(), Diary()
    model.listeners = listeners = [Silent(), diary]
    first = [LinearModel().fit_batch(*(part[i : i + 4] for part in problem(18))) for i in (0, 4)]
    fitted(model, 18, 4, epochs=2)
    rounds = [("iteration", 1 + i, i // 3) for i in range(6)]
    assert [call[:3] for call in diary.calls] == [*rounds[:3], ("end", 1), *rounds[3:], ("end", 2)]
    assert diary.calls[0][3] == pytest.approx(np.mean(first), rel=1e-12)
    assert [call[4] for call in diary.calls if len(call) == 5] == [8, 8, 2] * 2
    assert model.listeners is listeners
    assert model.epoch_count == 2


def test_the_score_is_reported_after_averaging(caplog):
    with caplog.at_level(logging.INFO, logger="nd4py"):
        fitted(LinearModel(), 48, 4, report_score_after_averaging=False)
        assert caplog.messages == []
        fitted(LinearModel(), 48, 4, averaging_frequency=3, report_score_after_averaging=True)
    assert [message.split(":")[0] for message in caplog.messages] == ["iteration 3", "iteration 6"]


def test_defaults_are_those_of_deeplearning4j():
    wrapper = ParallelWrapper(LinearModel())
    assert (wrapper.n_workers, wrapper.prefetch_buffer, wrapper.averaging_frequency) == (2, 16, 1)
    assert wrapper.average_updaters
    assert not wrapper.report_score_after_averaging
    assert (wrapper.training_mode, wrapper.threshold_algorithm, wrapper.trainer) == ("averaging", None, None)


@pytest.mark.parametrize(
    "option, value, lowest",
    [
        ("workers", 0, 1),
        ("workers", -2, 1),
        ("averaging_frequency", 0, 1),
        ("averaging_frequency", -1, 1),
        ("prefetch_buffer", -1, 0),
    ],
)
def test_options_out_of_range(option, value, lowest):
    with pytest.raises(ValueError, match=f"{option} must be at least {lowest}, got {value}"):
        ParallelWrapper(LinearModel(), **{option: value})


def test_epochs_are_checked():
    wrapper = ParallelWrapper(LinearModel())
    batches = ArrayDataSetIterator(*problem(8), 4)
    with pytest.raises(ValueError, match="epochs must be at least 1, got 0"):
        wrapper.fit(batches, epochs=0)
    with pytest.raises(ValueError, match="no batches.*once per epoch"):
        wrapper.fit((batch for batch in batches), epochs=2)
    assert (wrapper.model.iteration_count, wrapper.model.epoch_count) == (1, 1)
    wrapper.fit((batch for batch in batches), epochs=1)
    assert (wrapper.model.iteration_count, wrapper.model.epoch_count) == (2, 2)
    wrapper.close()


def test_average_is_the_mean_in_order_and_checks_its_input():
    rng = np.random.default_rng(0)
    vectors = [rng.normal(size=100).astype("float32") for _ in range(3)]
    found = average([nd.asarray(vector) for vector in vectors])
    assert np.array_equal(numbers(found), ((vectors[0] + vectors[1]) + vectors[2]) / np.float32(3))
    with pytest.raises(ValueError, match=r"vector 1 has \(3,\)"):
        average([nd.zeros(2), nd.zeros(3)])
    with pytest.raises(TypeError, match="vector 1 is float64"):
        average([nd.zeros(2, dtype="float32"), nd.zeros(2)])
    with pytest.raises(ValueError, match="no vectors"):
        average([])


def test_data_sets_in_a_list_will_do():
    model = LinearModel()
    ParallelWrapper(model).fit(DataSet(*problem(48)).batch_by(4))
    wanted = numbers(fitted(LinearModel(), 48, 4).w).tobytes()
    assert numbers(model.w).tobytes() == wanted
    model = LinearModel()
    ParallelWrapper(model).fit([(batch.features, batch.labels) for batch in DataSet(*problem(48)).batch_by(4)])
    assert numbers(model.w).tobytes() == wanted


def test_features_and_labels_are_cut_into_batches():
    x, y = problem(48)
    wanted, whole, written = LinearModel(), LinearModel(), LinearModel()
    ParallelWrapper(wanted).fit(ArrayDataSetIterator(x, y, 8, 0), epochs=2)
    ParallelWrapper(whole).fit(x, y, epochs=2, batch_size=8)
    ParallelWrapper(written).fit(x.tolist(), y.tolist(), epochs=2, batch_size=8)
    assert numbers(whole.w).tobytes() == numbers(written.w).tobytes() == numbers(wanted.w).tobytes()


def test_a_whole_number_behind_the_batches_is_epochs():
    twice, given = LinearModel(), LinearModel()
    ParallelWrapper(twice).fit(DataSet(*problem(16)).batch_by(4), epochs=2)
    ParallelWrapper(given).fit(DataSet(*problem(16)).batch_by(4), 2)
    assert numbers(twice.w).tobytes() == numbers(given.w).tobytes()
    with pytest.raises(TypeError, match="two numbers of epochs, 2 and 3"):
        ParallelWrapper(LinearModel()).fit(DataSet(*problem(16)).batch_by(4), 2, epochs=3)


@pytest.mark.parametrize("given", [problem(8), DataSet(*problem(8)), problem(8)[0]])
def test_one_batch_is_no_iterator_for_workers(given):
    with pytest.raises(TypeError, match=r"takes an iterator over batches, or features and labels as two arguments"):
        ParallelWrapper(LinearModel()).fit(given)
    with pytest.raises(TypeError, match="batch_size is for features and labels"):
        ParallelWrapper(LinearModel()).fit([given], batch_size=4)
    with pytest.raises(ValueError, match="each batch must be a DataSet or a pair of features and labels, given 3"):
        ParallelWrapper(LinearModel()).fit([(1, 2, 3)])
    with pytest.raises(TypeError, match="model must be a network with clone and fit_batch, given int"):
        ParallelWrapper(3)
