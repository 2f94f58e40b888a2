"""Indices out of range: the host goes on, and is told before it sees an element that comes of one."""

import threading

import numpy as np
import pytest
from device_training import numpy_of
from simulated_devices import default_driver, in_use, is_on_gpu
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.cuda.launch import faults

TEXT = "take: index 5 is out of range for an axis of size 3"


@pytest.fixture
def devices():
    """Work waits until the host waits for it, on simulated devices."""
    with in_use(default_driver(devices=2, flags=QUICK, delays=not is_on_gpu()), 2) as driver:
        yield driver
    assert not faults.unseen


def on(values, device="cuda:0"):
    return nd.asarray(np.asarray(values), device=device)


def wrong(device="cuda:0"):
    """An array with an element that is none."""
    return nd.take(on([1.0, 2.0, 3.0], device), on([0, 5, 1], device))


def test_reading_by_index_waits_for_nothing(stub):
    x, i = nd.ones((5, 4), device="cuda:0"), nd.zeros(3, dtype="int64", device="cuda:0")
    stub.counts.clear()
    for _ in range(faults.ROOM):
        y = nd.take(x, i, axis=0) * 2.0
    assert y.shape == (3, 4)
    assert not {name for name in stub.counts if name.startswith("memcpy") or name.endswith("synchronize")}
    nd.cuda.synchronize("cuda:0")
    assert not faults.unseen


LOOKS = {
    "elements": lambda y: numpy_of(y),
    "elements of others": lambda y: numpy_of(y * 2.0 + 1.0),
    "a number": lambda y: float(nd.sum(y)),
    "text": repr,
    "waiting for the array": lambda y: y.block(),
    "waiting for the device": lambda y: nd.cuda.synchronize("cuda:0"),
    "waiting for all": lambda y: nd.synchronize(),
    "another device": lambda y: numpy_of(y.to_device("cuda:1")),
    "a mask": lambda y: y[y > 1.0],
    "writing by index": lambda y: y.__setitem__(on([0]), 1.0),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_every_look_tells_and_what_comes_after_goes_on(devices, look):
    y = wrong()
    with pytest.raises(IndexError, match=TEXT):
        look(y)
    assert numpy_of(nd.take(on([1.0, 2.0]), on([1]))).tolist() == [2.0]


def test_indices_along_an_axis(devices):
    """They are looked at before."""
    with pytest.raises(IndexError, match="index -4 is out of range for axis 1 of size 3"):
        nd.take_along_axis(on(np.ones((2, 3))), on([[0, 1], [-4, 7]]), axis=1)


def test_the_first_of_many_is_told(devices):
    x = on([1.0, 2.0, 3.0])
    good, first, second = nd.take(x, on([2])), nd.take(x, on([0, 5, 9])), nd.take(x, on([8]))
    with pytest.raises(IndexError, match=TEXT):
        numpy_of(good)
    assert numpy_of(good).tolist() == [3.0]
    del first, second


def test_more_than_there_are_words_for(devices):
    x, i = on([1.0, 2.0, 3.0]), on([5])
    for _ in range(faults.ROOM):
        nd.take(x, i)
    with pytest.raises(IndexError, match=TEXT):
        nd.take(x, i)
    for _ in range(3 * faults.ROOM):
        y = nd.take(x, on([1]))
    assert numpy_of(y).tolist() == [2.0]


def test_writing_by_index_is_an_error_at_once(devices):
    x = on([1.0, 2.0, 3.0])
    for write in (
        lambda: x.__setitem__(on([5]), 1.0),
        lambda: nd.index_add(x, on([5]), on([1.0])),
        lambda: nd.put_along_axis(x, on([5]), on([1.0]), 0),
    ):
        with pytest.raises(IndexError, match="index 5 is out of range"):
            write()
    assert numpy_of(x).tolist() == [1.0, 2.0, 3.0]


def test_indices_that_were_written_or_released_are_named_by_their_position(devices):
    x, i = on([1.0, 2.0, 3.0]), on([0, 5])
    y = nd.take(x, i)
    i[...] = on([0, 1])
    with pytest.raises(IndexError, match="take: the index at position 1 is out of range"):
        numpy_of(y)
    with nd.workspace("step"), pytest.raises(IndexError, match=TEXT):
        numpy_of(wrong())
    with nd.workspace("step"):
        y = wrong().detach()
    with pytest.raises(IndexError, match="take: the index at position 1 is out of range"):
        numpy_of(y)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_streams_and_threads(devices):
    """This thread is told of its work on every stream; others are not, but where they wait for the same stream."""
    with nd.cuda.Stream("cuda:0") as stream:
        with stream.scope():
            y = wrong()
        seen = []

        def elsewhere():
            seen.append(numpy_of(on([1.0]) + 1.0).tolist())
            with pytest.raises(IndexError, match=TEXT):
                stream.synchronize()
            seen.append("told")

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join(60)
        assert seen == [[2.0], "told"]
        with stream.scope():
            y = wrong()
        with pytest.raises(IndexError, match=TEXT):
            numpy_of(on([1.0]))
        del y


def test_gradients_of_elements_that_are_none_write_nothing(devices):
    x = on([1.0, 2.0, 3.0])
    g = nd.grad(lambda x: nd.sum(nd.take(x, on([0, 5, 1])) * 2.0))(x)
    with pytest.raises(IndexError, match=TEXT):
        numpy_of(g)
    assert numpy_of(x).tolist() == [1.0, 2.0, 3.0]


def test_a_graph_does_not_read_by_index(devices):
    x, i = on([1.0, 2.0, 3.0]), on([0, 1])
    with pytest.raises(nd.cuda.DeviceError, match="take would look for indices out of range"):
        nd.cuda.Graph(lambda: nd.take(x, i))
    assert numpy_of(nd.take(x, i)).tolist() == [1.0, 2.0]


def test_threads_read_by_index_at_once(devices):
    """Each gets its elements, or is told of its own wrong index."""
    errors, start = [], threading.Barrier(8)

    def run(number):
        start.wait(30)
        stream = nd.cuda.Stream("cuda:0")
        with stream.scope():
            x = on(np.arange(10.0) + number)
            for k in range(20):
                n = 10 + number if k % 7 == 6 else k % 10
                y = nd.take(x, on([n, 1]))
                try:
                    found = numpy_of(y).tolist()
                    if found != [n + number, 1.0 + number]:
                        errors.append((number, k, found))
                except IndexError as error:
                    if f"index {n} " not in str(error) or k % 7 != 6:
                        errors.append((number, k, error))
        stream.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert errors == []
