"""Recurrent layers and those around them: states, masks, directions, first biases, refusals."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn.parameters import lay_out, views

GIVEN = nn.InputType.recurrent(3, 6)
MASK = np.asarray([[1, 1, 1, 1, 0, 0], [0, 1, 1, 0, 1, 0], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]], float)
RECURRENT = {
    "lstm": nn.LSTM(4),
    "lstm of any activation": nn.LSTM(4, "softsign", "hard_sigmoid"),
    "peepholes": nn.GravesLSTM(4),
    "peepholes of any activation": nn.GravesLSTM(4, "elu"),
    "gru": nn.GRU(4),
    "gru of any activation": nn.GRU(4, "softsign", reset_after=False),
    "simple": nn.SimpleRnn(4),
    "simple relu": nn.SimpleRnn(4, "relu"),
    "simple of any activation": nn.SimpleRnn(4, "elu"),
}
each_layer = pytest.mark.parametrize("layer", [pytest.param(layer, id=name) for name, layer in RECURRENT.items()])


def params_of(layer, given=GIVEN, seed=0):
    """Random parameters of a layer, by name."""
    slots = lay_out({"0": layer.parameters(given)})
    return views(nd.asarray(np.random.default_rng(seed).normal(size=slots[-1].stop)), slots, 1)[0]


def sequences(seed=1, size=3):
    return nd.asarray(np.random.default_rng(seed).normal(size=(4, 6, size)))


def assert_alike(got, want):
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-12, atol=1e-13)


def without_steps(x, mask, i):
    """Sequence `i` alone, without its masked steps."""
    return x[i : i + 1][:, nd.asarray(np.flatnonzero(mask[i]))]


@each_layer
def test_a_state_goes_on_where_the_steps_before_ended(layer):
    params, x = params_of(layer), sequences()
    want, end = layer.forward(params, x)
    first, state = layer.forward(params, x[:, :2])
    second, last = layer.forward(params, x[:, 2:], state=state)
    assert_alike(nd.concat([first, second], axis=1), want)
    assert set(last) == set(end)
    for name in end:
        assert_alike(last[name], end[name])


@each_layer
def test_masked_steps_are_as_if_they_were_not_there(layer):
    params, x = params_of(layer), sequences()
    y, state = layer.forward(params, x, mask=nd.asarray(MASK))
    assert not np.asarray(y)[MASK == 0].any()
    for i in range(4):
        alone, end = layer.forward(params, without_steps(x, MASK, i))
        assert_alike(np.asarray(y)[i][MASK[i] == 1], alone[0])
        for name in end:
            assert_alike(state[name][i], end[name][0])


@pytest.mark.parametrize("mode, join", [
    ("concat", lambda a, b: np.concatenate([a, b], -1)), ("add", np.add), ("mul", np.multiply),
    ("average", lambda a, b: (a + b) / 2),
])  # fmt: skip
@pytest.mark.parametrize("is_masked", [False, True])
def test_bidirectional(mode, join, is_masked):
    layer = nn.Bidirectional(nn.GRU(4), mode)
    params, x = params_of(layer), sequences()
    y = np.asarray(layer.forward(params, x, mask=nd.asarray(MASK) if is_masked else None))
    for i in range(4):
        seen = without_steps(x, MASK, i) if is_masked else x[i : i + 1]
        forth, _ = layer.layer.forward({name[1:]: p for name, p in params.items() if name[0] == "f"}, seen)
        back, _ = layer.layer.forward({name[1:]: p for name, p in params.items() if name[0] == "b"}, seen[:, ::-1])
        steps = y[i][MASK[i] == 1] if is_masked else y[i]
        assert_alike(steps, join(np.asarray(forth)[0], np.asarray(back)[0, ::-1]))


def test_last_time_step():
    layer = nn.LastTimeStep(nn.LSTM(4))
    params, x = params_of(layer), sequences()
    y, state = layer.forward(params, x)
    assert layer.is_recurrent
    assert_alike(y, state["h"])
    masked, state = layer.forward(params, x, mask=nd.asarray(MASK))
    assert_alike(masked, np.asarray(state["h"]))
    assert layer.output_mask(nd.asarray(MASK), GIVEN) is None
    assert nn.LastTimeStep(nn.TimeDistributed(nn.DenseLayer(2))).forward(
        {"W": nd.ones((3, 2)), "b": nd.zeros(2)}, x, mask=nd.asarray(MASK)
    ).shape == (4, 2)


def test_time_distributed_is_the_layer_on_every_step():
    layer = nn.TimeDistributed(nn.ConvolutionLayer(2, 3), nn.InputType.convolutional_flat(3, 3, 1))
    given = nn.InputType.recurrent(9)
    params, x = params_of(layer, given), sequences(size=9)
    y = layer.forward(params, x)
    for t in range(6):
        step = layer.layer.forward(params, x[:, t].reshape((4, 1, 3, 3)))
        assert_alike(y[:, t], step.reshape((4, -1)))
    assert layer.output_type(given).dimensions == (None, 12)


def test_masks_of_values():
    x = np.array(sequences())
    x[MASK == 0] = -9.0
    layer = nn.MaskZeroLayer(nn.LSTM(4), masking_value=-9.0)
    params = params_of(layer)
    want, end = layer.layer.forward(params, nd.asarray(x), mask=nd.asarray(MASK))
    got, state = layer.forward(params, nd.asarray(x))
    assert_alike(got, want)
    assert_alike(state["c"], end["c"])
    other = np.tril(np.ones((4, 6)), 2)
    assert_alike(
        layer.forward(params, nd.asarray(x), mask=nd.asarray(other))[0],
        layer.layer.forward(params, nd.asarray(x), mask=nd.asarray(MASK * other))[0],
    )
    assert_alike(nn.MaskLayer().forward({}, nd.asarray(x), mask=nd.asarray(MASK)), x * MASK[:, :, None])


def test_dropout_inside_is_drawn_from_the_generator():
    layer, x = nn.TimeDistributed(nn.DropoutLayer(0.5)), nd.ones((4, 6, 3))
    y = np.asarray(layer.forward({}, x, train=True, rng=nd.random.Generator(1)))
    assert set(np.unique(y)) == {0.0, 2.0}


def first_values(layer):
    rng = nd.random.Generator(1)
    return {p.name: p.initial(rng, p, "float64") for p in layer.parameters(GIVEN) if p.initial is not None}


def test_first_values():
    assert first_values(nn.LSTM(2, bias_init=0.5))["b"].tolist() == [0.5, 0.5, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    assert first_values(nn.GravesLSTM(1, forget_gate_bias_init=3.0))["b"].tolist() == [0.0, 3.0, 0.0, 0.0]
    recurrent = first_values(nn.SimpleRnn(3, recurrent_weight_init="identity"))["RW"]
    np.testing.assert_array_equal(np.asarray(recurrent), np.eye(3))
    assert first_values(nn.GRU(3)) == {}


def test_base_classes():
    assert all(isinstance(layer, nn.RecurrentLayer) for layer in RECURRENT.values())
    assert isinstance(nn.LastTimeStep(nn.LSTM(3)), nn.WrapperLayer)


def test_a_layer_around_another_has_its_settings():
    layer = nn.Bidirectional(nn.LSTM(3, l2=0.1, weight_init="relu", bias_init=0.2))
    assert (layer.l1, layer.l2, layer.weight_decay, layer.weight_init, layer.bias_init) == (
        None,
        0.1,
        None,
        "relu",
        0.2,
    )
    assert nn.TimeDistributed(nn.ActivationLayer("tanh")).bias_init == 0.0


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda: nn.LSTM(0), ValueError, "LSTM: n_out, the number of outputs, must be a whole number"),
        (lambda: nn.LSTM(3, "tanhh"), ValueError, "unknown activation 'tanhh'. Did you mean 'tanh'"),
        (lambda: nn.GRU(3, gate_activation="x"), ValueError, "unknown activation 'x'"),
        (lambda: nn.LSTM(3, forget_gate_bias_init="1"), ValueError, "LSTM: forget_gate_bias_init must be a finite"),
        (lambda: nn.SimpleRnn(3, recurrent_weight_init="orth"), ValueError, "unknown weight_init 'orth'"),
        (lambda: nn.Bidirectional(nn.DenseLayer(3)), ValueError, "a recurrent layer is needed, .* given DenseLayer"),
        (lambda: nn.Bidirectional(nn.LSTM(3), "sum"), ValueError, "unknown Bidirectional: mode 'sum'"),
        (lambda: nn.Bidirectional("lstm"), TypeError, "Bidirectional: layer must be a Layer, given str"),
        (lambda: nn.LastTimeStep(nn.LSTM), TypeError, "LastTimeStep: layer must be a Layer"),
        (lambda: nn.TimeDistributed(nn.LSTM(3)), ValueError, "LSTM goes through sequences itself"),
        (lambda: nn.TimeDistributed(nn.DenseLayer(3), (3,)), TypeError, "step_type must be an InputType"),
        (lambda: nn.MaskZeroLayer(nn.LSTM(3), "0"), ValueError, "masking_value must be a finite number"),
        (lambda: nn.RepeatVector(0), ValueError, "RepeatVector: n, the number of steps, must be a whole number"),
        (lambda: nn.LSTM(3).output_type(nn.InputType.feed_forward(3)), ValueError, "LSTM: sequences are needed"),
        (lambda: nn.RepeatVector(2).output_type(GIVEN), ValueError, "RepeatVector: rows are needed"),
        (lambda: nn.LastTimeStep(nn.LastTimeStep(nn.LSTM(2))).output_type(GIVEN), ValueError, "sequences are needed"),
        (
            lambda: nn.TimeDistributed(nn.ConvolutionLayer(2, 3), nn.InputType.convolutional_flat(3, 3, 1)).output_type(
                GIVEN
            ),
            ValueError, r"step_type \(batch, 9\) has 9 numbers, a step has 3",
        ),
        (lambda: nn.LSTM(3).forward({"W": nd.ones((3, 12))}, sequences()), ValueError, "the recurrent weights RW"),
        (
            lambda: nn.GRU(4).forward(params_of(nn.GRU(4)), sequences(), state={"c": nd.ones((4, 4))}),
            ValueError, r"state must have h, as the layer returned it, given \['c'\]",
        ),
    ],
)  # fmt: skip
def test_refusals(make, error, words):
    with pytest.raises(error, match=words):
        make()
