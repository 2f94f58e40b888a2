"""Arrays on a device that are written while other views of their memory are read, and copied, on a simulator."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shared_views import ON_HOST_ONLY, WRITERS, Buffer, programs, run_program

import nd4py as nd
from nd4py.cuda.array.transfer import copy_to_peer

pytestmark = pytest.mark.usefixtures("simulator")

DEVICE = "cuda:0"
NUMBERS = st.integers(0, 2**32)
WRITERS_HERE = tuple(writer for writer in WRITERS if writer not in ON_HOST_ONLY)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(programs(["int32"], WRITERS_HERE, 2), st.sampled_from(["own", "deferred"]), NUMBERS)
def test_views(steps, memory, seed):
    run_program(steps, Buffer("int32", memory, seed, DEVICE))


@quick
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), NUMBERS)
def test_masks_and_values_in_the_memory_that_is_written(start, first, last, seed):
    theirs = np.random.default_rng(seed).integers(0, 2, 30).astype(bool)
    ours = nd.asarray(theirs, device=DEVICE)
    mask = theirs[first : first + 17].copy()
    values = theirs[last : last + int(mask.sum())].copy()
    ours[start : start + 17][ours[first : first + 17]] = ours[last : last + int(mask.sum())]
    theirs[start : start + 17][mask] = values
    assert ours.tolist() == theirs.tolist()


@quick
@given(st.sampled_from(["integers", "along"]), *(st.integers(0, 20) for _ in range(3)), NUMBERS)
def test_indices_in_the_memory_that_is_written(which, start, first, last, seed):
    theirs = np.random.default_rng(seed).permutation(18).repeat(2)
    theirs = np.concatenate([theirs, theirs[:4]])
    ours = nd.asarray(theirs, device=DEVICE)
    positions, values = theirs[first : first + 9].copy(), theirs[last : last + 9].copy()
    target = ours[start : start + 18]
    if which == "integers":
        target[ours[first : first + 9]] = ours[last : last + 9]
    else:
        nd.put_along_axis(target, ours[first : first + 9], ours[last : last + 9])
    theirs[start : start + 18][positions] = values
    assert ours.tolist() == theirs.tolist()


def test_what_waits_reads_before_elements_are_put():
    x = nd.arange(6000.0, device=DEVICE)
    waiting = x * 2 + 1
    nd.put_along_axis(x, nd.asarray([0, 1], device=DEVICE), nd.asarray([7.0, 8.0], device=DEVICE))
    assert waiting[:3].tolist() == [1, 3, 5]
    assert x[:3].tolist() == [7, 8, 2]


@pytest.mark.parametrize("shift", [-3, 0, 1])
def test_a_copy_to_memory_of_the_same_device(shift):
    x = nd.arange(5000.0, device=DEVICE)
    copy_to_peer(x[3:4000], x[3 + shift : 4000 + shift])
    want = np.arange(5000.0)
    want[3 + shift : 4000 + shift] = np.arange(3.0, 4000.0)
    np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), want)


@pytest.mark.parametrize("shift", [0, 1, 3])
def test_outputs_that_share_memory_are_written_in_turn(shift):
    g, m, v = (nd.asarray([1.0, 2.0, 3.0, 4.0], device=DEVICE) * i for i in (1, 2, 3))
    numbers = {"lr": 0.1, "b1": 0.9, "b2": 0.99, "eps": 1e-8, "c1": 0.1, "c2": 0.01}
    results = nd.adam_step(g, m, v, **numbers)
    room, want = nd.zeros(12, device=DEVICE), np.zeros(12)
    nd.adam_step(g, m, v, **numbers, out=tuple(room[i * shift : i * shift + 4] for i in range(3)))
    for i, result in enumerate(results):
        want[i * shift : i * shift + 4] = np.asarray(result.to_device("cpu"))
    np.testing.assert_array_equal(np.asarray(room.to_device("cpu")), want)
