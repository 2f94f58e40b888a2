"""DataSet: rows of features and labels stay together, sizes are checked."""

import numpy as np
import pytest

import nd4py as nd
from nd4py.data import DataSet, Split


def numbered(n, width=3):
    """Row i of the features starts with i, its label is 10 * i."""
    rows = np.arange(n, dtype="float32")[:, None]
    return DataSet(nd.asarray(rows + np.arange(width, dtype="float32") / 10), nd.asarray(10 * rows))


def values(array):
    return np.asarray(array)[:, 0].tolist()


def test_features_and_labels_need_equally_many_rows():
    with pytest.raises(ValueError, match=r"4 examples but 3 labels .*\(4, 2\).*\(3, 1\)"):
        DataSet(nd.zeros((4, 2)), nd.zeros((3, 1)))
    with pytest.raises(ValueError, match="first axis"):
        DataSet(nd.asarray(1.0), nd.zeros((1,)))


def test_get_by_index_slice_and_indices():
    data = numbered(5)
    assert values(data.get(2).features) == [2]
    assert values(data.get(-1).labels) == [40]
    assert values(data.get(slice(1, 4, 2)).features) == [1, 3]
    picked = data.get([4, 0, -2])
    assert values(picked.features) == [4, 0, 3]
    assert values(picked.labels) == [40, 0, 30]


@pytest.mark.parametrize("which", [5, -6, [0, 5]])
def test_get_outside_is_an_index_error(which):
    with pytest.raises(IndexError, match=r"of 5.*\[-5, 5\)"):
        numbered(5).get(which)


def test_shuffle_moves_rows_together_and_repeats():
    first, second = numbered(50), numbered(50)
    first.shuffle(7)
    second.shuffle(7)
    assert values(first.features) == values(second.features) != list(range(50))
    assert sorted(values(first.features)) == list(range(50))
    assert values(first.labels) == [10 * value for value in values(first.features)]


def test_shuffle_leaves_views_alone():
    data = numbered(20)
    part = data.get(slice(0, 5))
    data.shuffle(1)
    assert values(part.features) == [0, 1, 2, 3, 4]


def test_batch_by_covers_every_row_once():
    batches = numbered(10).batch_by(4)
    assert [batch.num_examples() for batch in batches] == [4, 4, 2]
    assert [value for batch in batches for value in values(batch.features)] == list(range(10))
    with pytest.raises(ValueError, match="at least 1 example, got 0"):
        numbered(3).batch_by(0)


@pytest.mark.parametrize("size, n_train", [(3, 3), (9, 9), (0.5, 5), (0.01, 1), (0.99, 9)])
def test_split_takes_the_first_rows_for_training(size, n_train):
    train, test = numbered(10).split_test_and_train(size)
    assert values(train.features) == list(range(n_train))
    assert values(test.features) == list(range(n_train, 10))


@pytest.mark.parametrize("size", [0, 10, 11, -1, 0.0, 1.0, -0.5, float("nan")])
def test_split_sizes_out_of_range(size):
    with pytest.raises(ValueError, match="split_test_and_train.*lies in"):
        numbered(10).split_test_and_train(size)


def test_split_needs_two_examples():
    with pytest.raises(ValueError, match="at least 2"):
        numbered(1).split_test_and_train(0.5)


def test_split_with_a_seed_shuffles_a_copy():
    data = numbered(30)
    train, test = data.split_test_and_train(20, seed=3)
    again, _ = data.split_test_and_train(20, seed=3)
    assert values(data.features) == list(range(30))
    assert values(train.features) == values(again.features) != list(range(20))
    assert sorted(values(train.features) + values(test.features)) == list(range(30))


def test_merge_concatenates_and_checks_rows():
    merged = DataSet.merge(numbered(7).batch_by(3))
    assert values(merged.features) == list(range(7))
    with pytest.raises(ValueError, match=r"features rows have shape \(3,\) in data set 0 but \(2,\) in data set 1"):
        DataSet.merge([numbered(2), numbered(2, width=2)])
    with pytest.raises(ValueError, match="no data sets"):
        DataSet.merge([])


def test_copy_shares_nothing():
    data = numbered(3)
    copy = data.copy()
    copy.features[0, 0] = 99.0
    assert values(data.features) == [0, 1, 2]


def test_a_split_has_its_parts_by_name():
    split = numbered(10).split_test_and_train(8, seed=4)
    assert isinstance(split, Split)
    assert (split.train, split.test) == tuple(split)
    assert sorted(nd.concat([split.train.labels, split.test.labels]).reshape(-1).tolist()) == [
        10 * i for i in range(10)
    ]
