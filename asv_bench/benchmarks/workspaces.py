"""Arrays in workspaces beside NumPy's and plain ones, the way in and out of a scope, and training with them."""

import gc
import timeit
from dataclasses import replace

import numpy as np

import nd4py as nd
from nd4py._mem.arena.arena_measures import time_arena
from nd4py._mem.pool.pool_measures import time_system
from nd4py.data import DataSet
from nd4py.examples.lenet import lenet
from nd4py.nn import MultiLayerNetwork

from .ratios import ratio

ARENA = nd.WorkspaceConfiguration(initial_size="64M")
N_CALLS = 5000  # of 8 KiB: they fit into the arena


def seconds(statement, names):
    """The least time of one call, over rounds that each fit into the arena."""
    return min(timeit.repeat(statement, globals=names, number=N_CALLS, repeat=1)) / N_CALLS


def enter_and_leave(workspace):
    """The scope alone."""
    with workspace:
        pass


def enter_inside_another(workspace):
    """Two scopes, found by their names."""
    with nd.workspace("outer", ARENA), workspace:
        pass


def hundred_arrays(workspace):
    """The scope is left each time, so that the arena is never full."""
    with workspace:
        for _ in range(100):
            nd.empty(1024)


def hundred_released(workspace):
    """As above, all of them alive when the scope ends."""
    with workspace:
        return [nd.empty(1024) for _ in range(100)]


def detached(workspace):
    """An array copied out."""
    with workspace:
        return nd.empty(1024).detach()


CALLS = {
    call.__name__: call for call in (enter_and_leave, enter_inside_another, hundred_arrays, hundred_released, detached)
}


class TimeWorkspace:
    params = [list(CALLS)]
    param_names = ["call"]

    def setup(self, call):
        self.workspace = nd.workspace("benchmark", ARENA)
        self.call = CALLS[call]

    def time_call(self, call):
        self.call(self.workspace)


class TrackEmpty:
    """Times of `nd.empty(n)` inside a workspace, as part of those of `numpy.empty(n)`."""

    params = [[10, 1024]]
    param_names = ["n"]
    unit = "ratio"

    def track_share_of_numpy(self, n):
        ours, theirs = [], []
        for _ in range(20):
            with nd.workspace("benchmark", ARENA):
                ours.append(seconds("empty(n)", {"empty": nd.empty, "n": n}))
            theirs.append(seconds("empty(n)", {"empty": np.empty, "n": n}))
        return min(ours) / min(theirs)


POLICIES = {
    "plain": {"initial_size": "64M", "policy_allocation": "strict"},
    "reused": {"policy_reuse": "when_freed", "policy_location": "virtual", "policy_learning": "none"},
}
N_PLACES = 1000  # of at most 16 KiB: they fit into the arena
N_ROUNDS = 50


def arena_seconds(policies, n_bytes):
    """The least mean time of a place in an arena, in native code."""
    workspace = nd.Workspace("benchmark", nd.WorkspaceConfiguration(**POLICIES[policies]))
    times = []
    for _ in range(N_ROUNDS):
        with workspace:
            times.append(time_arena(workspace, n_bytes, N_PLACES))
    workspace.destroy()
    return min(times)


class TrackArena:
    """Nanoseconds for a place in an arena; where memory is used again, and to give it back.  Floor: 25 for plain."""

    params = [list(POLICIES), [64, 1024, 16 * 1024]]
    param_names = ["policies", "bytes"]
    unit = "ns"

    def track_nanoseconds(self, policies, n_bytes):
        return arena_seconds(policies, n_bytes) * 1e9


class TrackArenaRatio(TrackArena):
    """The same over malloc and free of the C library."""

    unit = "of malloc's time"

    def track_nanoseconds(self, policies, n_bytes):
        system = min(time_system(n_bytes, N_PLACES) for _ in range(N_ROUNDS))
        return arena_seconds(policies, n_bytes) / system


MODES = ("enabled", "none")


def training_step(mode, size):
    """A function that trains a new LeNet on a batch of `size`, with workspaces or without."""
    random = np.random.default_rng(0)
    network = MultiLayerNetwork.from_configuration(replace(lenet().configuration, workspace_mode=mode))
    labels = nd.one_hot(nd.asarray(random.integers(0, 10, size)), 10, dtype="float32")
    examples = DataSet(nd.asarray(random.random((size, 784), dtype=np.float32), copy=True), labels)
    return lambda: network.fit(examples)


def peak_bytes(mode, size, learned):
    """The most memory taken from the system while LeNet trains: in its first step, or in ten later ones."""
    gc.collect()
    step = training_step(mode, size)
    for _ in range(5 if learned else 0):
        step()
    nd.memory.trim()
    nd.memory.reset_peak()
    for _ in range(10 if learned else 1):
        step()
    return nd.memory.stats().peak_bytes


class TrackStep:
    """Training with workspaces over training without.  Floors: 0.97 of the time, 0.9 of the memory."""

    params = [[32, 64, 128]]
    param_names = ["size"]
    unit = "of without"

    def track_time(self, size):
        steps = [training_step(mode, size) for mode in MODES]
        for step in (*steps, *steps, *steps):
            step()
        return ratio(*steps)

    def track_peak_of_learned_steps(self, size):
        return peak_bytes("enabled", size, True) / peak_bytes("none", size, True)

    def track_peak_of_the_first_step(self, size):
        return peak_bytes("enabled", size, False) / peak_bytes("none", size, False)
