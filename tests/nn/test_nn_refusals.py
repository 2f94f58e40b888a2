"""What a network refuses, and how it says so: stacks, settings and batches that do not fit."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, parallel


@pytest.mark.parametrize(
    "layers, given, message",
    [
        ([], cases.ROWS, "at least one layer"),
        ([nn.ActivationLayer("relu")], cases.ROWS, "none of the layers has parameters"),
        (
            [nn.ConvolutionLayer(5, 20)],
            nn.InputType.feed_forward(784),
            r"layer 0 \(ConvolutionLayer\) does not fit its input \(batch, 784\): images are needed.*_flat",
        ),
        (
            [nn.ConvolutionLayer(3, 2), nn.SubsamplingLayer(), nn.ConvolutionLayer(5, 3, name="third")],
            cases.IMAGES,
            r"layer 2 \(third\) does not fit its input \(batch, 2, 2, 2\): the kernel is larger .* input 2, kernel 5",
        ),
        (
            [nn.DenseLayer(3), nn.SubsamplingLayer(), nn.OutputLayer(3)],
            cases.IMAGES,
            r"layer 1 \(SubsamplingLayer\) does not fit its input \(batch, 3\): images are needed",
        ),
        ([nn.OutputLayer(3), nn.DenseLayer(3)], cases.ROWS, r"layer 0 \(OutputLayer\) must be the last of the 2"),
    ],
)
def test_stack_that_does_not_fit_is_refused(layers, given, message):
    with pytest.raises(ValueError, match=message):
        nn.MultiLayerNetwork(layers, input_type=given)


@pytest.mark.parametrize(
    "settings, error, message",
    [
        (
            {"layers": [nn.DenseLayer]},
            TypeError,
            r"layers\[0\] must be an object of a class, given the class itself; write DenseLayer",
        ),
        ({"updater": "adam"}, TypeError, r"updater must be an Updater, such as nn.Adam\(1e-3\); given 'adam'"),
        (
            {"input_type": (4,)},
            TypeError,
            r"input_type must be an InputType, such as nn.InputType.feed_forward\(4\); given \(4,\)",
        ),
        ({"activation": np.tanh}, ValueError, "unknown activation .* goes into a layer, nn.LambdaLayer"),
        ({"weight_init": np.ones}, ValueError, "unknown weight_init .* that derives from nn.Distribution"),
        ({"weight_init": "xaviar"}, ValueError, "unknown weight_init 'xaviar'. Did you mean 'xavier'"),
        ({"l2": -1.0}, ValueError, "l2 must be at least 0, given -1.0"),
        ({"seed": -1}, ValueError, "seed must be a whole number of at least 0, given -1"),
        ({"dtype": "int8"}, ValueError, "unknown network dtype 'int8'.*Known: bfloat16, float16, float32, float64"),
        ({"gradient_normalization": "clip"}, ValueError, "unknown gradient_normalization 'clip'"),
    ],
)
def test_bad_settings_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        cases.small_network(**settings)


def test_numbers_of_classes_in_place_of_labels_are_told_what_makes_labels_of_them():
    net, x = cases.small_network(), np.zeros((3, 4), "float32")
    with pytest.raises(ValueError, match=r"given \(3,\); where they are numbers of classes, nd.one_hot\(labels, 3\)"):
        net.fit(x, [0, 1, 2])
    with pytest.raises(ValueError, match=r"labels of shape \(3, 3\) for 3 examples, given \(3, 2\)$"):
        net.fit(x, np.zeros((3, 2)))


def test_labels_of_other_examples_are_refused_where_networks_are_scored():
    net, x = cases.small_network(), np.zeros((3, 4))
    for name in ("score", "score_examples", "evaluate", "f1_score"):
        with pytest.raises(ValueError, match="x and y need one row for each example, given arrays of"):
            getattr(net, name)(x, np.zeros((2, 3)))
    with pytest.raises(TypeError, match="evaluate: evaluation must be an evaluation with eval, given int"):
        net.evaluate((x, np.zeros((3, 3))), 3)


def test_features_of_another_shape_are_refused():
    net = cases.lenet()
    with pytest.raises(ValueError, match=r"layer 0 \(ConvolutionLayer\) expects \(batch, 784\), given \(128, 100\)"):
        net.output(np.zeros((128, 100)))
    with pytest.raises(ValueError, match=r"expects \(batch, 784\), given \(784,\)"):
        net.output(np.zeros(784))
    with pytest.raises(ValueError, match=r"at least one example, given features of shape \(0, 784\)"):
        net.fit_batch(np.zeros((0, 784)), np.zeros((0, 10)))


def test_labels_of_another_width_are_refused():
    with pytest.raises(ValueError, match=r"OutputLayer with 3 outputs .*\(8, 3\) for 8 examples, given \(8, 4\)"):
        cases.small_network().fit_batch(cases.small_batch()[0], np.zeros((8, 4)))


def test_training_needs_a_loss():
    net = cases.small_network(layers=[nn.DenseLayer(3)])
    assert net.output(cases.small_batch()[0]).shape == (8, 3)
    with pytest.raises(ValueError, match=r"an output must be an OutputLayer or .*, but it is layer 0 \(DenseLayer\)"):
        net.fit(cases.small_batch())


def test_data_that_is_used_up_is_refused():
    net, batch = cases.small_network(), cases.small_batch()
    with pytest.raises(ValueError, match="no batches in epoch 2 of 3"):
        net.fit(iter([batch]), epochs=3)
    with pytest.raises(TypeError, match="data must be an iterator over batches.*given int"):
        net.fit(5)
    with pytest.raises(TypeError, match=r"a batch must have .features and .labels.*given str"):
        net.fit(["abc"])
    with pytest.raises(ValueError, match="no examples"):
        net.score([])


def test_epochs_that_are_no_number_of_them_are_refused():
    net, (x, labels) = cases.small_network(), cases.small_batch()
    with pytest.raises(TypeError, match=r"give arrays as a pair, fit\(\(features, labels\), epochs\)"):
        net.fit((x, labels), epochs=x)
    with pytest.raises(TypeError, match="two numbers of epochs, 3 and 2"):
        net.fit((x, labels), 3, epochs=2)
    for epochs in (0, -1, 1.0, True, "2"):
        with pytest.raises(ValueError, match="epochs must be a whole number of at least 1"):
            net.fit((x, labels), epochs)
    assert net.iteration_count == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_score_that_is_not_finite_stops_before_the_step(bad):
    net, (x, labels) = cases.small_network(), cases.small_batch()
    before = np.array(net.params())
    x[0, 0] = bad
    with np.errstate(all="ignore"), pytest.raises(FloatingPointError, match="score is nan at iteration 0"):
        net.fit_batch(x, np.full_like(labels, np.nan))
    np.testing.assert_array_equal(np.array(net.params()), before)


def test_vector_of_another_length_is_refused():
    net = cases.small_network()
    with pytest.raises(ValueError, match=r"set_params: a vector of shape \(43,\) is needed, given \(44,\)"):
        net.set_params(np.zeros(44))
    with pytest.raises(ValueError, match="has no state"):
        net.set_updater_state(np.zeros(43))


def test_a_function_in_place_of_a_loss_is_told_what_a_loss_is():
    with pytest.raises(ValueError, match="unknown loss <.*derives from nn.Loss"):
        nn.OutputLayer(3, loss=lambda labels, z: z)


@pytest.mark.parametrize("shape, n_outputs", [((6,), 3), ((6, 1), 3), ((6,), 2)])
def test_class_numbers_are_told_of_the_loss_that_takes_them(shape, n_outputs):
    layer = nn.OutputLayer(n_outputs)
    with pytest.raises(ValueError, match="nd.one_hot.*loss='sparse_mcxent' takes them as they are"):
        layer.prepare_labels(nd.zeros(shape, dtype="int64"), (6, n_outputs), nd.float32)


@pytest.mark.parametrize("labels", [[0, 3], [-1, 0], [[-100], [7]]])
def test_numbers_of_no_class_are_refused_by_eager_steps_and_graphs_alike(labels):
    net, x = cases.small_network(layers=[nn.OutputLayer(3, loss="sparse_mcxent")]), np.ones((2, 4), "float32")
    lowest, highest = np.min(labels), np.max(labels)
    for _ in range(4):
        with pytest.raises(IndexError, match=f"class numbers from 0 to 2, given {lowest} to {highest}"):
            net.fit_batch(x, labels)
        net.fit_batch(x, [0, 2])
    assert net.iteration_count == 4


@pytest.mark.parametrize("dtype", [nd.float16, np.float16, np.dtype("float64"), float, "half", "bfloat16"])
def test_a_dtype_of_any_kind_is_that_of_a_network(dtype):
    assert cases.small_network(dtype=dtype).output(np.ones((1, 4))).dtype == nd.dtype(dtype)


TEXTS = [["a", "b", "a"], ("a", "b", "a"), np.array(["a", None, "b"], dtype=object), [["a"], ["b"], ["a"]]]
CALLS_WITH_LABELS = {
    "fit": lambda net, x, y: net.fit(x, y),
    "fit of a pair": lambda net, x, y: net.fit((x, y)),
    "fit of batches": lambda net, x, y: net.fit([(x, y)]),
    "validation": lambda net, x, y: net.fit(x, np.ones((3, 2)), validation_data=(x, y)),
    "fit_batch": lambda net, x, y: net.fit_batch(x, y),
    "score": lambda net, x, y: net.score(x, y),
    "score of a pair": lambda net, x, y: net.score((x, y)),
    "score_examples": lambda net, x, y: net.score_examples(x, y),
    "evaluate": lambda net, x, y: net.evaluate(x, y),
    "evaluate with evaluations": lambda net, x, y: net.evaluate(x, y, nn.ROC()),
    "evaluate of a pair": lambda net, x, y: net.evaluate((x, y)),
    "f1_score": lambda net, x, y: net.f1_score(x, y),
    "gradient": lambda net, x, y: net.compute_gradient_and_score(x, y),
    "evaluation": lambda net, x, y: nn.Evaluation().eval(y, net.output(x)),
    "data set": lambda net, x, y: data.DataSet(x, y),
    "iterator": lambda net, x, y: data.ArrayDataSetIterator(x, y, 2),
    "workers": lambda net, x, y: parallel.ParallelWrapper(net).fit(x, y),
}


@pytest.mark.parametrize("labels", [*TEXTS, np.array(["a", "b", "a"])])
@pytest.mark.parametrize("call", CALLS_WITH_LABELS.values(), ids=CALLS_WITH_LABELS)
def test_labels_that_are_texts_are_told_what_to_do(labels, call):
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    with pytest.raises(TypeError, match=r"labels must be numbers: .*return_inverse=True.*nd\.one_hot"):
        call(net, np.ones((3, 4), dtype="float32"), labels)


@pytest.mark.parametrize("labels", [nd.ones((2, 5)), nd.ones((2, 1)), nd.ones((2, 1, 5))])
@pytest.mark.parametrize("n_out", [1, 5])
def test_one_label_for_a_sequence_is_told_where_it_goes(labels, n_out):
    if labels.shape[-1] not in (1, n_out):
        return
    net = nn.MultiLayerNetwork(
        [nn.LSTM(3), nn.RnnOutputLayer(n_out, "sigmoid", loss="mse")], input_type=nn.InputType.recurrent(4, 6)
    )
    with pytest.raises(ValueError, match="one label for each sequence is for an OutputLayer behind a GlobalPool"):
        net.fit_batch(nd.ones((2, 6, 4)), labels)


def test_features_without_labels_are_refused_by_a_single_step():
    net = nn.MultiLayerNetwork([nn.OutputLayer(3)], input_type=cases.ROWS)
    for call in (net.fit_batch, net.compute_gradient_and_score):
        with pytest.raises(TypeError, match=f"{call.__name__}: features without labels; give both, or a batch alone"):
            call(nd.ones((2, 6)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize("which", ["features", "labels"])
@pytest.mark.parametrize("wrong, kind", [(np.nan, "nan"), (np.inf, "infinity")])
def test_what_of_a_batch_is_not_finite_is_told(dtype, which, wrong, kind):
    given = {"features": np.ones((6, 5, 4)), "labels": np.ones((6, 5, 2))}
    given[which][2, 3, 1] = given[which][4] = wrong
    net = nn.MultiLayerNetwork(
        [nn.SimpleRnn(3, "identity"), nn.RnnOutputLayer(2, "identity", loss="mse")],
        input_type=nn.InputType.recurrent(4),
        dtype=dtype,
    )
    before = net.params().tobytes()
    with pytest.raises(
        FloatingPointError, match=rf"the {which} hold {kind}, in 2 of the 6 .*, first in number 2; leave"
    ):
        net.fit(given["features"], given["labels"], shuffle=False)
    assert net.params().tobytes() == before


@pytest.mark.parametrize(
    "given, shape, advice",
    [
        (nn.InputType.feed_forward(6), (6,), r"a single example is x\[None\]"),
        (nn.InputType.recurrent(3), (7, 3), r"a single example is x\[None\]"),
        (nn.InputType.recurrent(3, 7), (2, 3, 7), r"steps are the second axis: x.transpose\(0, 2, 1\)"),
        (nn.InputType.convolutional(6, 5, 3), (3, 6, 5), r"a single example is x\[None\]"),
        (nn.InputType.convolutional(6, 5, 3), (2, 6, 5, 3), "channels are the second axis"),
        (nn.InputType.recurrent(3), (2, 0, 3), "with at least one step, given"),
    ],
)
def test_axes_in_another_order_are_told_with_what_to_do(given, shape, advice):
    output = nn.RnnOutputLayer(2) if len(given.dimensions) == 2 else nn.OutputLayer(2)
    net = nn.MultiLayerNetwork([output], input_type=given)
    for call in (net.output, lambda x: net.fit(x, np.ones((len(x), 2)), batch_size=len(x))):
        with pytest.raises(ValueError, match=advice):
            call(np.ones(shape))


def test_inputs_of_several_kinds_that_are_merged_are_told_as_they_are():
    types = {"a": nn.InputType.feed_forward(10), "b": nn.InputType.recurrent(3)}
    vertices = {"both": (nn.MergeVertex(), "a", "b"), "out": (nn.OutputLayer(2), "both")}
    with pytest.raises(ValueError, match=r"of one kind.*, given \(batch, 10\) and \(batch, any length, 3\)$"):
        nn.ComputationGraph(types, vertices, outputs="out")


@pytest.mark.parametrize("who", ["set_params", "set_updater_state"])
def test_what_is_no_vector_of_a_network_is_told(who):
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(2), updater=nn.Adam())
    before = net.params().tolist(), net.updater_state().tolist()
    for given in (None, net.param_table()):
        with pytest.raises(TypeError, match=f"^{who}: needs one vector, as .* of a network gives it, given "):
            getattr(net, who)(given)
    source = net.params() if who == "set_params" else net.updater_state()
    with pytest.raises(ValueError, match=f"^{who}: gradients do not flow .* compute_gradient_and_score"):
        nd.grad(lambda vector: (getattr(net, who)(vector), nd.sum(vector))[1])(source)
    assert (net.params().tolist(), net.updater_state().tolist()) == before
