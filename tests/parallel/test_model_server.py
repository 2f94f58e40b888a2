"""ModelServer: many models, one team of threads, and a share for each."""

import asyncio
import dataclasses
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from nd4py import nn
from nd4py.parallel import ClosedError, ModelServer, QueueFullError


@dataclasses.dataclass(frozen=True)
class Slow(nn.Layer):
    """Passes rows on after a while, and notes its name."""

    seconds: float = 0.0

    calls = []

    def forward(self, params, x, *, train=False, rng=None):
        time.sleep(self.seconds)
        self.calls.append(self.name)
        return x


def network(seed=0, n_in=30):
    layers = [nn.DenseLayer(100, activation="relu"), nn.OutputLayer(4)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(n_in), seed=seed)


def slow(name, seconds=0.004):
    layers = [Slow(name=name, seconds=seconds), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(3))


def rows(n, n_in=30, seed=0):
    return np.random.default_rng(seed).standard_normal((n, n_in)).astype("float32")


@pytest.mark.parametrize("n_models", [1, 8, 64])
def test_every_model_answers_its_own_calls(n_models):
    nets = {f"model {i}": network(i) for i in range(n_models)}
    with ModelServer(2) as server:
        for name, net in nets.items():
            server.add(name, net)
        asked = [(f"model {i % n_models}", rows(1 + i % 3, seed=i)) for i in range(256)]
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda each: server.output(*each), asked))
        futures = [server.submit(*each) for each in asked[:40]]
        found += [future.result(5.0) for future in futures]
        for y, (name, x) in zip(found, asked + asked[:40], strict=True):
            assert y.tobytes() == nets[name].output(x).tobytes()
        assert sum(server.statistics(name).answered for name in nets) == 296
        assert sum(thread.name.startswith("nd4py server") for thread in threading.enumerate()) == 3  # with the clock


def test_models_keep_to_their_shares():
    with ModelServer(1) as server:
        server.add("a", slow("a"), weight=3.0, mode="sequential")
        server.add("b", slow("b"), mode="sequential")
        Slow.calls.clear()
        futures = [server.submit(name, rows(1, 3)) for _ in range(32) for name in "ab"]
        for future in futures:
            future.result(10.0)
    first = Slow.calls[4:36]
    assert 20 <= first.count("a") <= 28  # 24 are its share


def test_a_flood_for_one_model_does_not_starve_another():
    with ModelServer(1) as server:
        server.add("flooded", slow("flooded"), mode="sequential")
        server.add("quiet", slow("quiet"), mode="sequential")
        flood = [server.submit("flooded", rows(1, 3)) for _ in range(60)]
        Slow.calls.clear()
        assert server.output("quiet", rows(1, 3), timeout=5.0).shape == (1, 2)
        assert Slow.calls.count("flooded") <= 5  # not behind all that came before
        for future in flood:
            future.result(10.0)


def test_models_come_and_go():
    x = rows(1)
    with ModelServer() as server:
        server.add("net", network())
        with pytest.raises(ValueError, match="a model 'net' already"):
            server.add("net", network())
        before = server.output("net", x).tobytes()
        server.update_model("net", network(1))
        assert server.output("net", x).tobytes() == network(1).output(x).tobytes() != before
        with pytest.raises(ValueError, match="other input types"):
            server.update_model("net", network(n_in=3))
        server.remove("net")
        for call in (server.output, server.submit):
            with pytest.raises(KeyError, match="no model 'net'; models: none"):
                call("net", x)
        with pytest.raises(KeyError):
            server.remove("net")
        server.add("net", network(2))
        assert server.names == ("net",)
        assert asyncio.run(server.aoutput("net", x)).tobytes() == network(2).output(x).tobytes()


def test_removing_a_model_lets_its_waiting_requests_fail():
    with ModelServer(1) as server:
        server.add("slow", slow("slow", 0.1), mode="sequential")
        futures = [server.submit("slow", rows(1, 3)) for _ in range(5)]
        time.sleep(0.03)
        server.remove("slow")
        assert {type(future.exception(5.0)) for future in futures[1:]} == {ClosedError}
        assert futures[0].result(5.0).shape == (1, 2)


def test_whether_a_request_would_be_refused_is_known_before_it_is_made():
    with ModelServer(1) as server:
        server.add("slow", slow("slow", 0.2), mode="sequential", queue_limit=2)
        server.add("patient", slow("patient"), queue_limit=1, when_full="wait")
        assert server.check_room("slow") is None
        futures = [server.submit("slow", rows(1, 3))]
        while not futures[0].running():
            time.sleep(0.001)
        futures += [server.submit("slow", rows(1, 3)), server.submit("slow", rows(1, 3))]
        with pytest.raises(QueueFullError, match="2 requests are waiting"):
            server.check_room("slow")
        assert server.statistics("slow").refused == 1
        futures.append(server.submit("patient", rows(1, 3)))
        assert server.check_room("patient") is None
        assert all(future.result(5.0).shape == (1, 2) for future in futures)
        with pytest.raises(KeyError):
            server.check_room("none")


def test_memory_of_all_models_has_a_limit():
    one = ModelServer(1)
    one.add("a", network(), batch_limit=8)
    n_bytes = one.n_bytes
    assert n_bytes == network().params().nbytes + 8 * 4 * 104
    with ModelServer(1, memory_limit=2 * n_bytes) as server:
        server.add("a", network(), batch_limit=8)
        server.add("b", network(), batch_limit=8)
        with pytest.raises(MemoryError, match="'c' takes up to"):
            server.add("c", network(), batch_limit=8)
        assert server.names == ("a", "b")
        server.remove("a")
        server.add("c", network(), batch_limit=8)
    one.close()


def test_wrong_arguments():
    with pytest.raises(ValueError, match="ModelServer: n_threads"):
        ModelServer(0)
    with pytest.raises(ValueError, match="ModelServer: memory_limit"):
        ModelServer(memory_limit=0)
    with ModelServer() as server:
        for wrong in ({"weight": 0}, {"weight": float("nan")}, {"mode": "none"}):
            with pytest.raises(ValueError, match=f"ModelServer.add: {next(iter(wrong))}"):
                server.add("net", network(), **wrong)
        with pytest.raises(TypeError, match="name"):
            server.add(3, network())
        with pytest.raises(TypeError, match="network"):
            server.add("net", "a network")
        with pytest.raises(TypeError, match="the class MultiLayerNetwork"):
            server.add("net", nn.MultiLayerNetwork)
        with pytest.raises(ValueError, match="name is empty"):
            server.add("", network())
        server.add("net", network())
    for late in (
        lambda: server.output("net", rows(1)),
        lambda: server.output("another", rows(1)),
        lambda: server.add("late", network()),
        lambda: server.update_model("net", network()),
    ):
        with pytest.raises(ClosedError, match="not answered any more"):
            late()


def test_models_of_one_configuration_share_what_is_known_of_batches():
    with ModelServer(1) as server:
        server.add("a", network(1), least_rows=2)
        server.add("b", network(2), least_rows=2)
        server.add("c", network(3))
        sizes = [server._service(name).queue.model[1] for name in "abc"]
        assert sizes[0] is sizes[1] is not sizes[2]
        server.update_model("a", network(5))
        assert server._service("a").queue.model[1] is sizes[0]
