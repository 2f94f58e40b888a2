"""DaskInference: the network's outputs, from every kind of collection and any scheduler of dask's."""

import dask.array as da
import dask.bag as bag
import dask.dataframe as dd
import numpy as np
import pandas
import pytest
from support_dask import arrays, network

import nd4py as nd
from nd4py import nn
from nd4py.parallel import DaskInference

X = arrays()[0]
COLUMNS = pandas.DataFrame({f"x{i}": X[:, i] for i in range(X.shape[1])})
COLLECTIONS = {
    "array": lambda: da.from_array(X, chunks=(40, 3)),
    "array of ours": lambda: da.from_array(nd.asarray(X), chunks=(30, -1), asarray=False),
    "dataframe": lambda: dd.from_pandas(COLUMNS, npartitions=3),
    "dataframe with an empty part": lambda: dd.concat([dd.from_pandas(COLUMNS[:0]), dd.from_pandas(COLUMNS)]),
    "bag": lambda: bag.from_sequence(list(X), npartitions=3),
    "mapped bag": lambda: bag.from_sequence(list(X), npartitions=3).map(lambda row: row * 1),
}


@pytest.mark.parametrize("kind", COLLECTIONS)
def test_outputs_are_the_networks(kind):
    net = network()
    lazy = DaskInference(net, batch_size=16).output(COLLECTIONS[kind]())
    assert isinstance(lazy, da.Array)
    assert lazy.shape[1:] == (3,)
    got = lazy.compute(scheduler="sync")
    assert isinstance(got, nd.NDArray)
    np.testing.assert_allclose(np.asarray(got), np.asarray(net.output(X)), rtol=1e-6)
    np.testing.assert_array_equal(np.asarray(lazy.argmax(axis=1).compute(scheduler="threads")), got.argmax(axis=1))


def test_answers_with_the_network_as_it_was():
    net = network()
    want, inference = np.asarray(net.output(X)), DaskInference(net)
    net.set_params(net.params() * 0)
    np.testing.assert_array_equal(np.asarray(inference.output(da.from_array(X)).compute(scheduler="sync")), want)


def test_several_outputs_are_a_tuple_and_images_keep_their_shape():
    vertices = {
        "c": nn.Node(nn.ConvolutionLayer(3, 2), ["x"]),
        "a": nn.Node(nn.OutputLayer(2), ["c"]),
        "b": nn.Node(nn.CnnLossLayer(), ["c"]),
    }
    graph = nn.ComputationGraph({"x": nn.InputType.convolutional(6, 6, 1)}, vertices, outputs=["a", "b"])
    x = np.random.default_rng(0).normal(size=(10, 1, 6, 6)).astype("float32")
    found = DaskInference(graph).output(da.from_array(x, chunks=(4, 1, 3, 6)))
    assert [each.shape for each in found] == [(10, 2), (10, 2, 4, 4)]
    for got, want in zip(found, graph.output(x), strict=True):
        np.testing.assert_allclose(np.asarray(got.compute(scheduler="sync")), np.asarray(want), rtol=1e-5)


def test_refuses_what_is_no_collection():
    with pytest.raises(TypeError, match=r"data must be a dask array, .*, given ndarray; dask\.array\.from_array"):
        DaskInference(network()).output(X)
    texts = dd.from_pandas(COLUMNS.assign(x1="a"), npartitions=2)
    with pytest.raises(TypeError, match="column 'x1' of the table is of .*"):
        DaskInference(network()).output(texts).compute(scheduler="sync")


def test_refuses_rows_of_unknown_shape():
    net = nn.MultiLayerNetwork([nn.LSTM(3), nn.RnnOutputLayer(2)], input_type=nn.InputType.recurrent(4))
    with pytest.raises(ValueError, match="give a dask array"):
        DaskInference(net).output(bag.from_sequence([np.ones((5, 4))]))
    x = da.ones((3, 5, 4))
    assert DaskInference(net).output(x).compute(scheduler="sync").shape == (3, 5, 2)
