"""Every `for` starts at the first batch; seeds repeat."""

import inspect

import numpy as np
import pytest

import nd4py as nd
from nd4py import data
from nd4py.data import (
    ArrayDataSetIterator,
    AsyncDataSetIterator,
    AsyncShieldDataSetIterator,
    DataSet,
    DataSetIterator,
    ListDataSetIterator,
)


def pairs(n):
    rows = np.arange(n, dtype="float64")[:, None]
    return nd.asarray(rows), nd.asarray(rows * 10)


def order(iterator):
    return [value for batch in iterator for value in np.asarray(batch.features)[:, 0].tolist()]


def test_batches_without_a_seed_keep_the_order():
    iterator = ArrayDataSetIterator(*pairs(10), batch=4)
    assert [len(batch) for batch in iterator] == [4, 4, 2]
    assert order(iterator) == order(iterator) == list(range(10))
    assert (len(iterator), iterator.num_examples(), iterator.batch_size) == (3, 10, 4)


def test_each_pass_has_a_new_order_and_a_seed_repeats_them():
    first = ArrayDataSetIterator(*pairs(40), batch=7, seed=5)
    second = ArrayDataSetIterator(*pairs(40), batch=7, seed=5)
    other = ArrayDataSetIterator(*pairs(40), batch=7, seed=6)
    passes = [order(first) for _ in range(3)]
    assert passes == [order(second) for _ in range(3)]
    assert all(sorted(one) == list(range(40)) for one in passes)
    assert len({tuple(one) for one in [*passes, order(other)]}) == 4


def test_shuffled_labels_follow_their_features():
    for batch in ArrayDataSetIterator(*pairs(20), batch=3, seed=1):
        assert np.array_equal(np.asarray(batch.labels), 10 * np.asarray(batch.features))


@pytest.mark.parametrize("seed", [None, 3])
def test_an_abandoned_or_nested_loop_disturbs_no_other(seed):
    iterator = ArrayDataSetIterator(*pairs(6), batch=2, seed=seed)
    for _ in iterator:
        break
    assert sum(len(batch) for outer in iterator for batch in iterator if len(outer) == 2) == 18
    iterator.reset()
    iterator.reset()
    assert sorted(order(iterator)) == list(range(6))


def test_list_iterator_and_pre_processor():
    iterator = ListDataSetIterator(DataSet(*pairs(5)).batch_by(2))
    iterator.pre_processor = lambda batch: DataSet(batch.features + 100.0, batch.labels)
    assert order(iterator) == [100, 101, 102, 103, 104]
    assert (len(iterator), iterator.batch_size) == (3, 2)
    with pytest.raises(ValueError, match="at least one DataSet"):
        ListDataSetIterator([])


@pytest.mark.parametrize("batch", [0, -3])
def test_batch_must_be_positive(batch):
    with pytest.raises(ValueError, match=f"ArrayDataSetIterator.*at least 1 example, got {batch}"):
        ArrayDataSetIterator(*pairs(3), batch=batch)


def test_shield_passes_everything_through_but_asks_not_to_be_read_ahead():
    base = ArrayDataSetIterator(*pairs(5), batch=2)
    shield = AsyncShieldDataSetIterator(base)
    assert (base.async_supported, shield.async_supported) == (True, False)
    assert order(shield) == order(shield) == order(base)
    assert (len(shield), shield.batch_size) == (3, 2)


class CountingIterator(DataSetIterator):
    """Three batches of two rows each, without an end that is known beforehand."""

    batch_size = 2

    def batches(self):
        for start in (0.0, 2.0, 4.0):
            yield DataSet(nd.asarray([[start], [start + 1]]), nd.zeros((2, 1)))


def test_an_iterator_of_the_caller_s_own_starts_again_and_is_read_ahead():
    iterator = CountingIterator()
    assert order(iterator) == order(iterator) == [0, 1, 2, 3, 4, 5]
    iterator.pre_processor = lambda batch: DataSet(-batch.features, batch.labels)
    assert order(AsyncDataSetIterator(iterator, queue_size=2)) == [0, -1, -2, -3, -4, -5]
    with pytest.raises(TypeError, match="abstract"):
        DataSetIterator()


@pytest.mark.parametrize(
    "iterator",
    [
        data.ArrayDataSetIterator,
        data.ViewDataSetIterator,
        data.SamplingDataSetIterator,
        data.RecordReaderDataSetIterator,
        data.AsyncDataSetIterator,
        data.MultipleEpochsIterator,
    ],
)
def test_an_unknown_argument_is_named_with_the_one_that_is_meant(iterator):
    known = inspect.signature(iterator).parameters
    for name in known:
        with pytest.raises(TypeError, match=f"{iterator.__name__}: there is no setting '{name}s'. Did you mean '"):
            iterator(**{f"{name}s": 1})
    meant = {"batch_size": "batch", "shuffle": "seed", "epochs": "n_epochs"}
    for other, own in meant.items():
        if own in known:
            with pytest.raises(TypeError, match=f"no setting '{other}'. Did you mean '{own}'"):
                iterator(**{other: 1})
    by_position = [name for name, each in known.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    told = f"{iterator.__name__}: takes {', '.join(by_position)} by position, given 9 arguments"
    with pytest.raises(TypeError, match=told):
        iterator(*range(9))


def test_iterators_of_ones_own_keep_their_arguments():
    class Own(data.DataSetIterator):
        def __init__(self, batch, **others):
            self.batch_size, self.others = batch, others

        def batches(self):
            return iter(())

    assert Own(3, batch_size=4).others == {"batch_size": 4}
    assert list(inspect.signature(Own).parameters) == ["batch", "others"]
