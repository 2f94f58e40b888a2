"""Arrays in workspaces beside NumPy's and plain ones, and the way in and out of a scope."""

import timeit

import numpy as np

import nd4py as nd

ARENA = nd.WorkspaceConfiguration(initial_size="64M")
N_CALLS = 5000  # of 8 KiB: they fit into the arena


def seconds(statement, names):
    """The least time of one call, over rounds that each fit into the arena."""
    return min(timeit.repeat(statement, globals=names, number=N_CALLS, repeat=1)) / N_CALLS


class TimeWorkspace:
    def setup(self):
        self.workspace = nd.workspace("benchmark", ARENA)

    def time_enter_and_leave(self):
        with self.workspace:
            pass

    def time_enter_and_leave_inside_another(self):
        with nd.workspace("outer", ARENA), self.workspace:
            pass

    def time_hundred_arrays(self):
        """The scope is left each time, so that the arena is never full."""
        with self.workspace:
            for _ in range(100):
                nd.empty(1024)

    def time_hundred_arrays_released(self):
        """As above, all of them alive when the scope ends."""
        with self.workspace:
            return [nd.empty(1024) for _ in range(100)]

    def time_detach(self):
        with self.workspace:
            nd.empty(1024).detach()


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
