"""Settings that no class has, and outputs that do not go with their loss: what is said in place of training on."""

import copy
import inspect
import pickle
import re
from dataclasses import dataclass

import cases
import pytest
from nn_cases.losses import LOSS_OBJECTS
from nn_cases.updaters import UPDATERS
from nn_cases.vertices import VERTICES

import nd4py as nd
from nd4py import nn
from nd4py.nn.fitting.other_names import HINTS
from nd4py.nn.names import OTHER_NAMES, look_up

OBJECTS = {
    type(each).__name__: each
    for each in (
        *(case.layer for case in cases.LAYERS),
        *(case.vertex for case in VERTICES),
        *(updater for updater, _ in UPDATERS),
        *(loss for loss, _ in LOSS_OBJECTS),
        nn.StepSchedule(0.1, decay=0.5, step=10),
        nn.MaxNormConstraint(max_norm=2.0),
        nn.Dropout(0.5),
        nn.DropConnect(0.5),
        nn.Normal(0.0, 1.0),
        nn.LeakyReLU(0.1),
        nn.TrainingConfiguration(),
    )
}
CROSS_ENTROPIES = ("xent", "mcxent", "sparse_mcxent", "negative_log_likelihood", "binary_cross_entropy")
PROBABILITIES = ("softmax", "sigmoid", "hard_sigmoid")


@pytest.mark.parametrize("given", OBJECTS.values(), ids=OBJECTS)
def test_a_misspelt_setting_is_named_with_the_nearest_one(given):
    kind = type(given)
    for name in inspect.signature(kind).parameters:
        with pytest.raises(TypeError, match=rf"^{kind.__name__}: there is no setting '{name}x'\. Did you mean '"):
            kind(**{f"{name}x": 1})
    with pytest.raises(TypeError, match=rf"^{kind.__name__}: there is no setting 'qqqq'\. Known: "):
        kind(qqqq=1)
    assert copy.deepcopy(given) == given == pickle.loads(pickle.dumps(given))


@pytest.mark.parametrize("given", OBJECTS.values(), ids=OBJECTS)
def test_too_many_arguments_by_position_are_told_with_those_there_are(given):
    kind = type(given)
    parameters = inspect.signature(kind).parameters.values()
    by_position = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    n = len(by_position) + 1
    taken = ", ".join(by_position) or "none"
    with pytest.raises(TypeError, match=rf"^{kind.__name__}: takes {taken} by position, given {n} arguments"):
        kind(*range(n))


def test_layers_that_are_in_no_list_are_told():
    for kind in (nn.MultiLayerNetwork, nn.ComputationGraph):
        with pytest.raises(
            TypeError, match=rf"^{kind.__name__}: takes \w+.* by position, given 4 arguments; others go"
        ):
            kind(nn.DenseLayer(2), nn.DenseLayer(2), nn.DenseLayer(2), nn.OutputLayer(2))


@pytest.mark.parametrize(
    "name, told",
    [
        ("epoch", "Did you mean 'epochs'"),
        ("nb_epoch", "Did you mean 'epochs'"),
        ("callbacks", "Did you mean 'listeners'"),
        ("batchsize", "Did you mean 'batch_size'"),
        ("features_mask", r"masks belong to a batch: fit\(data.DataSet"),
        ("lr", "the network has updater="),
        ("loss", "the output layer has loss="),
        ("qqqq", "Known: x, y, epochs"),
    ],
)
def test_an_argument_that_fit_does_not_have_is_told(name, told):
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=cases.ROWS)
    with pytest.raises(TypeError, match=f"^fit: there is no setting '{name}'.*{told}"):
        net.fit([[1.0]], [[1.0]], **{name: 1})


@pytest.mark.parametrize(
    "kind, name, meant",
    [
        (nn.DenseLayer, "units", "n_out"),
        (nn.DenseLayer, "in_features", "n_in"),
        (nn.ConvolutionLayer, "strides", "stride"),
        (nn.ConvolutionLayer, "use_bias", "has_bias"),
        (nn.MultiHeadAttention, "num_heads", "n_heads"),
        (nn.Adam, "lr", "learning_rate"),
        (nn.Adam, "beta_2", "b2"),
        (nn.Dropout, "p", "rate"),
        (nn.TrainingConfiguration, "optimizer", "updater"),
    ],
)
def test_a_setting_of_another_library_is_named_with_its_counterpart(kind, name, meant):
    with pytest.raises(TypeError, match=f"there is no setting '{name}'. Did you mean '{meant}'"):
        kind(**{name: 1})


def test_a_learning_rate_of_a_network_is_one_of_its_updater():
    with pytest.raises(TypeError, match=r"the learning rate is one of the updater: updater=nn\.Adam"):
        nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=cases.ROWS, learning_rate=0.1)


@pytest.mark.parametrize("layer", [nn.OutputLayer, nn.RnnOutputLayer, nn.CenterLossOutputLayer])
def test_softmax_of_one_output_is_refused(layer):
    for loss in sorted({"mse", "xent", "mcxent", "l1"}):
        with pytest.raises(ValueError, match=f"{layer.__name__}: softmax of a single output is always 1"):
            layer(1, "softmax", loss=loss)
    assert layer(1, "sigmoid", loss="xent").n_out == 1


@pytest.mark.parametrize("loss", CROSS_ENTROPIES)
def test_logarithms_of_what_is_no_probability_are_refused(loss):
    for name in nn.ACTIVATIONS:
        if name in PROBABILITIES:
            assert nn.OutputLayer(3, name, loss=loss).activation == name
        else:
            with pytest.raises(ValueError, match=f"the loss '{loss}' takes logarithms.*give activation='s"):
                nn.OutputLayer(3, name, loss=loss)
        assert nn.LossLayer(loss, name).activation == name  # what comes in may be probabilities
    assert nn.OutputLayer(3, nn.LeakyReLU(), loss=loss).loss == loss
    assert nn.OutputLayer(3, "identity", loss="mse").loss == "mse"


@pytest.mark.parametrize("hint, name", [(hint, name) for hint, names in HINTS.items() for name in names])
def test_names_of_other_libraries_are_told_what_takes_their_place(hint, name):
    for net in (
        cases.small_network(),
        nn.ComputationGraph(["x"], {"y": (nn.OutputLayer(2, n_in=3), "x")}, outputs="y"),
    ):
        assert not hasattr(net, name)
        with pytest.raises(AttributeError, match=rf"'{type(net).__name__}' object has no attribute '{name}': "):
            getattr(net, name)
        with pytest.raises(AttributeError, match="has no attribute 'qqqq'$"):
            net.qqqq  # noqa: B018 - the look-up is the test
        for written in re.findall(r"`(\w+)[(`.]", hint):
            assert hasattr(net, written)


@dataclass(frozen=True)
class MeanLoss(nn.Loss):
    """One number for the whole batch, which no loss may return."""

    def __call__(self, labels, z, name, mask=None):
        return nd.mean(nd.square(labels - z))


@dataclass(frozen=True)
class RowLoss(nn.Loss):
    """One number for each example."""

    def __call__(self, labels, z, name, mask=None):
        return nd.sum(nd.square(labels - z), axis=1)


def test_a_loss_without_a_number_for_each_example_is_refused():
    x, y = nd.ones((5, 3)), nd.zeros((5, 2))

    def net(loss):
        return nn.MultiLayerNetwork([nn.OutputLayer(2, "identity", loss=loss)], input_type=nn.InputType.feed_forward(3))

    for call in (net(MeanLoss()).fit_batch, net(MeanLoss()).score, net(MeanLoss()).score_examples):
        with pytest.raises(
            ValueError, match=r"MeanLoss\(\) must return .* each of the 5 examples.* returned shape \(\)"
        ):
            call(x, y)
    assert abs(net(RowLoss()).score(x, y) - net("l2").score(x, y)) < 1e-5


def test_a_function_in_a_network_that_is_saved_is_told_what_to_do(tmp_path):
    net = nn.MultiLayerNetwork([nn.LambdaLayer(nd.tanh), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
    for call in (net.configuration.to_json, lambda: net.save(tmp_path / "net.zip")):
        with pytest.raises(TypeError, match=r"function .*tanh.* cannot be written as text, nor saved; a class that"):
            call()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("layer", [nn.DenseLayer, nn.OutputLayer, nn.LSTM, nn.MultiHeadAttention])
def test_sizes_of_inputs_and_outputs_by_their_places_are_told_apart(layer):
    if layer is nn.MultiHeadAttention:  # heads come second
        assert layer(6, 2).n_heads == 2
        return
    with pytest.raises(ValueError, match=rf"{layer.__name__}: activation must be a name .* given 5; .* is n_in="):
        layer(4, 5)


@pytest.mark.parametrize("table", [nn.ACTIVATIONS, nn.LOSSES, nn.INITIALIZERS, nn.NORMALIZATIONS])
def test_an_entry_is_suggested_for_the_name_that_other_libraries_have_for_it(table):
    for own, others in OTHER_NAMES.items():
        for other in set(others) - set(table) if own in table else ():
            for spelled in (other, other.upper()):
                with pytest.raises(ValueError, match=rf"unknown entry '{spelled}'\. Did you mean '"):
                    look_up(table, spelled, "entry")
    known = {
        "linear": "identity",
        "cross_entropy": "mcxent",
        "kaiming_normal": "he_normal",
        "clip_norm": "clip_l2_global",
    }
    for other, own in known.items():
        if own in table:
            with pytest.raises(ValueError, match=f"Did you mean '{own}'"):
                look_up(table, other, "entry")


@pytest.mark.parametrize(
    "layer",
    [nn.ConvolutionLayer, nn.Convolution1D, nn.Deconvolution2D, nn.SeparableConvolution2D, nn.LocallyConnected2D],
)
def test_outputs_that_are_not_given_are_asked_for(layer):
    with pytest.raises(
        ValueError, match=rf"{layer.__name__}: n_out, the number of outputs, must be given, .* by n_out="
    ):
        layer(3)


def test_one_array_for_several_inputs_is_told_with_its_shape():
    rows = nn.InputType.feed_forward(4)
    graph = nn.ComputationGraph(
        {"a": rows, "b": rows},
        {"m": (nn.MergeVertex(), "a", "b"), "y": (nn.OutputLayer(2), "m"), "z": (nn.OutputLayer(3), "m")},
        outputs=("y", "z"),
    )
    x, y, z = nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), nd.one_hot([0, 1, 2] * 2, 3)
    message = r"features: one array for each of .*, given one of shape \(6, 4\).* a data.MultiDataSet"
    for call in (lambda: graph.output(x), lambda: graph.evaluate(((x, x), (y, z))), lambda: graph.fit((x, (y, z)))):
        with pytest.raises(ValueError, match=message):
            call()
    assert graph.evaluate((x, x), (y, z), {"y": nn.Evaluation()})


def test_numbers_of_an_embedding_may_come_without_their_axis():
    net = nn.MultiLayerNetwork(
        [nn.EmbeddingLayer(5, 3), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(1), updater=nn.Sgd(0.1)
    )
    numbers, labels = nd.asarray([4, 0, 2]), nd.one_hot([0, 1, 1], 2)
    assert net.output(numbers).tobytes() == net.output(numbers.reshape((3, 1))).tobytes()
    twin = net.clone()
    assert net.fit(numbers, labels).scores == twin.fit(numbers.reshape((3, 1)), labels).scores
    assert net.params().tobytes() == twin.params().tobytes()
