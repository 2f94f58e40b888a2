"""Arrays in workspaces beside NumPy's and plain ones, and the way in and out of a scope."""

import timeit

import numpy as np

import nd4py as nd

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
