"""Rounds of ParallelWrapper where nobody looks in between: workers go on, and results are those of strict rounds."""

import threading
import time

import pytest

import nd4py as nd
from nd4py import data, nn, parallel
from nd4py.parallel.rounds import MOST_AHEAD


class Meeting:
    """A trainer whose first worker waits, in its first batch, until the second one has begun a later batch."""

    def __init__(self, wanted, seconds):
        self.wanted, self.seconds = wanted, seconds
        self.begun = {}
        self.came = threading.Event()
        self.has_come = None

    def __call__(self, model, batch):
        number = self.begun.setdefault(id(model), [len(self.begun), 0])
        number[1] += 1
        if batch.features[0, 0] % 2 == 1 and number[1] >= self.wanted:
            self.came.set()
        if batch.features[0, 0] == 0:
            self.has_come = self.came.wait(self.seconds)
        return model.fit_batch(batch.features, batch.labels)


def network(seed=3):
    return nn.MultiLayerNetwork(
        [nn.DenseLayer(5, activation="tanh"), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4),
        updater=nn.Adam(0.05), seed=seed,
    )  # fmt: skip


def batches(n):
    """The first feature of a batch is its number: even ones are the first worker's of two."""
    made = []
    for number in range(n):
        features = nd.full((6, 4), float(number), dtype="float32")
        made.append(data.DataSet(features, nd.one_hot([0, 1] * 3, 2, dtype="float32")))
    return made


class Watching:
    def __init__(self):
        self.counts = []

    def iteration_done(self, model, iteration, epoch):
        self.counts.append(iteration)


@pytest.mark.parametrize(("frequency", "wanted"), [(8, MOST_AHEAD + 1), (2, 2)])
def test_a_worker_goes_on_before_the_others_have_ended_their_round(frequency, wanted):
    meeting = Meeting(wanted, seconds=20.0)
    with parallel.ParallelWrapper(network(), averaging_frequency=frequency, trainer=meeting) as wrapper:
        wrapper.fit(batches(16))
    assert meeting.has_come is True


@pytest.mark.parametrize(("frequency", "wanted"), [(8, MOST_AHEAD + 2), (2, 3), (1, 2)])
def test_no_worker_goes_further_than_that_or_past_an_averaging(frequency, wanted):
    meeting = Meeting(wanted, seconds=0.5)
    with parallel.ParallelWrapper(network(), averaging_frequency=frequency, trainer=meeting) as wrapper:
        wrapper.fit(batches(16))
    assert meeting.has_come is False


def test_where_a_listener_looks_at_the_model_all_end_a_round_together():
    meeting, watching = Meeting(2, seconds=0.5), Watching()
    with parallel.ParallelWrapper(network(), averaging_frequency=4, trainer=meeting) as wrapper:
        wrapper.fit(batches(16), listeners=watching)
    assert meeting.has_come is False
    assert watching.counts == [*range(1, 9)]


@pytest.mark.parametrize("n_batches", [1, 5, 12, 13])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_result_is_that_of_rounds_that_all_end_together(workers, n_batches):
    found = []
    for listeners in ((), Watching()):
        net = network()
        with parallel.ParallelWrapper(net, workers, averaging_frequency=3) as wrapper:
            wrapper.fit(batches(n_batches), epochs=2, listeners=listeners)
        found.append([net.params().tolist(), net.updater_state().tolist(), net.iteration_count, net.score_value])
    assert found[0] == found[1]


def test_stop_fit_lets_only_rounds_end_that_have_begun():
    net, replicas = network(), set()

    def stopping(model, batch):
        replicas.add(model)
        if model.iteration_count == 4:
            wrapper.stop_fit()
        return model.fit_batch(batch.features, batch.labels)

    with parallel.ParallelWrapper(net, averaging_frequency=50, trainer=stopping) as wrapper:
        wrapper.fit(batches(200))
        assert 5 <= net.iteration_count <= 5 + 2 * MOST_AHEAD + 1
        assert len(replicas) == 2
        assert {replica.iteration_count for replica in replicas} == {net.iteration_count}
        first, second = (replica.params().tolist() for replica in replicas)
        assert first == second  # averaged


def test_after_a_failure_no_batch_is_trained_that_had_waited():
    trained, has_begun, is_over = [], threading.Event(), threading.Event()

    def failing(model, batch):
        number = int(batch.features[0, 0])
        if number == 1:
            has_begun.wait(20.0)
            raise OSError("disk")
        has_begun.set()
        is_over.wait(20.0)
        trained.append(number)
        return model.fit_batch(batch.features, batch.labels)

    wrapper = parallel.ParallelWrapper(network(), averaging_frequency=8, trainer=failing)
    with pytest.raises(OSError, match="disk"):
        wrapper.fit(batches(16))
    workers = [thread for thread in threading.enumerate() if thread.name.startswith("nd4py worker")]
    is_over.set()
    for worker in workers:
        worker.join(20.0)
    assert trained == [0]


def test_a_shutdown_while_batches_wait_is_an_error_of_that_training():
    begun = threading.Semaphore(0)

    def slow(model, batch):
        begun.release()
        time.sleep(0.3)
        return model.fit_batch(batch.features, batch.labels)

    wrapper = parallel.ParallelWrapper(network(), averaging_frequency=50, trainer=slow)
    errors = []

    def fit():
        try:
            wrapper.fit(batches(100))
        except RuntimeError as error:
            errors.append(str(error))

    fitting = threading.Thread(target=fit)
    fitting.start()
    begun.acquire(), begun.acquire()
    wrapper.shutdown()
    fitting.join(10.0)
    assert not fitting.is_alive()
    assert errors == ["ParallelWrapper: shut down while training; call fit again to go on"]
