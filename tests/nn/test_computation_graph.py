"""ComputationGraph: order, inputs and outputs, losses, vertices, files."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.data import MultiDataSet

ROWS = nn.InputType.feed_forward(4)
RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(8, 4)), np.eye(3)[RNG.integers(0, 3, 8)]


def graph(vertices=None, *, inputs=None, outputs="out", **settings):
    vertices = vertices or {"below": (nn.DenseLayer(5, "tanh"), "x"), "out": (nn.OutputLayer(3), "below")}
    defaults = {"updater": nn.Sgd(0.1), "seed": 7, "dtype": "float64"}
    return nn.ComputationGraph(inputs or {"x": ROWS}, vertices, outputs=outputs, **(defaults | settings))


def test_a_chain_is_the_stack_bit_for_bit():
    stack, chain = cases.small_network(), graph()
    assert chain.params().tobytes() == stack.params().tobytes()
    for _ in range(5):
        assert chain.fit_batch(X, Y) == stack.fit_batch(X, Y)
    assert chain.params().tobytes() == stack.params().tobytes()
    assert chain.output(X).tobytes() == stack.output(X).tobytes()
    assert chain.score((X, Y)) == stack.score((X, Y))
    assert chain.evaluate((X, Y)).accuracy() == stack.evaluate((X, Y)).accuracy()
    assert sorted(chain.param_table()) == ["below_W", "below_b", "out_W", "out_b"]


def test_vertices_may_come_in_any_order():
    net = graph({"out": (nn.OutputLayer(3), "below"), "below": (nn.DenseLayer(5, "tanh"), "x")})
    assert [stage.name for stage in net.stages] == ["below", "out"]
    assert net.params().tobytes() == graph().params().tobytes()


def several(**settings):
    """Two inputs, a vertex that two layers read, two outputs."""
    return graph(
        {
            "left": (nn.DenseLayer(5, "tanh"), "a"),
            "right": (nn.DenseLayer(5, "sigmoid"), "b"),
            "both": (nn.MergeVertex(), "left", "right"),
            "sum": (nn.ElementWiseVertex("add"), "left", "right"),
            "classes": (nn.OutputLayer(3), "both"),
            "value": (nn.OutputLayer(2, "identity", loss="mse"), "sum"),
        },
        inputs={"a": ROWS, "b": nn.InputType.feed_forward(2)},
        outputs=("classes", "value"),
        **settings,
    )


A, B = X, RNG.normal(size=(8, 2))
VALUES = RNG.normal(size=(8, 2))


def by_hand(params, weights=(1.0, 1.0)):
    left = np.tanh(A @ params["left_W"] + params["left_b"])
    right = 1 / (1 + np.exp(-(B @ params["right_W"] + params["right_b"])))
    z = np.concatenate([left, right], axis=1) @ params["classes_W"] + params["classes_b"]
    classes = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    value = (left + right) @ params["value_W"] + params["value_b"]
    losses = -(Y * np.log(classes)).sum(), ((value - VALUES) ** 2).mean(axis=1).sum()
    return classes, value, sum(weight * loss for weight, loss in zip(weights, losses, strict=True)) / len(A)


@pytest.mark.parametrize("weights", [None, (1.0, 0.25)])
def test_outputs_and_score_are_those_by_hand(weights):
    net = several(output_weights=weights)
    params = {name: np.asarray(value) for name, value in net.param_table().items()}
    classes, value, score = by_hand(params, weights or (1.0, 1.0))
    for given in ((A, B), ({"b": B, "a": A},)):
        found = net.output(*given)
        np.testing.assert_allclose(np.asarray(found[0]), classes, rtol=1e-12)
        np.testing.assert_allclose(np.asarray(found[1]), value, rtol=1e-12)
    assert net.score(MultiDataSet((A, B), (Y, VALUES))) == pytest.approx(score, rel=1e-12)
    every = net.score_examples([((A, B), {"value": VALUES, "classes": Y})])
    assert every.shape == (8,)
    assert float(nd.mean(every)) == pytest.approx(score, rel=1e-12)


def test_gradient_is_that_of_central_differences():
    net = several(output_weights=(1.0, 0.5), l2=1e-2, l1=1e-3)
    batch = MultiDataSet((A, B), (Y, VALUES))
    score = net.compute_gradient_and_score(batch.features, batch.labels)[1]
    assert score == pytest.approx(net.score(batch), rel=1e-12)
    report = nn.gradient_check(net, batch, max_relative_error=5e-6)
    assert report, str(report)


def test_training_lowers_the_score_and_survives_a_file(tmp_path):
    net = several(updater=nn.Adam(0.05))
    batch = MultiDataSet((A, B), (Y, VALUES))
    before = net.score(batch)
    net.fit([batch] * 20, epochs=2)
    assert net.score(batch) < 0.7 * before
    net.save(tmp_path / "graph.zip")
    twin = nn.ComputationGraph.load(tmp_path / "graph.zip")
    assert twin.configuration == net.configuration
    assert twin.fit_batch(batch.features, batch.labels) == net.fit_batch((A, B), (Y, VALUES))
    assert twin.params().tobytes() == net.params().tobytes()
    assert net.clone().output(A, B)[1].tobytes() == net.output(A, B)[1].tobytes()


def test_feed_forward_names_every_value():
    found = several().feed_forward(A, B)
    assert list(found) == ["a", "b", "left", "right", "both", "sum", "classes", "value"]
    np.testing.assert_array_equal(np.asarray(found["sum"]), np.asarray(found["left"] + found["right"]))
    assert found["both"].shape == (8, 10)


def test_an_output_may_be_read_by_others():
    net = graph(
        {
            "first": (nn.OutputLayer(3), "x"),
            "second": (nn.OutputLayer(3), "first"),
        },
        outputs=("first", "second"),
    )
    score = net.fit_batch(X, (Y, Y))
    assert np.isfinite(score)
    assert [each.shape for each in net.output(X)] == [(8, 3), (8, 3)]


@pytest.mark.parametrize("case", cases.VERTICES, ids=lambda case: case.vertex.title)
def test_vertices_match_numpy_and_have_gradients(case):
    arrays = [np.random.default_rng(i).normal(size=shape) for i, shape in enumerate(case.shapes)]
    result = case.vertex.forward({}, [nd.asarray(x) for x in arrays])
    np.testing.assert_allclose(np.asarray(result), case.reference(*arrays), rtol=1e-12)
    assert case.vertex.output_type(*case.given).fits(result.shape)
    weights = np.random.default_rng(9).normal(size=result.shape)

    def total(xs):
        return nd.sum(case.vertex.forward({}, xs) * nd.asarray(weights))

    gradients = nd.grad(total)([nd.asarray(x) for x in arrays])
    for which, x in enumerate(arrays):
        position = (min(2, len(x) - 1), *(1 for _ in x.shape[1:]))
        sums = []
        for step in (1e-6, -1e-6):
            moved = [each.copy() for each in arrays]
            moved[which][position] += step
            sums.append((case.reference(*moved) * weights).sum())
        assert float(gradients[which][position]) == pytest.approx((sums[0] - sums[1]) / 2e-6, rel=1e-5, abs=1e-7)


MASK = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
STEPS = np.arange(18.0).reshape(3, 3, 2) + 1


def test_vertices_of_sequences_keep_to_the_mask():
    x, mask = nd.asarray(STEPS), nd.asarray(MASK)
    last = nn.LastTimeStepVertex().forward({}, [x], masks=[mask])
    np.testing.assert_array_equal(np.asarray(last), [STEPS[0, 2], STEPS[1, 1], [0, 0]])
    np.testing.assert_array_equal(np.asarray(nn.LastTimeStepVertex().forward({}, [x])), STEPS[:, -1])
    reverse = nn.ReverseTimeSeriesVertex()
    np.testing.assert_array_equal(np.asarray(reverse.forward({}, [x])), STEPS[:, ::-1])
    found = np.asarray(reverse.forward({}, [x], masks=[mask]))
    np.testing.assert_array_equal(found[1], STEPS[1, [1, 0, 2]])
    np.testing.assert_array_equal(found[2], STEPS[2])
    rows = nd.asarray(STEPS[:, 0])
    repeated = nn.DuplicateToTimeSeriesVertex().forward({}, [rows, x])
    np.testing.assert_array_equal(np.asarray(repeated), np.repeat(STEPS[:, :1], 3, axis=1))


def test_attention_gives_padding_no_weight():
    queries, keys, values = (np.random.default_rng(i).normal(size=(3, 3, 2)) for i in range(3))
    attention = nn.DotProductAttentionVertex()
    mask = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    found = attention.forward(
        {}, [nd.asarray(x) for x in (queries, keys, values)], masks=[None, nd.asarray(mask), None]
    )
    scores = np.einsum("bqd,bkd->bqk", queries, keys) / np.sqrt(2)
    weights = np.exp(scores) * mask[:, None]
    expected = weights / weights.sum(axis=2, keepdims=True) @ values
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-10)


REFUSED = [
    ({"out": (nn.OutputLayer(3), "y")}, {}, r"unknown input of vertex 'out' 'y'.*Known: out, x"),
    (
        {"a": (nn.DenseLayer(2), "c"), "b": (nn.DenseLayer(2), "a"), "c": (nn.MergeVertex(), "b", "x")},
        {"outputs": "c"},
        "the vertices form a cycle: a -> b -> c -> a",
    ),
    ({"x": (nn.OutputLayer(3), "x")}, {"outputs": "x"}, "'x' is the name of an input and of a vertex"),
    ({"out": (nn.OutputLayer(3), "x")}, {"outputs": "other"}, "outputs: 'other' is no vertex; vertices: out"),
    (
        {"out": (nn.OutputLayer(3), "x"), "b": (nn.DenseLayer(2), "x")},
        {},
        "the vertex 'b' is neither read nor an output",
    ),
    ({"out": (nn.OutputLayer(3), "x", "x")}, {}, "a layer has one input, given 2; join them with a MergeVertex"),
    ({"out": (nn.OutputLayer(3), "x")}, {"output_weights": (1.0, 2.0)}, "output_weights: one number for each"),
    ({"m": (nn.SubsetVertex(2, 9), "x"), "out": (nn.OutputLayer(3), "m")}, {}, "vertex m .*stop 9 is beyond the 4"),
]


@pytest.mark.parametrize("vertices, settings, message", REFUSED)
def test_graphs_that_do_not_fit_are_refused(vertices, settings, message):
    with pytest.raises(ValueError, match=message):
        graph(vertices, **settings)


def test_batches_that_do_not_fit_are_refused():
    net = several()
    with pytest.raises(ValueError, match=r"features: one array for each of \['a', 'b'\] is needed, given 1"):
        net.fit_batch([A], (Y, VALUES))
    with pytest.raises(ValueError, match="one number of examples"):
        net.output(A, B[:3])
    with pytest.raises(ValueError, match=r"one entry for each of \['a', 'b'\] is needed, given \['a', 'c'\]"):
        net.output({"a": A, "c": B})
    with pytest.raises(TypeError, match=r"vertices\['out'\] must be a tuple of a layer or vertex and the names"):
        graph({"out": nn.OutputLayer(3)})


def test_configuration_survives_json():
    net = several(tbptt_length=4, gradient_accumulation=2, output_weights=(1.0, 0.5))
    text = net.configuration.to_json()
    assert nn.GraphConfiguration.from_json(text) == net.configuration


def test_summary_says_what_reads_what():
    lines = several().summary().splitlines()
    assert lines[0].split() == ["layer", "type", "reads", "n_in", "->", "n_out", "parameters", "shapes"]
    assert any(line.startswith("both") and "left, right" in line for line in lines)


def test_batches_of_several_inputs_may_be_pairs():
    rows = nn.InputType.feed_forward(4)
    vertices = {"d": (nn.ElementWiseVertex("subtract"), "a", "b"), "out": (nn.OutputLayer(2), "d")}
    x, y = (nd.random.Generator(i).normal(size=(6, 4)) for i in range(2))
    labels = nd.one_hot([0, 1] * 3, 2)
    found = []
    for batch in (
        ((x, y), labels),
        ([x, y], [labels]),
        ({"b": y, "a": x}, {"out": labels}),
        nd.data.MultiDataSet([x, y], [labels]),
    ):
        net = nn.ComputationGraph({"a": rows, "b": rows}, vertices, outputs="out", updater=nn.Sgd(0.1), seed=1)
        net.fit(batch)
        found.append((net.params().tolist(), net.score(batch)))
    assert found == [found[0]] * 4


def test_two_pairs_are_two_batches():
    x, labels = nd.random.Generator(1).normal(size=(6, 4)), nd.one_hot([0, 1] * 3, 2)
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    net.fit(((x, labels), (x, labels)))
    assert net.iteration_count == 2
