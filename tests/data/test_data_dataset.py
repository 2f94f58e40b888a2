"""DataSet: rows of features and labels stay together, sizes are checked."""

import numpy as np
import pytest

import nd4py as nd
from nd4py.data import DataSet, MultiDataSet, Split


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


def masked(n=6, length=4):
    """Sequences of which sequence i has the first i % length + 1 steps; features, labels and masks tell the row."""
    rows = np.arange(n, dtype="float32")
    mask = (np.arange(length) <= (np.arange(n) % length)[:, None]).astype("float32")
    features = np.broadcast_to(rows[:, None, None], (n, length, 2))
    return DataSet(*map(nd.asarray, (features, features[..., :1] * 10, mask, mask * (rows[:, None] + 1))))


def rows_of(dataset):
    return [int(row) for row in np.asarray(dataset.features)[:, 0, 0]]


def assert_masks_follow(dataset, length=4):
    """Features, labels and masks are those of the same rows of `masked`."""
    whole, rows = masked(length=length), rows_of(dataset)
    for name in ("features", "labels", "features_mask", "labels_mask"):
        assert np.array_equal(np.asarray(getattr(dataset, name)), np.asarray(getattr(whole, name))[rows]), name


def test_masks_follow_their_rows_through_every_method(tmp_path):
    data = masked()
    shuffled = data.copy()
    shuffled.shuffle(2)
    assert rows_of(shuffled) != rows_of(data)
    data.save(tmp_path / "masked.npz")
    for part in [
        shuffled, *data.split_test_and_train(4), *data.split_test_and_train(0.5, seed=3), *data.batch_by(4),
        *data.as_list(), data.copy(), data.get([5, 0]), data.sample(3, seed=1), data.sample(9, 1, True),
        DataSet.merge(data.batch_by(4)), DataSet.load(tmp_path / "masked.npz"),
    ]:  # fmt: skip
        assert_masks_follow(part)


def test_samples_without_replacement_are_drawn_once():
    data = numbered(10)
    drawn = values(data.sample(10, seed=4).features)
    assert sorted(drawn) == list(range(10)) != drawn
    assert drawn == values(data.sample(10, seed=4).features)
    assert len(set(values(data.sample(200, 4, with_replacement=True).features))) == 10
    with pytest.raises(ValueError, match=r"11 of 10 examples"):
        data.sample(11, seed=4)


def test_sequences_of_several_lengths_are_padded_and_masked():
    long, short = DataSet(nd.ones((1, 3, 2)), nd.ones((1, 1))), DataSet(nd.ones((2, 1, 2)), nd.ones((2, 1)))
    merged = DataSet.merge([long, short])
    assert merged.features_mask.tolist() == [[1, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert np.array_equal(np.asarray(merged.features), np.repeat(np.asarray(merged.features_mask)[..., None], 2, -1))
    assert merged.labels_mask is None
    masked_short = DataSet(nd.ones((2, 3, 2)), nd.ones((2, 1)), nd.zeros((2, 3)))
    assert DataSet.merge([long, masked_short]).features_mask.tolist() == [[1] * 3, [0] * 3, [0] * 3]


def test_labels_are_counted_by_class():
    labels = nd.one_hot([2, 0, 2, 2], 4)
    assert DataSet(nd.ones((4, 1)), labels).label_counts() == {0: 1, 1: 0, 2: 3, 3: 0}
    with pytest.raises(ValueError, match="one-hot"):
        numbered(3).label_counts()


def test_targets_that_are_the_features_are_stored_once(tmp_path):
    x = nd.asarray(np.random.default_rng(0).normal(size=(300, 100)))
    DataSet(x, x).save(tmp_path / "same.npz")
    assert (tmp_path / "same.npz").stat().st_size < 1.2 * 300 * 100 * 8
    loaded = DataSet.load(tmp_path / "same.npz")
    assert loaded.labels is loaded.features
    assert np.array_equal(np.asarray(loaded.features), np.asarray(x))


def test_files_of_other_arrays_are_refused(tmp_path):
    nd.savez(tmp_path / "other.npz", weights=nd.ones(3))
    with pytest.raises(ValueError, match="weights"):
        DataSet.load(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="weights"):
        MultiDataSet.load(tmp_path / "other.npz")
    nd.savez(tmp_path / "none.npz", labels=nd.ones(3))
    with pytest.raises(ValueError, match="no array 'features'"):
        DataSet.load(tmp_path / "none.npz")
    (tmp_path / "damaged.npz").write_bytes(b"PK no zip")
    with pytest.raises(ValueError, match=r"damaged\.npz"):
        DataSet.load(tmp_path / "damaged.npz")


def test_several_inputs_are_saved_split_and_merged_with_their_masks(tmp_path):
    mask = nd.asarray(np.tri(4, 3, dtype="float32"))
    given = MultiDataSet([nd.ones((4, 2)), nd.arange(12.0).reshape(4, 3, 1)], [nd.arange(4.0)], [None, mask])
    given.save(tmp_path / "several.npz")
    parts = given.split_test_and_train(3)
    for same in (MultiDataSet.load(tmp_path / "several.npz"), MultiDataSet.merge([parts.train, parts.test])):
        assert same.features[1].tolist() == given.features[1].tolist()
        assert same.features_masks[0] is None
        assert same.features_masks[1].tolist() == mask.tolist()
        assert same.labels[0].tolist() == [0, 1, 2, 3]
        assert same.labels_masks is None


@pytest.mark.parametrize("name", ["plain", "with.dot", "archive.zip", "usual.npz"])
def test_a_data_set_is_loaded_by_the_name_it_was_saved_by(tmp_path, name):
    single = DataSet(nd.ones((3, 2)), nd.zeros((3, 1)), labels_mask=nd.ones((3, 1)))
    several = MultiDataSet([nd.ones((3, 2)), nd.ones((3, 4))], [nd.zeros((3, 1))])
    for examples in (single, several):
        for path in (str(tmp_path / name), tmp_path / name):
            examples.save(path)
            assert str(type(examples).load(path)) == str(examples)
    (file,) = tmp_path.iterdir()
    assert file.name == name.removesuffix(".npz") + ".npz"
    assert str(MultiDataSet.load(file)) == str(several)
