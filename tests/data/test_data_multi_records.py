"""Batches for several inputs and outputs from several readers."""

import json

import numpy as np
import pytest

from nd4py import data, nn

N = 23


def columns(n=N):
    rng = np.random.default_rng(3)
    kinds = ["red", "green", "blue"]
    people = {"age": rng.integers(20, 60, n), "height": rng.normal(size=n), "colour": [kinds[i % 3] for i in range(n)]}
    places = {"floor": rng.integers(0, 9, n), "rent": rng.normal(size=n), "is_new": rng.integers(0, 2, n)}
    return people, places


class InParts(data.RecordReader):
    """The rows of columns, a few at a time."""

    def __init__(self, columns, n_rows):
        self.reader, self.n_rows = data.CollectionRecordReader(columns), n_rows

    def tables(self, n_rows=None):
        return self.reader.tables(self.n_rows)


INPUTS = [("people", ["age", "height"]), ("places", [0]), ("people", "height")]
OUTPUTS = [("people", "colour", None), ("places", ["rent", "floor"]), ("places", "is_new", 2)]


def iterator(batch=5, n_rows=(4, 7), n=(N, N), **options):
    people, places = columns(n[0])[0], columns(n[1])[1]
    readers = {"people": InParts(people, n_rows[0]), "places": InParts(places, n_rows[1])}
    return data.RecordReaderMultiDataSetIterator(readers, batch, INPUTS, OUTPUTS, **options)


def expected():
    people, places = columns()
    one_hot = np.eye(3)[[["blue", "green", "red"].index(colour) for colour in people["colour"]]]
    features = [
        np.stack([people["age"], people["height"]], axis=1),
        places["floor"][:, None],
        people["height"][:, None],
    ]
    labels = [one_hot, np.stack([places["rent"], places["floor"]], axis=1), np.eye(2)[places["is_new"]]]
    return features, labels


def whole(batches):
    merged = data.MultiDataSet.merge(list(batches))
    return [np.asarray(x) for x in merged.features], [np.asarray(x) for x in merged.labels]


@pytest.mark.parametrize("n_rows", [(1, 1), (4, 7), (50, 2), (23, 23)])
@pytest.mark.parametrize("batch", [1, 5, 23, 40])
def test_rows_of_readers_stay_together(batch, n_rows):
    batches = iterator(batch, n_rows, dtype="float64")
    for _ in range(2):
        found = list(batches)
        assert [len(each) for each in found] == [batch] * (N // batch) + ([N % batch] if N % batch else [])
        for parts, wanted in zip(whole(found), expected(), strict=True):
            for one, other in zip(parts, wanted, strict=True):
                assert np.allclose(one, other)
    assert batches.classes == [["blue", "green", "red"], None, None]


def test_a_seed_draws_orders_that_resume():
    batches = iterator(seed=4)
    first, second = whole(batches)[0][0], whole(batches)[0][0]
    assert not np.array_equal(first, second)
    assert np.array_equal(whole(iterator(seed=4))[0][0], first)
    assert sorted(map(tuple, first)) == sorted(map(tuple, expected()[0][0].astype("float32")))
    again = iterator(seed=4)
    for number, _ in enumerate(again):
        if number == 2:
            state = json.loads(json.dumps(again.state()))
            break
    resumed = iterator(seed=4)
    resumed.set_state(state)
    assert np.array_equal(whole(resumed)[0][0], first[15:])
    assert np.array_equal(whole(resumed)[0][0], second)


def test_a_graph_is_trained_on_them():
    types = {"a": nn.InputType.feed_forward(2), "b": nn.InputType.feed_forward(1), "c": nn.InputType.feed_forward(1)}
    vertices = {
        "all": (nn.MergeVertex(), "a", "b", "c"),
        "colour": (nn.OutputLayer(3), "all"),
        "numbers": (nn.OutputLayer(2, "identity", loss="mse"), "all"),
        "is_new": (nn.OutputLayer(2), "all"),
    }
    net = nn.ComputationGraph(types, vertices, outputs=("colour", "numbers", "is_new"), updater=nn.Adam(0.01), seed=1)
    history = net.fit(data.AsyncDataSetIterator(iterator(seed=1)), epochs=20)
    assert history.scores[-1] < history.scores[0]


@pytest.mark.parametrize("n", [(N, N + 1), (N - 3, N), (N, 0)])
@pytest.mark.parametrize("seed", [None, 1])
def test_readers_of_other_lengths_are_told(n, seed):
    with pytest.raises(ValueError, match="the readers have other numbers of rows"):
        list(iterator(n=n, seed=seed))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([], 2, ["a"], [("a", "x")]), TypeError, "readers must be a dict of readers by names, given list"),
        (({"a": 3}, 2, ["a"], [("a", "x")]), TypeError, "reader 'a' must be a RecordReader"),
        (({"a": [[1]]}, 2, ["a"], [("a", "x")]), TypeError, "reader 'a' must be a RecordReader"),
        ((None, 0, ["a"], [("a", "x")]), ValueError, "at least 1"),
        ((None, 2, ["b"], [("a", "x")]), ValueError, "there is no reader 'b'; there are a"),
        ((None, 2, ["a"], [("a", "x", None)]), ValueError, "the column 'x' of 'a' has numbers; give how many classes"),
        ((None, 2, ["a"], [("a",)]), ValueError, "an output is"),
        ((None, 2, [("a", "x", 2)], [("a", "x")]), ValueError, "an input is"),
        ((None, 2, [], [("a", "x")]), ValueError, "one input and one output"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, message):
    readers, *others = arguments
    readers = {"a": data.CollectionRecordReader([[1, 2]], ["x", "y"])} if readers is None else readers
    with pytest.raises(error, match=message):
        data.RecordReaderMultiDataSetIterator(readers, *others)
