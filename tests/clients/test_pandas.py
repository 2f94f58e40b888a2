"""Tables of pandas as the data of networks."""

import numpy as np
import pytest

from nd4py import data, nn
from nd4py.nn.networks.frames import framed

pd = pytest.importorskip("pandas")
X = np.random.default_rng(3).standard_normal((50, 4)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(50) % 3]
FRAMES = pd.DataFrame(X, columns=list("abcd")), pd.DataFrame(LABELS)


def network():
    layers = [nn.DenseLayer(6, activation="tanh", dropout=0.2), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), updater=nn.Adam(0.01), seed=5)


@pytest.mark.parametrize("settings", [{"batch_size": 20}, {}])
@pytest.mark.parametrize("given", [FRAMES, (FRAMES,)], ids=["two", "a pair"])
def test_frames_are_the_same_data_as_arrays(given, settings):
    expected, net = network(), network()
    expected.fit(*((X, LABELS) if len(given) == 2 else [(X, LABELS)]), epochs=2, **settings)
    net.fit(*given, epochs=2, **settings)
    assert (np.asarray(net.params()) == np.asarray(expected.params())).all()


def test_predict_takes_a_frame():
    net = network()
    assert np.allclose(np.asarray(net.predict(FRAMES[0], batch_size=16)), np.asarray(net.output(X)), atol=1e-6)


def test_numbers_of_several_kinds_are_one_array():
    numbers = pd.DataFrame({"a": X[:, 0], "b": np.arange(50), "c": np.arange(50) % 2 == 0, "d": X[:, 1]})
    numbers["b"] = numbers["b"].astype("Int64")
    expected = np.stack([X[:, 0], np.arange(50), np.arange(50) % 2 == 0, X[:, 1]], axis=1).astype("float32")
    dummies = pd.get_dummies(pd.Series(np.arange(50) % 3))
    fitted, from_frames = network(), network()
    fitted.fit(expected, LABELS, epochs=2)
    from_frames.fit(numbers, dummies, epochs=2)
    assert (np.asarray(from_frames.params()) == np.asarray(fitted.params())).all()
    assert np.array_equal(np.asarray(fitted.output(numbers)), np.asarray(fitted.output(expected)))
    assert fitted.score((numbers, dummies)) == fitted.score((expected, LABELS))
    assert fitted.evaluate((numbers, dummies)).accuracy() == fitted.evaluate((expected, LABELS)).accuracy()
    numbers.columns = list("aacd")  # names may be there twice
    assert np.array_equal(np.asarray(fitted.predict(numbers)), np.asarray(fitted.predict(expected)))


def test_what_is_missing_is_nan():
    found = framed(pd.DataFrame({"a": pd.array([None, 1], dtype="Int64"), "b": [True, None], "c": [0.5, np.nan]}))
    assert np.array_equal(found, [[np.nan, 1.0, 0.5], [1.0, np.nan, np.nan]], equal_nan=True)
    assert framed(pd.DataFrame({"a": [True], "b": pd.array([False], dtype="boolean")})).dtype == bool


@pytest.mark.parametrize("column", [["x", "y"], [None, "y"], [1, "y"], pd.to_datetime(["2024-05-01", "2024-05-02"])])
def test_columns_of_other_things_are_named(column):
    frame = pd.DataFrame({"a": [1.0, 2.0], "kind": column})
    with pytest.raises(TypeError, match=r"column 'kind' of the table is of .*; leave it out, or make numbers of it"):
        network().fit(frame, LABELS[:2])
    with pytest.raises(TypeError, match="column 'kind' of the table"):
        network().fit(frame[["a"]], frame["kind"].astype(object))


def test_frames_are_records():
    frame = pd.DataFrame({"a": [1, 2], "kind": ["x", None], "n": pd.array([None, 3], dtype="Int64")})
    rows = list(data.CollectionRecordReader(frame))
    assert (rows[0][:2], rows[1]) == ([1, "x"], [2, "", 3.0])
    assert np.isnan(rows[0][2])
    pl = pytest.importorskip("polars")
    assert list(data.CollectionRecordReader(pl.DataFrame({"a": [1, 2], "kind": ["x", "y"]}))) == [[1, "x"], [2, "y"]]


def test_tables_of_arrow_and_polars():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    columns = {name: X[:, number] for number, name in enumerate("abc")} | {"d": np.arange(50) % 2 == 0}
    expected = network()
    expected.fit(np.stack(list(columns.values()), axis=1), LABELS)
    for table in (pa.table(columns), pl.DataFrame(columns)):
        net = network()
        net.fit(table, LABELS)
        assert (np.asarray(net.params()) == np.asarray(expected.params())).all()
    for table in (pa.table({"kind": ["x"]}), pl.DataFrame({"kind": ["x"]})):
        with pytest.raises(TypeError, match="column 'kind' of the table"):
            network().fit(table, LABELS[:1])


@pytest.mark.parametrize("kind", ["str", "object", "category", "string"])
@pytest.mark.parametrize("method", ["fit", "score", "evaluate", "f1_score"])
@pytest.mark.parametrize("is_pair", [False, True])
def test_columns_of_texts_as_labels_are_told_what_to_do(kind, method, is_pair):
    labels = pd.Series(np.array(["a", "b", "c"])[np.arange(50) % 3]).astype(kind)
    for given in (labels, pd.DataFrame({"kind": labels})):
        if is_pair and method != "fit":
            continue
        with pytest.raises(TypeError, match=r"labels must be numbers: .*return_inverse=True.*nd\.one_hot"):
            getattr(network(), method)(*([(X, given)] if is_pair else [X, given]))
