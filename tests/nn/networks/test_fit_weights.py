"""`fit` with validation_split, class_weight and sample_weight: against steps whose losses are weighted by hand."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train

RNG = np.random.default_rng(5)
N = 20
X = RNG.normal(size=(N, 4))
NUMBERS = RNG.integers(0, 3, N)
LABELS = np.eye(3)[NUMBERS]
WEIGHTS = RNG.uniform(0.0, 3.0, N)
SEQUENCES = RNG.normal(size=(N, 5, 2))
MASK = (np.arange(5) < RNG.integers(1, 6, (N, 1))).astype(float)


def stack(**settings):
    return nn.MultiLayerNetwork(
        [nn.DenseLayer(5, "tanh"), nn.OutputLayer(3, loss=settings.pop("loss", "mcxent"))],
        input_type=nn.InputType.feed_forward(4),
        updater=nn.Adam(0.05),
        seed=7,
        dtype="float64",
        **settings,
    )


def recurrent(last, **settings):
    return nn.MultiLayerNetwork(
        [nn.LSTM(4), *last],
        input_type=nn.InputType.recurrent(2),
        seed=7,
        dtype="float64",
        updater=nn.Sgd(0.1),
        **settings,
    )


def two_outputs():
    rows = nn.InputType.feed_forward(4)
    vertices = {
        "d": (nn.DenseLayer(5, "tanh"), "a"),
        "one": (nn.OutputLayer(3), "d"),
        "other": (nn.OutputLayer(1, "identity", loss="mse"), "d"),
    }
    return nn.ComputationGraph({"a": rows}, vertices, outputs=("one", "other"), seed=7, dtype="float64")


def same(network, other):
    np.testing.assert_allclose(np.asarray(network.params()), np.asarray(other.params()), rtol=1e-12, atol=1e-14)


def stepped(network, x, labels, weights, size=N, mask=None, epochs=1):
    """A network after steps whose labels masks are the weights: the losses of examples times them."""
    for _ in range(epochs):
        for start in range(0, len(x), size):
            part = slice(start, start + size)
            network.fit_batch(x[part], labels[part], mask, weights[part])
    return network


@pytest.mark.parametrize("size", [None, 6, 100])
def test_weights_multiply_the_losses_of_examples(size):
    network = stack()
    history = network.fit(X, LABELS, sample_weight=WEIGHTS, shuffle=False, batch_size=size)
    same(network, stepped(stack(), X, LABELS, WEIGHTS, size or N))
    if size == 100:
        own = np.asarray(stack().score_examples((X, LABELS)))
        assert history.scores[0] == pytest.approx((own * WEIGHTS).sum() / N, rel=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        lambda w: w.tolist(),
        lambda w: w[:, None],
        lambda w: nd.asarray(w),
        lambda w: w.astype("float32").astype("float64"),
        lambda w: (w > 1).astype(bool),
    ],
)
def test_weights_may_be_anything_with_a_number_an_example(given):
    weights = given(WEIGHTS)
    network = stack()
    network.fit((X, LABELS), sample_weight=weights)  # a pair is one batch, as it is
    same(network, stepped(stack(), X, LABELS, np.asarray(weights, "float64").reshape(-1)))


def test_examples_stay_with_their_weights_when_they_are_shuffled():
    x, weights = np.concatenate([X, RNG.normal(size=X.shape)]), np.repeat([1.0, 0.0], N)
    network, other = stack(), stack()
    network.fit(x, np.concatenate([LABELS] * 2), sample_weight=weights, batch_size=8, epochs=3)
    x[N:] = 99.0
    other.fit(x, np.concatenate([LABELS] * 2), sample_weight=weights, batch_size=8, epochs=3)
    same(network, other)


@pytest.mark.parametrize(
    "labels, loss", [(LABELS, "mcxent"), (NUMBERS, "sparse_mcxent"), (NUMBERS[:, None], "sparse_mcxent")]
)
@pytest.mark.parametrize("classes", [{0: 2.0, 2: 0.5}, {np.int64(1): 0}, {}, "balanced"])
def test_classes_weigh_their_examples(labels, loss, classes):
    if classes == "balanced":
        weights = N / (3 * np.bincount(NUMBERS))[NUMBERS]
    else:
        weights = np.asarray([float(classes.get(int(number), 1.0)) for number in NUMBERS])
    network = stack(loss=loss)
    network.fit(X, labels, class_weight=classes, shuffle=False, batch_size=7)
    same(network, stepped(stack(loss=loss), X, labels, weights, 7))
    both = stack(loss=loss)
    both.fit(X, labels, class_weight=classes, sample_weight=WEIGHTS, shuffle=False)
    same(both, stepped(stack(loss=loss), X, labels, weights * WEIGHTS))


def test_batches_of_iterators_are_weighted_by_their_classes():
    batches = data.ArrayDataSetIterator(X, LABELS, 6)
    network = stack()
    network.fit(batches, class_weight={1: 3.0}, epochs=2)
    same(network, stepped(stack(), X, LABELS, np.where(NUMBERS == 1, 3.0, 1.0), 6, epochs=2))


def test_binary_labels_are_classes_too():
    labels = (NUMBERS > 0).astype(float)

    def made():
        layers = [nn.OutputLayer(1, "sigmoid", loss="xent")]
        return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), seed=3, dtype="float64")

    network = made()
    network.fit(X, labels, class_weight={0: 4.0}, shuffle=False)
    same(network, stepped(made(), X, labels[:, None], np.where(labels == 0, 4.0, 1.0)))


@pytest.mark.parametrize(
    "last, labels",
    [
        ([nn.RnnOutputLayer(3)], np.eye(3)[RNG.integers(0, 3, (N, 5))]),
        ([nn.LastTimeStep(nn.LSTM(4)), nn.OutputLayer(3)], LABELS),
        ([nn.RnnOutputLayer(3, loss="ctc")], RNG.integers(1, 3, (N, 1))),
    ],
)
@pytest.mark.parametrize("settings", [{}, {"gradient_accumulation": 3}, {"tbptt_length": 2}])
def test_weights_go_beside_the_masks_of_features(last, labels, settings):
    if "tbptt_length" in settings and labels.ndim < 3:
        settings = {}
    mask = np.maximum(MASK, np.arange(5) < 3)  # enough steps for the labels of CTC
    batch = data.DataSet(SEQUENCES, labels, features_mask=mask)
    weights = np.repeat([1.0, 0.0], N // 2)
    network, half = recurrent(last, **settings), recurrent(last, **settings)
    network.fit(batch, sample_weight=weights)
    # Half of the examples count, and the sum is divided by all of them: half the step of these alone.
    half.fit(data.DataSet(SEQUENCES[: N // 2], labels[: N // 2], features_mask=mask[: N // 2]))
    start = np.asarray(recurrent(last, **settings).params())
    if not settings.get("tbptt_length"):  # with it there are several steps
        np.testing.assert_allclose(
            np.asarray(network.params()) - start, (np.asarray(half.params()) - start) / 2, rtol=1e-9, atol=1e-12
        )
    doubled = recurrent(last, **settings)
    doubled.fit(batch, sample_weight=np.ones(N))
    plain = recurrent(last, **settings)
    plain.fit(batch)
    same(doubled, plain)


def test_weights_count_for_all_outputs_and_beside_masks_of_labels():
    numbers = RNG.normal(size=(N, 1))
    network, other = two_outputs(), two_outputs()
    network.fit({"a": X}, {"one": LABELS, "other": numbers}, sample_weight=WEIGHTS, shuffle=False)
    other.fit_batch(X, [LABELS, numbers], None, [nd.asarray(WEIGHTS)] * 2)
    same(network, other)
    masked, by_hand = stack(), stack()
    mask = RNG.integers(0, 2, (N, 3)).astype(float)
    masked.fit(data.DataSet(X, LABELS, labels_mask=mask), sample_weight=WEIGHTS)
    by_hand.fit_batch(X, LABELS, None, mask * WEIGHTS[:, None])
    same(masked, by_hand)


@pytest.mark.parametrize("share, n_trained", [(0.25, 15), (0.5, 10), (0.04, 19), (0.9, 2)])
def test_the_last_examples_validate(share, n_trained):
    network, other = stack(), stack()
    found = network.fit(X, LABELS, validation_split=share, epochs=2, batch_size=4)
    apart = (X[n_trained:], LABELS[n_trained:])
    wanted = other.fit(X[:n_trained], LABELS[:n_trained], validation_data=apart, epochs=2, batch_size=4)
    assert nd.array_equal(network.params(), other.params())
    assert found.validation_scores == pytest.approx(wanted.validation_scores, rel=1e-12)


def test_weights_of_examples_that_validate_count_and_those_of_classes_do_not():
    network = stack()
    found = network.fit(
        X, LABELS, validation_split=0.5, sample_weight=WEIGHTS, class_weight={0: 9.0}, shuffle=False, batch_size=N
    )
    classes = np.where(NUMBERS == 0, 9.0, 1.0)
    same(network, stepped(stack(), X[:10], LABELS[:10], (WEIGHTS * classes)[:10]))
    losses = np.asarray(network.score_examples((X[10:], LABELS[10:])))
    assert found.validation_scores == pytest.approx([(losses * WEIGHTS[10:]).sum() / 10], rel=1e-9)


@pytest.mark.parametrize("as_given", [np.asarray, nd.asarray, lambda w: w[:, None][:, 0]])
def test_validation_data_may_have_weights_as_a_third(as_given):
    network = stack()
    found = network.fit(X, LABELS, validation_data=(X[:9], LABELS[:9], as_given(WEIGHTS[:9])), batch_size=4)
    losses = np.asarray(network.score_examples((X[:9], LABELS[:9])))
    assert found.validation_scores == pytest.approx([(losses * WEIGHTS[:9]).sum() / 9], rel=1e-9)
    with pytest.raises(ValueError, match="one number for each of the 9 examples"):
        network.fit(X, LABELS, validation_data=(X[:9], LABELS[:9], as_given(WEIGHTS[:8])))


def test_a_run_with_weights_goes_on_with_the_same_bits(tmp_path):
    settings = {"sample_weight": WEIGHTS, "class_weight": "balanced", "validation_split": 0.2, "batch_size": 3}
    whole = stack()
    whole.fit(X, LABELS, epochs=4, **settings)
    stack().fit(X, LABELS, epochs=2, listeners=train.CheckpointListener(tmp_path, every_iterations=4), **settings)
    resumed = stack()
    history = resumed.fit(X, LABELS, epochs=4, resume_from=tmp_path, **settings)
    assert nd.array_equal(resumed.params(), whole.params())
    assert len(history.validation_scores) == 4


@pytest.mark.parametrize("x", [X, nd.asarray(X), X.tolist()], ids=["NumPy", "nd4py", "list"])
def test_features_alone_are_told(x):
    for settings in ({}, {"batch_size": 4}, {"sample_weight": WEIGHTS}):
        with pytest.raises((TypeError, ValueError), match=r"features without labels; give both|needs all examples"):
            stack().fit(x, **settings)
    with pytest.raises(TypeError, match="fit: validation_data: features without labels"):
        stack().fit(X, LABELS, validation_data=x)


BATCHES = [(X[:10], LABELS[:10]), (X[10:], LABELS[10:])]
WRONG = [
    ((X, LABELS), {"validation_split": -0.1}, "validation_split must be between 0 and 1"),
    ((X, LABELS), {"validation_split": 1.0}, "leaves 0 of 20 examples to train on and 20 to validate on"),
    ((X, LABELS), {"validation_split": 0.5, "validation_data": (X, LABELS)}, "give one of them"),
    ((BATCHES,), {"validation_split": 0.5}, "validation_split needs all examples.*validation_data="),
    ((BATCHES,), {"sample_weight": WEIGHTS}, "sample_weight needs all examples.*labels_mask"),
    ((BATCHES,), {"class_weight": "balanced"}, 'class_weight="balanced" needs all examples.*as a dict'),
    ((X, LABELS[:12]), {"validation_split": 0.2}, r"one row for each example, given arrays of \[12, 20\] rows"),
    ((X, LABELS), {"sample_weight": WEIGHTS[1:]}, r"one number for each of the 20 examples, given shape \(19,\)"),
    ((X, LABELS), {"sample_weight": np.ones((N, 3))}, r"given shape \(20, 3\)"),
    ((X, LABELS), {"sample_weight": -WEIGHTS}, "finite and not below 0"),
    ((X, LABELS), {"sample_weight": WEIGHTS * np.nan}, "finite and not below 0"),
    ((X, LABELS), {"class_weight": "even"}, 'must be "balanced" or a dict'),
    ((X, LABELS), {"class_weight": {3: 1.0}}, "has class 3, but the labels have 3 classes"),
    ((X, LABELS), {"class_weight": {0.5: 1.0}}, "each class of class_weight must be a whole number"),
    ((X, LABELS), {"class_weight": {0: -1.0}}, "class_weight of class 0 must be at least 0"),
    ((X, 2 * LABELS), {"class_weight": {0: 1.0}}, "do not add up to 1; give sample_weight"),
    ((X, X[:, 0]), {"class_weight": {0: 1.0}}, "given numbers that are not whole"),
    ((SEQUENCES, SEQUENCES), {"class_weight": {0: 1.0}}, "labels of shape .*labels_mask with the weights of steps"),
    ((X, (LABELS, LABELS)), {"class_weight": {0: 1.0}}, "is for one output, the labels are of 2"),
]


@pytest.mark.parametrize("arguments, settings, message", WRONG, ids=[row[2][:30] for row in WRONG])
def test_what_does_not_go_with_the_data_is_told(arguments, settings, message):
    network = stack()
    before = network.params().copy()
    with pytest.raises(ValueError, match=message):
        network.fit(*arguments, **settings)
    assert nd.array_equal(network.params(), before)


@pytest.mark.parametrize(
    "settings", [{"class_weight": [1.0, 2.0]}, {"class_weight": 3}, {"sample_weight": np.full(N, "a")}]
)
def test_what_is_no_weight_is_told(settings):
    with pytest.raises(TypeError, match="weight"):
        stack().fit(X, LABELS, **settings)


@pytest.mark.parametrize("name, case", cases.LOSSES.items())
def test_every_loss_is_weighted(name, case):
    n_out = 3
    labels = np.asarray(cases.sample_labels(case.labels, N, n_out, np.random.default_rng(3)))

    def made():
        layers = [nn.OutputLayer(n_out, case.activation, loss=name)]
        return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), seed=3, dtype="float64")

    zero = np.repeat([1.0, 0.0], N // 2)
    network, other = made(), made()
    other_labels = labels.copy()
    other_labels[N // 2 :] = labels[: N // 2]
    network.fit((X, labels), sample_weight=zero)
    other.fit((X, other_labels), sample_weight=zero)
    same(network, other)
