"""Normalizers of examples with several arrays: each array is scaled as by a normalizer of its own."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train
from nd4py.data import (
    DataSet,
    ImagePreProcessingScaler,
    ListDataSetIterator,
    MultiDataSet,
    MultiNormalizer,
    Normalizer,
    NormalizerMinMaxScaler,
    NormalizerStandardize,
)

RNG = np.random.default_rng(6)
ROWS = RNG.normal(100, 3, (12, 4)).astype("float32")
STEPS = RNG.normal(-2, 7, (12, 5, 3)).astype("float32")
IMAGES = RNG.integers(0, 256, (12, 1, 2, 2)).astype("uint8")
LABELS = RNG.normal(5, 9, (12, 2)).astype("float64")
NUMBERS = RNG.integers(0, 3, (12, 1))
MASK = nd.asarray((np.arange(5) < RNG.integers(1, 6, (12, 1))).astype("float32"))


def examples():
    return MultiDataSet([ROWS, STEPS, IMAGES], [LABELS, NUMBERS], [None, MASK, None])


def made():
    return MultiNormalizer(
        [NormalizerStandardize(), NormalizerMinMaxScaler(-1.0, 1.0), ImagePreProcessingScaler()],
        [NormalizerStandardize(), None],
    )


def same(first, second):
    return [np.asarray(x).tobytes() for x in (*first.features, *first.labels)] == [
        np.asarray(x).tobytes() for x in (*second.features, *second.labels)
    ]


def test_each_array_is_scaled_by_itself():
    found = made().fit(examples()).transform(examples())
    alone = [
        NormalizerStandardize().fit(DataSet(ROWS, LABELS)).transform(DataSet(ROWS, LABELS)).features,
        NormalizerMinMaxScaler(-1.0, 1.0)
        .fit(DataSet(STEPS, LABELS, MASK))
        .transform(DataSet(STEPS, LABELS, MASK))
        .features,
        ImagePreProcessingScaler().transform_features(IMAGES),
    ]
    for x, y in zip(found.features, alone, strict=True):
        assert x.dtype == y.dtype
        assert nd.array_equal(x, y)
    np.testing.assert_allclose(np.asarray(found.labels[0]), (LABELS - LABELS.mean(0)) / LABELS.std(0), rtol=1e-12)
    assert nd.array_equal(found.labels[1], NUMBERS)
    assert found.features_masks[1] is examples().features_masks[1] or nd.array_equal(found.features_masks[1], MASK)
    assert not np.asarray(found.features[1])[np.asarray(MASK) == 0].any()


@pytest.mark.parametrize("size", [1, 5, 12])
def test_batches_make_no_difference_and_revert_goes_back(size):
    whole = made().fit(examples())
    parts = made().fit(ListDataSetIterator(examples().batch_by(size)))
    np.testing.assert_allclose(
        np.asarray(parts.transform(examples()).features[0]),
        np.asarray(whole.transform(examples()).features[0]),
        atol=1e-4,
    )
    back = parts.revert(parts.transform(examples()))
    np.testing.assert_allclose(np.asarray(back.features[0]), ROWS, rtol=1e-5)
    there = np.asarray(MASK) != 0
    np.testing.assert_allclose(np.asarray(back.features[1])[there], STEPS[there], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.asarray(back.features[2]), IMAGES, atol=1e-4)
    np.testing.assert_allclose(np.asarray(back.labels[0]), LABELS, rtol=1e-10)
    predictions = parts.revert_labels(parts.transform_labels([LABELS, NUMBERS]))
    np.testing.assert_allclose(np.asarray(predictions[0]), LABELS, rtol=1e-10)
    np.testing.assert_allclose(
        np.asarray(parts.revert_features(parts.transform_features([ROWS, STEPS, IMAGES]))[0]), ROWS, rtol=1e-5
    )


def test_labels_stay_where_there_are_no_normalizers_for_them():
    normalizer = MultiNormalizer([NormalizerStandardize(), None, None]).fit(examples())
    found = normalizer.transform(examples())
    assert nd.array_equal(found.labels[0], LABELS)
    assert nd.array_equal(found.features[1], STEPS)
    assert normalizer.transform_labels([LABELS, NUMBERS])[0] is LABELS


def test_files(tmp_path):
    normalizer = made().fit(examples())
    normalizer.save(tmp_path / "normalizer.json")
    for again in (Normalizer.load(tmp_path / "normalizer.json"), MultiNormalizer.from_json(normalizer.to_json())):
        assert isinstance(again, MultiNormalizer)
        assert same(again.transform(examples()), normalizer.transform(examples()))
        assert repr(again) == repr(normalizer)
    with pytest.raises(TypeError, match="describes a MultiNormalizer"):
        NormalizerStandardize.from_json(normalizer.to_json())
    for wrong in ("{}", '{"type": "MULTI"}', '{"type": "MULTI", "features": [3], "labels": []}'):
        with pytest.raises(ValueError, match="describes no normalizer"):
            Normalizer.from_json(wrong)
    unfitted = Normalizer.from_json(made().to_json())
    with pytest.raises(RuntimeError, match="fit"):
        unfitted.transform(examples())


def test_training_with_a_normalizer(tmp_path):
    inputs = {"x": nn.InputType.feed_forward(4), "z": nn.InputType.feed_forward(2)}
    vertices = {
        "both": (nn.MergeVertex(), "x", "z"),
        "y": (nn.OutputLayer(2, activation="identity", loss="mse"), "both"),
    }
    net = nn.ComputationGraph(inputs, vertices, outputs="y", updater=nn.Adam(0.05), seed=2)
    source = ListDataSetIterator(MultiDataSet([ROWS, LABELS], [LABELS]).batch_by(4))
    normalizer = MultiNormalizer([NormalizerStandardize(), NormalizerStandardize()], [NormalizerStandardize()])
    source.pre_processor = normalizer.fit(source)
    with pytest.raises(ValueError, match="pre_processor"):
        normalizer.fit(source)
    net.fit(source, epochs=150)
    train.save(net, tmp_path / "net.zip", normalizer=normalizer)
    loaded = train.load_normalizer(tmp_path / "net.zip")
    outputs = net.output(*loaded.transform_features([ROWS, LABELS]))
    (predicted,) = loaded.revert_labels([outputs])
    assert float(np.abs(np.asarray(predicted) - LABELS).max()) < 2.0


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        (lambda: MultiNormalizer([3]), TypeError, "each of features"),
        (lambda: MultiNormalizer([made()]), TypeError, "one array"),
        (lambda: MultiNormalizer([each := NormalizerStandardize(), each]), ValueError, "two places"),
        (lambda: made().fit([]), ValueError, "no examples"),
        (lambda: made().fit([DataSet(ROWS, LABELS)]), TypeError, "MultiDataSet"),
        (lambda: made().fit(MultiDataSet([ROWS], [LABELS])), ValueError, "1 arrays of features for 3 normalizers"),
        (lambda: made().fit(examples()).transform(DataSet(ROWS, LABELS)), TypeError, "MultiDataSet"),
        (lambda: made().fit(examples()).transform_features([ROWS]), ValueError, "3 normalizers"),
        (lambda: made().fit(examples()).transform_features([STEPS, STEPS, IMAGES]), ValueError, "features"),
        (lambda: made().transform(examples()), RuntimeError, "fit"),
    ],
)
def test_wrong_use(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()
