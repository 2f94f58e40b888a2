"""Every iterator gives one order for a seed, and goes on from a state with the same batches."""

import json

import numpy as np
import pytest

import nd4py as nd
from nd4py import data


def numbered(n):
    rows = nd.asarray(np.arange(n, dtype="float64")[:, None])
    return data.DataSet(rows, 10 * rows, features_mask=100 * rows)


def shuffled(n=11, batch=2, seed=5):
    return data.ViewDataSetIterator(numbered(n), batch, seed)


def plain(n=11, batch=2):
    return data.ViewDataSetIterator(numbered(n), batch)


class Unskippable(data.DataSetIterator):
    """An iterator of someone else's, which knows nothing of places."""

    def batches(self):
        return iter(numbered(7).batch_by(2))


MAKERS = {
    "view": plain,
    "shuffled": shuffled,
    "arrays": lambda: data.ArrayDataSetIterator(nd.arange(9), nd.arange(9), 2, seed=3),
    "list": lambda: data.ListDataSetIterator(numbered(9).batch_by(2)),
    "existing": lambda: data.ExistingDataSetIterator(numbered(9).batch_by(2)),
    "function": lambda: data.ExistingDataSetIterator(lambda: iter(numbered(9).batch_by(2))),
    "unskippable": Unskippable,
    "epochs": lambda: data.MultipleEpochsIterator(shuffled(5), 3),
    "early": lambda: data.EarlyTerminationDataSetIterator(shuffled(), 4),
    "reconstruction": lambda: data.ReconstructionDataSetIterator(shuffled()),
    "cached": lambda: data.CachingDataSetIterator(plain()),
    "sampling": lambda: data.SamplingDataSetIterator(numbered(9), 2, 4, seed=2),
    "benchmark": lambda: data.BenchmarkDataSetIterator(numbered(2), 5),
    "joint": lambda: data.JointDataSetIterator([shuffled(5), shuffled(9, seed=8)], "go on"),
    "repeating": lambda: data.JointDataSetIterator([shuffled(3), numbered(9).batch_by(2)], "repeat"),
    "part": lambda: data.DataSetIteratorSplitter(plain(), (2, 3)).parts[1],
    "ahead": lambda: data.AsyncDataSetIterator(shuffled(), queue_size=3),
    "shield": lambda: data.AsyncShieldDataSetIterator(shuffled()),
    "ahead of a list": lambda: data.AsyncDataSetIterator(numbered(9).batch_by(2)),
}


def rows(batches):
    return [np.asarray(batch.features).reshape(-1).tolist() for batch in batches]


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def test_a_seed_gives_one_order(make):
    one, other = make(), make()
    assert [rows(one) for _ in range(3)] == [rows(other) for _ in range(3)]


def test_a_run_goes_on_from_every_place(make):
    """Also in the second pass, and the passes that follow are the same too."""
    for n_before in range(2):
        whole = make()
        expected = [rows(whole) for _ in range(n_before + 2)]
        for n_batches in range(len(expected[n_before]) + 1):
            first, second = make(), make()
            for _ in range(n_before):
                rows(first)
            one_pass = iter(first)
            for _ in range(n_batches):
                next(one_pass)
            state = json.loads(json.dumps(first.state()))
            second.set_state(state)
            assert second.state() == state
            assert rows(second) == expected[n_before][n_batches:]
            assert rows(second) == expected[n_before + 1]


def test_a_loop_that_was_left_is_no_place_for_the_next(make):
    left, whole = make(), make()
    next(iter(left))
    left.reset()
    n = len(rows(left))
    assert n == len(rows(whole)) > 1


@pytest.mark.parametrize("state", [{}, {"batch": 1}, {"batch": -1, "order": None}, {"batch": 1, "order": "no order"}])
def test_what_is_no_state_is_refused(make, state):
    with pytest.raises(ValueError, match="set_state"):
        make().set_state(state)
    with pytest.raises(TypeError, match="set_state"):
        make().set_state(3)


def test_epochs_and_early_ends_are_counted():
    epochs = data.MultipleEpochsIterator(plain(5), 3)
    assert (len(epochs), rows(epochs)) == (9, 3 * rows(plain(5)))
    early = data.EarlyTerminationDataSetIterator(plain(), 4)
    assert (len(early), rows(early)) == (4, rows(plain())[:4])
    assert len(data.EarlyTerminationDataSetIterator(plain(3), 4)) == 2
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            data.MultipleEpochsIterator(plain(), wrong)


def test_a_generator_is_passed_over_once():
    iterator = data.ExistingDataSetIterator(batch for batch in numbered(5).batch_by(2))
    assert len(list(iterator)) == 3
    with pytest.raises(RuntimeError, match="passed over once"):
        list(iterator)
    with pytest.raises(TypeError, match="each batch must be a DataSet"):
        list(data.ExistingDataSetIterator([3]))


@pytest.mark.parametrize("seed", [None, 4])
def test_folds_test_every_example_once(seed):
    folds = list(data.KFoldIterator(numbered(11), 4, seed))
    tested = [row for fold in folds for row in rows([fold.test])[0]]
    assert sorted(tested) == list(range(11))
    assert (tested == list(range(11))) is (seed is None)
    assert [len(fold.test) for fold in folds] == [3, 3, 3, 2]
    for train, test in folds:
        assert sorted(rows([train])[0] + rows([test])[0]) == list(range(11))
        assert np.array_equal(np.asarray(train.features_mask), 100 * np.asarray(train.features))
    assert rows(fold.test for fold in folds) == rows(fold.test for fold in data.KFoldIterator(numbered(11), 4, seed))
    for wrong in (1, 12):
        with pytest.raises(ValueError, match=r"k lies in \[2, 11\]"):
            data.KFoldIterator(numbered(11), wrong)
    with pytest.raises(TypeError, match="dataset must be a DataSet or a MultiDataSet, given int"):
        data.KFoldIterator(3, numbered(11))


def test_samples_come_again_and_masks_follow():
    batches = list(data.SamplingDataSetIterator(numbered(3), 10, 20, seed=1))
    assert {value for batch in rows(batches) for value in batch} == {0, 1, 2}
    assert all(np.array_equal(np.asarray(b.features_mask), 100 * np.asarray(b.features)) for b in batches)


def test_parts_divide_the_batches():
    train, test, rest = data.DataSetIteratorSplitter(plain(), (2, 1, 9)).parts
    assert [len(part) for part in (train, test, rest)] == [2, 1, 3]
    assert rows(train) + rows(test) + rows(rest) == rows(plain())
    with pytest.raises(ValueError, match="another order at each pass"):
        data.DataSetIteratorSplitter(shuffled(), (2, 1))
    with pytest.raises(ValueError, match="another order at each pass"):
        data.DataSetIteratorSplitter(data.AsyncDataSetIterator(shuffled()), (2, 1))


def test_sources_take_turns():
    short, long = [plain(4), plain(10)]
    of_short, of_long = rows(short), rows(long)
    turns = [batch for pair in zip(of_short, of_long, strict=False) for batch in pair]
    assert rows(data.JointDataSetIterator([short, long])) == turns
    assert rows(data.JointDataSetIterator([short, long], "go on")) == turns + of_long[2:]
    repeated = rows(data.JointDataSetIterator([short, long], "repeat"))
    assert repeated[1::2] == of_long
    assert repeated[::2] == [*of_short, *of_short, *of_short]
    with pytest.raises(ValueError, match="when_one_ends"):
        data.JointDataSetIterator([short], "null")
    with pytest.raises(ValueError, match="no bases"):
        data.JointDataSetIterator([])


class Counted(data.DataSetIterator):
    """Counts its passes."""

    def __init__(self):
        self.n_passes = 0

    def batches(self):
        self.n_passes += 1
        return iter(numbered(5).batch_by(2))


@pytest.mark.parametrize("is_on_disk", [False, True])
def test_kept_batches_are_made_once(is_on_disk, tmp_path):
    base = Counted()
    folder = tmp_path / "kept" if is_on_disk else None
    cached = data.CachingDataSetIterator(base, folder)
    next(iter(cached))  # a pass that is left is no whole one
    assert rows(cached) == rows(cached) == rows(numbered(5).batch_by(2))
    assert base.n_passes == 2
    later = data.CachingDataSetIterator(base, folder)
    assert rows(later) == rows(cached)
    assert base.n_passes == (2 if is_on_disk else 3)


def test_views_share_memory_and_mapped_files_are_read_late(tmp_path):
    nd.save(tmp_path / "x.npy", nd.asarray(np.arange(12.0).reshape(6, 2)))
    mapped = nd.load(tmp_path / "x.npy", mmap_mode="r")
    batches = data.ViewDataSetIterator(data.DataSet(mapped, nd.zeros((6, 1))), 4)
    assert all(np.shares_memory(np.asarray(batch.features), np.asarray(mapped)) for batch in batches)
    in_order = data.ViewDataSetIterator(data.DataSet(mapped, nd.zeros((6, 1))), 4, seed=1)
    assert sorted(sum(rows(in_order), [])) == list(range(12))


def test_several_inputs_are_cut_and_shuffled_together():
    x = nd.asarray(np.arange(7.0))
    both = data.MultiDataSet([x, 2 * x], [3 * x], [None, 4 * x])
    for batch in data.ViewDataSetIterator(both, 3, seed=2):
        first = np.asarray(batch.features[0])
        assert np.array_equal(np.asarray(batch.features[1]), 2 * first)
        assert np.array_equal(np.asarray(batch.features_masks[1]), 4 * first)
        assert np.array_equal(np.asarray(batch.labels[0]), 3 * first)


def multi(n):
    x = nd.arange(float(n)).reshape(n, 1)
    return data.MultiDataSet([x, 10 * x], [-x], [None, nd.ones((n,))], None)


@pytest.mark.parametrize("is_on_disk", [False, True])
def test_batches_of_several_inputs_are_kept(is_on_disk, tmp_path):
    folder = tmp_path / "kept" if is_on_disk else None
    base = data.ViewDataSetIterator(multi(5), 2)
    cached = data.CachingDataSetIterator(base, folder)
    for is_later in (False, False, *([True] if is_on_disk else [])):
        found = list(data.CachingDataSetIterator(Counted(), folder) if is_later else cached)
        assert [type(batch).__name__ for batch in found] == ["MultiDataSet"] * 3
        assert [batch.features[1].tolist() for batch in found] == [batch.features[1].tolist() for batch in base]
        assert all(batch.features_masks[0] is None and batch.features_masks[1] is not None for batch in found)


def test_several_inputs_are_reconstructed():
    (batch,) = data.ReconstructionDataSetIterator([multi(3)])
    assert [array.tolist() for array in batch.labels] == [array.tolist() for array in batch.features]
    assert (batch.labels_masks[0], batch.labels_masks[1].tolist()) == (None, [1.0] * 3)


@pytest.mark.parametrize("of", [numbered, multi])
@pytest.mark.parametrize("n_threads", [0, 1])
def test_shielded_batches_outlive_workspaces(of, n_threads):
    class Attached(data.DataSetIterator):
        def batches(self):
            for start in range(3):
                yield of(4)._changed(lambda x, by=start: x + by)

    base = data.WorkspaceShieldDataSetIterator(Attached())
    kept = []
    for _ in range(3):
        with nd.workspace("step"):
            kept += data.AsyncDataSetIterator(base) if n_threads else base
    arrays = [array for batch in kept for array in batch._named_arrays().values()]
    assert not any(array.is_attached() for array in arrays)
    firsts = [next(iter(batch._named_arrays().values())) for batch in kept]
    start = next(iter(of(4)._named_arrays().values()))
    for number, array in enumerate(firsts):
        assert np.array_equal(np.asarray(array), np.asarray(start) + number % 3)
    assert len(data.WorkspaceShieldDataSetIterator(plain())) == len(plain())
