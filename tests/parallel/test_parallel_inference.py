"""ParallelInference: answers bit for bit those of the network, whatever they are computed with and however it ends."""

import asyncio
import dataclasses
import gc
import os
import signal
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed, wait

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, parallel
from nd4py.nn import Snapshot
from nd4py.parallel import ClosedError, ParallelInference, QueueFullError, ServiceStatistics
from nd4py.parallel.exact_sizes import ExactSizes
from nd4py.parallel.requests import Request

FEED_FORWARD = nn.InputType.feed_forward(40)


@dataclasses.dataclass(frozen=True)
class Gate(nn.Layer):
    """Passes rows on when the gate is open, and fails for rows that begin with -1."""

    gates = {}

    name: str = ""

    def forward(self, params, x, *, train=False, rng=None):
        entered, is_open = self.gates[self.name]
        entered.set()
        assert is_open.wait(10.0)
        if bool(nd.any(x[:, 0] == -1.0)):
            raise LookupError("a row begins with -1")
        return x


@pytest.fixture
def gate(request):
    entered, is_open = threading.Event(), threading.Event()
    Gate.gates[request.node.name] = entered, is_open
    yield request.node.name, entered, is_open
    is_open.set()


def network(seed=0, dtype="float32"):
    layers = [nn.DenseLayer(300, activation="relu"), nn.DenseLayer(200, activation="tanh"), nn.OutputLayer(7)]
    return nn.MultiLayerNetwork(layers, input_type=FEED_FORWARD, seed=seed, dtype=dtype)


def gated(name):
    layers = [Gate(name=name), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(3))


def image_network():
    layers = [
        nn.ConvolutionLayer((3, 3), n_out=8, activation="relu"), nn.SubsamplingLayer(), nn.DenseLayer(60),
        nn.OutputLayer(5),
    ]  # fmt: skip
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(12, 12, 1))


def sequence_network():
    return nn.MultiLayerNetwork([nn.LSTM(19), nn.RnnOutputLayer(4)], input_type=nn.InputType.recurrent(6))


def two_ended():
    vertices = {
        "a": (nn.DenseLayer(90, activation="relu"), "x"),
        "b": (nn.DenseLayer(90, activation="tanh"), "z"),
        "both": (nn.MergeVertex(), "a", "b"),
        "class": (nn.OutputLayer(3), "both"),
        "number": (nn.OutputLayer(1, "identity", loss="mse"), "both"),
    }
    inputs = {"x": nn.InputType.feed_forward(40), "z": nn.InputType.feed_forward(9)}
    return nn.ComputationGraph(inputs, vertices, outputs=("class", "number"))


def rows(n, *shape, seed=0):
    return np.random.default_rng(seed).standard_normal((n, *shape)).astype("float32")


def asked_by_many(inference, requests, n_threads=8):
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(lambda request: inference.output(*request[0], mask=request[1]), requests))


def same_bits(found, wanted):
    found, wanted = (each if isinstance(each, tuple) else (each,) for each in (found, wanted))
    return all(a.tobytes() == b.tobytes() for a, b in zip(found, wanted, strict=True))


def our_threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("nd4py")]


@pytest.fixture(autouse=True)
def _no_thread_stays():
    yield
    gc.collect()
    deadline = time.monotonic() + 5.0
    while our_threads() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert our_threads() == []


@pytest.mark.parametrize("mode", ["batched", "sequential", "in_place"])
@pytest.mark.parametrize("make, shape", [(network, (40,)), (image_network, (1, 12, 12)), (sequence_network, (5, 6))])
def test_every_answer_is_that_of_the_network(mode, make, shape):
    net = make()
    sizes = np.random.default_rng(1).integers(1, 6, 120)
    requests = [((rows(n, *shape, seed=i),), None) for i, n in enumerate(sizes)]
    with ParallelInference(net, mode, workers=2, max_wait_us=200) as inference:
        for _ in range(3):
            found = asked_by_many(inference, requests)
            assert all(same_bits(y, net.output(*x)) for y, (x, _) in zip(found, requests, strict=True))
        shown = inference.statistics()
    assert shown.answered == 360
    assert shown.rows == 3 * sizes.sum()
    assert shown.queue_length == shown.failed == shown.refused == 0


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_batches_form_and_keep_the_bits_of_a_padded_row(dtype):
    net = network(dtype=dtype)
    xs = [rows(1, 40, seed=i) for i in range(64)]
    wanted = [net.output(np.concatenate([x, np.zeros_like(x)]))[:1] for x in xs]
    with ParallelInference(net, workers=1, max_wait_us=2000, batch_limit=4, least_rows=2) as inference:
        for _ in range(4):
            found = asked_by_many(inference, [((x,), None) for x in xs])
            assert all(same_bits(y, z) for y, z in zip(found, wanted, strict=True))
        shown = inference.statistics()
    assert max(shown.batch_sizes) <= 4
    sizes = ExactSizes(2)
    like = Request(*Snapshot(net).checked(xs[0]), None)
    for n_rows in (2, 4):
        sizes.try_size(Snapshot(net), like, n_rows)
    # Which sizes keep the bits depends on the machine's loops.
    assert (max(shown.batch_sizes) > 1) == any(sizes.is_exact(like.signature, n) for n in (2, 4))


def test_a_size_that_changes_bits_is_found():
    """float32 matrices have loops of their own for one row, which add in another order."""
    net = network()
    snapshot, x = Snapshot(net), rows(16, 40)
    sizes, like = ExactSizes(1), Request(*snapshot.checked(x[:1]), None)
    assert sizes.is_exact(like.signature, 16) is None
    sizes.try_size(snapshot, like, 16)
    together, alone = net.feed_forward(x), [net.feed_forward(x[i : i + 1]) for i in range(16)]
    is_same = all(y[i].tobytes() == alone[i][layer][0].tobytes() for layer, y in enumerate(together) for i in range(16))
    assert sizes.is_exact(like.signature, 16) == is_same


def test_several_inputs_and_outputs():
    net = two_ended()
    requests = [((rows(2, 40, seed=i), rows(2, 9, seed=i)), None) for i in range(60)]
    with ParallelInference(net, workers=2, least_rows=2) as inference:
        for _ in range(2):
            found = asked_by_many(inference, requests)
            assert all(same_bits(y, net.output(*x)) for y, (x, _) in zip(found, requests, strict=True))
        named = inference.output({"x": requests[0][0][0], "z": requests[0][0][1]})
        assert same_bits(named, found[0])


def test_sequences_of_any_length_and_masks():
    net = sequence_network()
    rng = np.random.default_rng(0)
    requests = []
    for i in range(60):
        length = int(rng.integers(2, 5))
        mask = (np.arange(length) < rng.integers(1, length + 1)).astype("float32")[None]
        requests.append(((rows(1, length, 6, seed=i),), None if i % 3 == 0 else mask))
    with ParallelInference(net, workers=2, max_wait_us=300) as inference:
        for _ in range(3):
            found = asked_by_many(inference, requests)
            assert all(same_bits(y, net.output(*x, mask=m)) for y, (x, m) in zip(found, requests, strict=True))


def test_training_on_changes_no_answer_until_the_update():
    net, x = network(), rows(1, 40)
    with ParallelInference(net, workers=1) as inference:
        before = net.output(x)
        net.set_params(net.params() * 2)
        assert same_bits(inference.output(x), before)
        inference.update_model(net)
        assert same_bits(inference.output(x), net.output(x))
        with pytest.raises(ValueError, match="update_model: the network has other input types"):
            inference.update_model(image_network())


def test_updates_under_traffic_are_never_torn():
    nets, x = [network(seed) for seed in range(3)], rows(1, 40)
    wanted = {net.output(np.concatenate([x, x * 0]))[:1].tobytes() for net in nets}
    found, is_over = set(), threading.Event()
    with ParallelInference(nets[0], workers=2, least_rows=2) as inference:

        def ask():
            while not is_over.is_set():
                found.add(inference.output(x).tobytes())

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for i in range(60):
            inference.update_model(nets[i % 3])
            time.sleep(0.002)
        is_over.set()
        for thread in threads:
            thread.join()
    assert found == wanted


def test_answers_are_their_callers_own():
    net = network()
    x, again = rows(1, 40), rows(1, 40)
    with ParallelInference(net, workers=1) as inference:
        future = inference.submit(x)
        x[...] = 0.0  # the inputs were copied
        y = future.result()
        assert same_bits(y, net.output(again))
        y[...] = 0.0
        assert same_bits(inference.output(again), net.output(again))
        with nd.workspace("step"):
            kept = inference.output(again)
    assert same_bits(kept, net.output(again))


def test_an_error_reaches_the_callers_it_belongs_to(gate):
    name, entered, is_open = gate
    good, bad = rows(1, 3), np.full((1, 3), -1.0, "float32")
    with ParallelInference(gated(name), workers=1) as inference:
        first = inference.submit(good)
        assert entered.wait(5.0)
        later = [inference.submit(bad if i == 2 else good) for i in range(5)]
        is_open.set()
        assert [type(future.exception(5.0)) for future in later] == [
            type(None), type(None), LookupError, type(None), type(None),
        ]  # fmt: skip
        with pytest.raises(LookupError, match="begins with -1"):
            inference.output(bad)
        assert first.result().shape == (1, 2)
        with pytest.raises(ValueError, match="expects"):
            inference.output(rows(1, 4))
        with pytest.raises(ValueError, match="at least one example"):
            inference.output(rows(0, 3))
        shown = inference.statistics()
    assert (shown.answered, shown.failed) == (5, 2)


def test_a_full_queue_refuses_at_once(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1, queue_limit=2) as inference:
        futures = [inference.submit(rows(1, 3))]
        assert entered.wait(5.0)
        futures += [inference.submit(rows(1, 3)) for _ in range(2)]
        start = time.monotonic()
        with pytest.raises(QueueFullError, match="2 requests are waiting"):
            inference.output(rows(1, 3))
        assert time.monotonic() - start < 1.0
        assert inference.statistics().queue_length == 2
        is_open.set()
        assert all(future.result(5.0).shape == (1, 2) for future in futures)
        assert inference.statistics().refused == 1


def test_a_full_queue_lets_callers_wait(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1, queue_limit=1, when_full="wait") as inference:
        futures = [inference.submit(rows(1, 3))]
        assert entered.wait(5.0)
        futures.append(inference.submit(rows(1, 3)))
        with pytest.raises(QueueFullError):
            inference.submit(rows(1, 3), timeout=0.05)
        with ThreadPoolExecutor(3) as pool:
            more = [pool.submit(inference.output, rows(1, 3)) for _ in range(3)]
            time.sleep(0.05)
            is_open.set()
            assert all(future.result(5.0).shape == (1, 2) for future in [*futures, *more])


def test_requests_of_higher_priority_are_computed_first(gate):
    name, entered, is_open = gate
    done = []
    with ParallelInference(gated(name), "sequential", workers=1) as inference:
        first = inference.submit(rows(1, 3))
        assert entered.wait(5.0)
        waiting = {}
        for number, priority in enumerate([0, 2, 0, -1, 2, 1]):
            waiting[number] = inference.submit(rows(1, 3), priority=priority)
            waiting[number].add_done_callback(lambda _, number=number: done.append(number))
        is_open.set()
        assert all(future.result(5.0).shape == (1, 2) for future in [first, *waiting.values()])
        assert inference.output(rows(1, 3), priority=5).shape == (1, 2)
        with pytest.raises(TypeError, match="priority must be an integer, given 'high'"):
            inference.submit(rows(1, 3), priority="high")
    assert done == [1, 4, 5, 0, 2, 3]


def test_deadlines(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1) as inference:
        running = inference.submit(rows(1, 3), timeout=0.05)
        assert entered.wait(5.0)
        start = time.monotonic()
        waiting = inference.submit(rows(1, 3), timeout=0.1)
        with pytest.raises(TimeoutError, match="not answered in time"):
            inference.output(rows(1, 3), timeout=0.05)
        assert isinstance(waiting.exception(5.0), TimeoutError)
        assert time.monotonic() - start < 1.0
        assert inference.statistics().timed_out == 2
        is_open.set()
        assert running.result(5.0).shape == (1, 2)  # what was begun with is finished
    with pytest.raises(ValueError, match="timeout"):
        inference.output(rows(1, 3), timeout=-1)


def test_cancelled_futures_leave_the_queue(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1, queue_limit=1) as inference:
        running = inference.submit(rows(1, 3))
        assert entered.wait(5.0)
        for _ in range(3):
            waiting = inference.submit(rows(1, 3))
            assert waiting.cancel()
        assert not running.cancel()
        is_open.set()
        assert running.result(5.0).shape == (1, 2)
        assert inference.statistics().cancelled == 3


def test_who_waits_for_several_futures_is_told_of_cancelled_ones(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1) as inference:
        running = inference.submit(rows(1, 3))
        assert entered.wait(5.0)
        futures = [inference.submit(rows(1, 3)) for _ in range(4)]
        with ThreadPoolExecutor(1) as pool:
            found = pool.submit(wait, [*futures, running], 5.0)
            assert all(future.cancel() for future in futures[:3])
            assert set(as_completed(futures[:3], 5.0)) == set(futures[:3])
            is_open.set()
        assert not found.result().not_done


def test_await_and_its_cancellation(gate):
    name, entered, is_open = gate

    async def ask(inference):
        first = asyncio.create_task(inference.aoutput(rows(2, 3)))
        while not entered.is_set():
            await asyncio.sleep(0.001)
        second = asyncio.create_task(inference.aoutput(rows(2, 3)))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        is_open.set()
        with pytest.raises(asyncio.CancelledError):
            await second
        return await first

    with ParallelInference(gated(name), workers=1) as inference:
        assert asyncio.run(ask(inference)).shape == (2, 2)
        assert inference.statistics().cancelled == 1


def test_closing_answers_what_waits_or_lets_it_fail(gate):
    name, entered, is_open = gate
    inference = ParallelInference(gated(name), workers=1)
    futures = [inference.submit(rows(1, 3)) for _ in range(4)]
    assert entered.wait(5.0)
    threading.Timer(0.05, is_open.set).start()
    inference.close()
    assert all(future.result(0.0).shape == (1, 2) for future in futures)
    inference.close()
    for call in (inference.output, inference.submit):
        with pytest.raises(ClosedError, match="not answered any more"):
            call(rows(1, 3))

    is_open.clear()
    entered.clear()
    inference = ParallelInference(gated(name), workers=1)
    futures = [inference.submit(rows(1, 3))]
    assert entered.wait(5.0)
    futures += [inference.submit(rows(1, 3)) for _ in range(3)]
    inference.close(wait=False)
    assert [type(future.exception(1.0)) for future in futures[1:]] == [ClosedError] * 3
    is_open.set()
    assert futures[0].result(5.0).shape == (1, 2)


def test_a_callback_may_close(gate):
    name, _, is_open = gate
    inference = ParallelInference(gated(name), workers=1)
    is_closed = threading.Event()
    future = inference.submit(rows(1, 3))
    future.add_done_callback(lambda _: (inference.close(), is_closed.set()))
    is_open.set()
    assert is_closed.wait(5.0)


def test_dropping_it_lets_the_threads_go():
    inference = ParallelInference(network(), workers=2)
    assert inference.submit(rows(1, 40)).result(5.0).shape == (1, 7)
    assert our_threads()
    del inference
    # `_no_thread_stays` looks


def test_ctrl_c_releases_the_caller_and_the_slot(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1) as inference:
        running = inference.submit(rows(1, 3))
        assert entered.wait(5.0)
        main = threading.main_thread().ident
        threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            inference.output(rows(1, 3))
        is_open.set()
        assert running.result(5.0).shape == (1, 2)
        assert inference.output(rows(1, 3), timeout=5.0).shape == (1, 2)
        assert inference.statistics().cancelled == 1


def test_statistics_and_their_histogram():
    with ParallelInference(network(), workers=1) as inference:
        assert np.isnan(inference.statistics().latency(0.5))
        for n in (1, 1, 3):
            inference.output(rows(n, 40))
        shown = inference.statistics()
    assert isinstance(shown, ServiceStatistics)
    assert (shown.answered, shown.rows, shown.batches, shown.batch_sizes) == (3, 5, 3, {1: 2, 3: 1})
    assert sum(shown.latency_counts) == 3
    assert 0.0 < shown.latency(0.5) <= shown.latency(1.0) < 60.0
    assert 0.0 < shown.seconds < 60.0
    with pytest.raises(ValueError, match="between 0 and 1"):
        shown.latency(99)


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "fast"}, {"workers": 0}, {"batch_limit": 0}, {"queue_limit": 0}, {"max_wait_us": -1},
        {"least_rows": 0}, {"least_rows": 64}, {"when_full": "later"},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_settings(wrong):
    with pytest.raises(ValueError, match=f"ParallelInference: {next(iter(wrong))}"):
        ParallelInference(network(), **wrong)


def test_the_child_of_a_fork_computes():
    with ParallelInference(network(), workers=2) as inference:
        x = rows(1, 40)
        wanted = inference.submit(x).result(5.0)
        child = os.fork()
        if child == 0:  # no code of pytest may run here
            is_same = inference.submit(x).result(5.0).tobytes() == wanted.tobytes()
            os._exit(0 if is_same and inference.output(x).tobytes() == wanted.tobytes() else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_only_networks_are_taken():
    with pytest.raises(TypeError, match="network"):
        ParallelInference("a network")


def test_cancelled_error_is_not_swallowed(gate):
    name, entered, is_open = gate
    with ParallelInference(gated(name), workers=1) as inference:
        inference.submit(rows(1, 3))
        assert entered.wait(5.0)
        waiting = inference.submit(rows(1, 3))
        waiting.cancel()
        with pytest.raises(CancelledError):
            waiting.result(1.0)
        is_open.set()


def test_waits_that_are_longer_than_clocks_can_tell():
    network = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    with parallel.ParallelInference(network) as service:
        for _ in range(3):  # the thread that keeps the time goes on
            assert service.submit(nd.ones((1, 4)), timeout=1e300).result(timeout=30).shape == (1, 2)
            assert service.output(nd.ones((1, 4)), timeout=1e300).shape == (1, 2)


def test_an_answer_is_counted_when_it_is_there():
    x = rows(1, 40)
    with ParallelInference(network(), workers=2) as inference:
        for n in range(1, 301):
            inference.submit(x).result()
            statistics = inference.statistics()
            assert statistics.answered == sum(statistics.latency_counts) == n
