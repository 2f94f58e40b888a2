"""The simulated round of many workers, where a formula says what it takes."""

import numpy as np
import pytest
from dask_plan import Constants, simulated_round


def test_a_cluster_that_costs_nothing_takes_the_time_of_training():
    free = Constants(0.0, 0.0, np.inf, 0.0)
    for n_workers in (1, 2, 7, 100):
        assert simulated_round(n_workers, free, n_bytes=1e6, work=3.0) == 3.0


def test_tasks_follow_one_another():
    """Each worker's training begins one task later, and each result that is added is one more."""
    constants = Constants(0.01, 0.0, np.inf, 0.0)
    assert simulated_round(4, constants, n_bytes=0, work=5.0) == pytest.approx(5.0 + 4 * 0.01 + 4 * 0.01)


def test_a_network_reaches_all_in_as_many_steps_as_the_logarithm_says():
    """With a second for each transfer: 3 steps to 8 workers, (3 + 1) vectors to add, and one back."""
    constants = Constants(0.0, 0.0, 1.0, 0.0)
    assert simulated_round(8, constants, n_bytes=1, work=0.0) == pytest.approx(3 + 3 + 1 + 1)


def test_the_slowest_worker_is_waited_for():
    free, rng = Constants(0.0, 0.0, np.inf, 0.0), np.random.default_rng(0)
    took = simulated_round(1000, free, n_bytes=0, work=1.0, jitter=0.05, rng=rng)
    assert took == np.random.default_rng(0).lognormal(0.0, 0.05, 1000).max()
