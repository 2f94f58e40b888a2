"""The tasks of a round: training on a shard, and adding what the shards have made.

Design: parameters and the updater's state travel as one vector, outside of the pickle and without a copy.  A process
keeps the networks it has built: with their graphs and workspaces they train faster.  All that training changes in them
is set anew by each task, so it makes no difference which process has which.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, NamedTuple

from nd4py import api as nd

from ..averaging import summed
from ..worker import train_on
from .inside_tasks import shared_cores, worker_name

COUNTERS = ("iteration_count", "epoch_count", "loss_scale", "n_finite_steps")
MOST_NETWORKS = 16  # idle, in one process
_idle: dict[tuple[str, int], Any] = {}  # by kind and shard; a thread that trains has taken its network out
FAN_IN = 4  # vectors that one task adds: fewer make more tasks, more of them wait longer for one worker


class TrainingState(NamedTuple):
    """A network between two rounds.

    kind: a name that no other configuration has    network_class, configuration, device: of the network
    vector: parameters, then the updater's state    counters: by their names
    """

    kind: str
    network_class: type
    configuration: object
    device: str
    n_params: int
    vector: nd.NDArray
    counters: dict

    @classmethod
    def of(cls, network, kind):
        """The state of a network."""
        n_params, found = network.num_params(), vector_of(network)
        return cls(kind, type(network), network.configuration, network.device, n_params, *found)


class ShardReport(NamedTuple):
    """What a shard did in a round.

    scores, sizes: of its batches, in order    seconds: of training
    """

    worker: str
    scores: tuple
    sizes: tuple
    seconds: float


class Outcome(NamedTuple):
    """The sum of the vectors of some shards, or their mean, with the counters of the first that trained longest.

    reports: of the shards, in order    earlier: iteration and reports of each round that the cluster made before
    """

    vector: nd.NDArray
    counters: dict
    reports: tuple
    earlier: tuple

    @property
    def rounds(self):
        """The iteration after each round since the driver gave the state, and the reports of its shards."""
        return (*self.earlier, (self.counters["iteration_count"], self.reports))


def vector_of(network):
    """Parameters and updater state as one vector on the host, and the counters."""
    parts = [part for part in (network.params(), network.updater_state()) if part is not None]
    return nd.asarray(nd.concat(parts), device="cpu"), {name: getattr(network, name) for name in COUNTERS}


def give_vector(network, vector, counters):
    """Set parameters and updater state from one vector, and the counters."""
    n = network.num_params()
    network.adopt(vector[:n], vector[n:] if vector.size > n else None, **counters)


def train_shard(state, before, shard, ranges, *parts):
    """Train on some batches of some parts, beginning with a state, or with the mean of the round before.

    before: the outcomes of that round, whose mean each shard makes for itself: moving what it is made of takes as long
        as moving the mean, and begins sooner.  Empty where the state is the driver's
    Returns the Outcome.
    """
    network = network_for(state, shard)
    begun = mean(*before) if before else state
    give_vector(network, begun.vector, begun.counters)
    start, scores, sizes = time.perf_counter(), [], []
    with shared_cores():
        for part, (first, last) in zip(parts, ranges, strict=True):
            for batch in part[first:last]:
                scores.append(train_on(network, batch))
                sizes.append(batch.num_examples())
        vector, counters = vector_of(network)
    report = ShardReport(worker_name(), tuple(scores), tuple(sizes), time.perf_counter() - start)
    keep(state, shard, network)
    return Outcome(vector, counters, (report,), begun.rounds if before else ())


def add(*outcomes):
    """The sum of several outcomes, in their order.  Returns the Outcome."""
    longest = max(outcomes, key=lambda outcome: outcome.counters["iteration_count"])
    reports = tuple(report for outcome in outcomes for report in outcome.reports)
    return Outcome(summed([outcome.vector for outcome in outcomes]), longest.counters, reports, outcomes[0].earlier)


def mean(*outcomes):
    """The mean over all shards that the outcomes are sums of.  Returns the Outcome."""
    total = add(*outcomes)
    return total._replace(vector=total.vector / len(total.reports))  # the vector of one outcome is another's too


def network_for(state, shard):
    """A network for a shard, which nobody else has until `keep`."""
    network = _idle.pop((state.kind, shard), None)
    if network is not None:
        return network
    configuration = replace(state.configuration, seed=state.configuration.seed + shard)  # as `clone(replica=)` has
    params = state.vector[: state.n_params]
    return state.network_class.from_configuration(configuration, params=params).to_device(state.device)


def keep(state, shard, network):
    """Keep a network for tasks to come; those kept for longest are let go."""
    _idle[state.kind, shard] = network
    for oldest in list(_idle)[:-MOST_NETWORKS]:
        _idle.pop(oldest, None)


def let_go(kind):
    """Let go the networks of a kind that this process keeps."""
    for key in [key for key in list(_idle) if key[0] == kind]:
        _idle.pop(key, None)
