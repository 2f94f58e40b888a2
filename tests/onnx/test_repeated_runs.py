"""From the third run with inputs of the same shapes on, the launches are repeated: with the same bits."""

import pickle
import threading

import numpy as np
import pytest
from onnx import helper, numpy_helper, parser

import nd4py as nd

UNTIL_REPEATED = 4  # runs: the third one is captured

# The shape of a view is computed by nodes, as exporters write it.
VIEWED = """<ir_version: 8, opset_import: ["": 17]>
    g (float[n, 6] x, float[6, 4] w) => (float[n, 2, 2] y, int64[1] size)
    <int64[1] start = {0}, int64[1] end = {1}, int64[2] rest = {2, 2}>
    {
        whole = Shape(x)
        size = Slice(whole, start, end)
        shape = Concat<axis=0>(size, rest)
        product = MatMul(x, w)
        bent = Tanh(product)
        y = Reshape(bent, shape)
    }"""


def model_of(text):
    return nd.onnx.load(parser.parse_model(text))


def repeats(model):
    return len(model._runs._repeated)


def bits(outputs):
    return [np.asarray(each).tobytes() for each in outputs]


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def test_same_bits_as_step_by_step(rng):
    model, w = model_of(VIEWED), rng.random((6, 4), dtype=np.float32)
    kept = [rng.random((n, 6), dtype=np.float32) for n in (3, 1, 3, 5)]
    for x in kept:
        wanted = bits(model_of(VIEWED).run([x, w]))
        for _ in range(UNTIL_REPEATED):
            outputs = model.run([x, w])
            assert bits(outputs) == wanted
            outputs[1][0] = 77  # outputs are the caller's
    assert repeats(model) == 3


def test_a_look_at_values_runs_step_by_step():
    text = '<ir_version: 8, opset_import: ["": 17]> g (float[n] x) => (int64[1, k] y) { y = NonZero(x) }'
    model = model_of(text)
    for values in ([1, 0], [0, 2], [3, 4], [0, 0], [0, 5], [6, 0]):
        (found,) = model.run([np.float32(values)])
        assert np.asarray(found).tolist() == [list(np.nonzero(values)[0])]
    assert repeats(model) == 0


def test_a_shape_that_is_an_input_may_change():
    text = '<ir_version: 8, opset_import: ["": 17]> g (float[4] x, int64[2] s) => (float[a, b] y) { y = Reshape(x, s) }'
    model, x = model_of(text), np.arange(4, dtype=np.float32)
    for sizes in ((2, 2), (2, 2), (2, 2), (4, 1), (1, 4), (2, 2)):
        assert model.run([x, np.int64(sizes)])[0].shape == sizes


def test_values_of_the_file_may_be_replaced(rng):
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "b"], ["y"])],
        "g",
        [helper.make_tensor_value_info(name, 1, [2]) for name in ("x", "b")],
        [helper.make_tensor_value_info("y", 1, [2])],
        [numpy_helper.from_array(np.float32([1, 2]), "b")],
    )
    model = nd.onnx.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))
    x = np.float32([10, 20])
    for _ in range(UNTIL_REPEATED):
        assert model.run([x])[0].tolist() == [11, 22]
        assert model.run({"x": x, "b": x})[0].tolist() == [20, 40]
    assert repeats(model) == 2


def test_gradients_flow(rng):
    model, x = model_of(VIEWED), nd.asarray(rng.random((2, 6), dtype=np.float32))
    w = nd.asarray(rng.random((6, 4), dtype=np.float32))
    for _ in range(UNTIL_REPEATED):
        model.run([x, w])
    found = nd.grad(lambda x: nd.sum(model.run([x, w])[0]))(x)
    wanted = nd.grad(lambda x: nd.sum(nd.tanh(x @ w)))(x)
    assert nd.allclose(found, wanted)
    assert nd.allclose(nd.vmap(lambda row: model.run([row[None], w])[0][0])(x), model.run([x, w])[0])


def test_nothing_that_is_kept_lies_in_a_workspace(rng):
    model, w = model_of(VIEWED), rng.random((6, 4), dtype=np.float32)
    x = rng.random((3, 6), dtype=np.float32)
    wanted = bits(model_of(VIEWED).run([x, w]))
    for _ in range(UNTIL_REPEATED):
        with nd.workspace("of a run"):
            assert bits(model.run([x, w])) == wanted
    for _ in range(2):
        assert bits(model.run([x, w])) == wanted
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_many_shapes_are_not_kept(rng):
    model, w = model_of(VIEWED), rng.random((6, 4), dtype=np.float32)
    for n in range(40):
        for _ in range(UNTIL_REPEATED):
            model.run([rng.random((n, 6), dtype=np.float32), w])
    assert repeats(model) == 16


def test_threads_share_a_model(rng):
    model, w = model_of(VIEWED), rng.random((6, 4), dtype=np.float32)
    inputs = [rng.random((2 + i % 2, 6), dtype=np.float32) for i in range(8)]
    wanted = [bits(model_of(VIEWED).run([x, w])) for x in inputs]
    wrong = []

    def run(i):
        for _ in range(50):
            if bits(model.run([inputs[i], w])) != wanted[i]:
                wrong.append(i)

    threads = [threading.Thread(target=run, args=[i]) for i in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert repeats(model) == 2


def test_a_model_is_pickled_without_its_launches(rng):
    model, given = model_of(VIEWED), [rng.random((3, 6), dtype=np.float32), rng.random((6, 4), dtype=np.float32)]
    for _ in range(UNTIL_REPEATED):
        wanted = bits(model.run(given))
    again = pickle.loads(pickle.dumps(model))
    assert repeats(again) == 0
    assert bits(again.run(given)) == wanted
