"""Descriptions, TAD packs and constants are made once: bounded caches that tell what they did."""

import threading

import numpy as np
import pytest
from deferred_arrays import is_deferred

import nd4py as nd
from nd4py._core.bounded_caches import CACHES, BoundedCache


def counters(name):
    return nd.memory.caches()[name]


def same_work():
    x = nd.ones((5, 6, 7))
    for i in range(x.tensors_along_dimension(0, 2)):
        x.tensor_along_dimension(i, 2, 0)
    return x[:, 1:].permute_dims((2, 0, 1)) + nd.constant([1.0, 2.0, 3.0, 4.0, 5.0])


@pytest.mark.parametrize("name", ["shape_info", "tad", "constant"])
def test_all_look_ups_hit_from_the_second_iteration_on(name):
    same_work()
    before = counters(name)
    for _ in range(10):
        same_work()
    after = counters(name)
    assert after.misses == before.misses
    assert after.hits > before.hits


def test_caches_are_bounded():
    for n in range(5000):
        nd.constant(n)
        nd.ones((n + 1, 1))[:1].tensor_along_dimension(0, 0)
    for statistics in nd.memory.caches().values():
        assert 0 < statistics.size <= statistics.capacity


def test_what_was_used_last_stays():
    cache = BoundedCache("test", 3)
    for key in (1, 2, 3, 1, 4, 1, 5):
        assert cache.find(key, lambda key=key: key * 10) == key * 10
    assert cache.statistics().misses == 5
    cache.find(1, lambda: pytest.fail("1 was forgotten"))
    assert cache.find(2, lambda: "again") == "again"
    cache.clear()
    assert cache.statistics().size == 0
    del CACHES["test"]


def test_layouts_that_meet_in_the_cache_do_not_drive_each_other_out():
    shapes = [(n, 3) for n in range(1, 1500)]
    for shape in shapes:
        nd.empty(shape)
    before = counters("shape_info").misses
    for shape in shapes:
        nd.empty(shape)
    assert counters("shape_info").misses - before < 30


def test_a_layout_that_was_forgotten_and_made_again_is_not_taken_for_another():
    """A chain holds its layout while the cache forgets it, and so do others the one that stands for it since."""
    shape = (250, 400)

    def fill_cache(dtype, *, keep=None):
        for n in range(1, 40_001):
            nd.empty((n,), dtype=dtype)
            if keep is not None and n % 100 == 0:
                nd.empty(shape, dtype=keep)

    x = nd.ones(shape, dtype="float32")
    waiting = x + x
    waiting.astype("int64")
    fill_cache("int8", keep="int64")
    y = nd.ones(shape, dtype="int16")
    (y + y).astype("int64")
    fill_cache("int64")
    assert is_deferred(waiting)
    found = waiting.astype("int64")
    assert found.shape == shape
    assert nd.all(found == 2)


def test_tensors_along_dimension():
    """ND4J's rules: counted in C order of the other axes, sub-axes ascending, whatever the layout."""
    values = np.arange(120.0).reshape(2, 3, 4, 5)
    reversed_axes = nd.permute_dims(nd.asarray(values.T.copy()), (3, 2, 1, 0))
    for x in (nd.asarray(values), nd.asarray(np.asfortranarray(values)), reversed_axes):
        assert x.tensors_along_dimension(1, 3) == nd.tensors_along_dimension(x, -1, 1) == 8
        for i in range(8):
            want = values[i // 4, :, i % 4, :]
            np.testing.assert_array_equal(np.asarray(x.tensor_along_dimension(i, 3, 1)), want)
        assert x.tensors_along_dimension(0, 1, 2, 3) == 1
        assert x.tensor_along_dimension(0, 0, 1, 2, 3) is x
        for bad in (-1, 8):
            with pytest.raises(ValueError, match="out of range, there are 8"):
                x.tensor_along_dimension(bad, 1, 3)
        with pytest.raises(ValueError, match="at least one dimension"):
            x.tensors_along_dimension()
    with pytest.raises(ValueError, match="no elements"):
        nd.ones((0, 3)).tensors_along_dimension(0)


def test_constants_are_shared():
    x = nd.constant([1, 2, 3], "float32")
    assert nd.constant(np.array([1, 2, 3], dtype="float32")) is x
    assert nd.constant([1, 2, 3], "float64") is not x
    assert nd.constant([[1, 2, 3]], "float32") is not x
    assert nd.constant(-0.0) is not nd.constant(0.0)
    assert nd.constant(float("nan")) is nd.constant(float("nan"))
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_constants_cannot_be_written_or_closed():
    x = nd.constant([1.0, 2.0])
    for write in (lambda: x.__setitem__(0, 5.0), lambda: x.__iadd__(1.0), lambda: nd.add(x, 1.0, out=x)):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert not x.closeable
    with pytest.raises(ValueError, match="constant"):
        x.close()


def test_large_constants_are_not_kept():
    before = counters("constant")
    x = nd.constant(np.ones(100_000))
    assert not x.is_writable
    assert counters("constant") == before


def test_constants_outlive_the_scope_they_were_made_in():
    with nd.workspace("constants"):
        x = nd.constant([7.0, 8.0, 9.0])
    assert x.tolist() == [7.0, 8.0, 9.0]
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_threads_agree():
    found, barrier = [], threading.Barrier(8)

    def ask():
        barrier.wait()
        for n in range(300):
            found.append((n, id(nd.constant([n, n + 0.5]))))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 300
