"""Normalizers: statistics of any batching, what they make of features and labels, and files."""

import json

import numpy as np
import pytest

import nd4py as nd
from nd4py.data import (
    ArrayDataSetIterator,
    AsyncDataSetIterator,
    DataSet,
    ImagePreProcessingScaler,
    Normalizer,
    NormalizerMinMaxScaler,
    NormalizerStandardize,
    VGG16ImagePreProcessor,
)
from nd4py.nn import InputType, MultiLayerNetwork
from nd4py.nn.layers import OutputLayer
from nd4py.train import load, load_normalizer, save

FITTED = [NormalizerStandardize, NormalizerMinMaxScaler]
SHAPES = [(60, 4), (60,), (60, 3, 5), (60, 2, 4, 3)]


def data(shape=(60, 4), dtype="float32", seed=0):
    random = np.random.default_rng(seed)
    features = random.normal(1000.0, 3.0, shape) * (1 + np.arange(shape[-1]))
    return DataSet(nd.asarray(features.astype(dtype)), nd.asarray(random.normal(-5, 2, (shape[0], 2)).astype(dtype)))


def columns(x):
    """x as rows of columns, float64."""
    wide = np.asarray(x, dtype="float64")
    axis = {1: None, 3: 2}.get(wide.ndim, 1)  # the steps of a sequence have the columns
    return wide if axis is None else np.moveaxis(wide, axis, -1).reshape(-1, wide.shape[axis])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16"])
def test_standardized_columns_have_mean_0_and_deviation_1(shape, dtype):
    given = data(shape, dtype)
    normalizer = NormalizerStandardize().fit(given)
    expected = columns(given.features)
    np.testing.assert_allclose(np.asarray(normalizer.mean), expected.mean(0), rtol=1e-14)
    np.testing.assert_allclose(np.asarray(normalizer.std), expected.std(0), rtol=1e-12)
    found = normalizer.transform(given)
    assert found.features.dtype == (dtype if "float" in dtype else "float32")
    precise = {"float64": 1e-12, "float16": 2e-3}.get(dtype, 5e-5)
    wanted = (expected - expected.mean(0)) / expected.std(0)
    np.testing.assert_allclose(columns(found.features), wanted, atol=precise)
    assert found.labels is given.labels


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_columns_reach_from_the_least_to_the_greatest(shape):
    given = data(shape)
    normalizer = NormalizerMinMaxScaler(-2.0, 3.0).fit(given)
    expected = columns(given.features)
    assert np.array_equal(np.asarray(normalizer.min), expected.min(0))
    assert np.array_equal(np.asarray(normalizer.max), expected.max(0))
    found = columns(normalizer.transform(given).features)
    np.testing.assert_allclose(
        [found.min(0), found.max(0)], [-2.0 + 0 * found.min(0), 3.0 + 0 * found.max(0)], atol=1e-6
    )


@pytest.mark.parametrize("kind", FITTED)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_size_of_batches_makes_no_difference(kind, shape):
    given = data(shape)
    whole = json.loads(kind().fit(given).to_json())
    for batch in (1, 7, 59, 60):
        parts = json.loads(kind().fit(ArrayDataSetIterator(given.features, given.labels, batch, seed=1)).to_json())
        for name, value in whole["features"].items():
            np.testing.assert_allclose(parts["features"][name], value, rtol=1e-11)


@pytest.mark.parametrize("normalizer", [*[kind() for kind in FITTED], ImagePreProcessingScaler(-1.0, 1.0)], ids=repr)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_revert_undoes_transform(normalizer, shape):
    given = data(shape, "float64")
    normalizer.fit(given)
    found = normalizer.revert(normalizer.transform(given))
    np.testing.assert_allclose(np.asarray(found.features), np.asarray(given.features), rtol=1e-12)


@pytest.mark.parametrize("kind", FITTED)
def test_labels_are_left_alone_unless_asked_for(kind):
    given = data()
    plain, both = kind().fit(given), kind().fit_label().fit(given)
    assert plain.transform(given).labels is given.labels
    with pytest.raises(RuntimeError, match="labels"):
        _ = plain.label_mean if kind is NormalizerStandardize else plain.label_min
    scaled = both.transform(given)
    assert not np.array_equal(np.asarray(scaled.labels), np.asarray(given.labels))
    np.testing.assert_allclose(np.asarray(both.revert_labels(scaled.labels)), np.asarray(given.labels), rtol=1e-5)
    expected = np.asarray(given.labels, "float64")
    if kind is NormalizerStandardize:
        np.testing.assert_allclose(np.asarray(both.label_mean), expected.mean(0))
        np.testing.assert_allclose(np.asarray(both.label_std), expected.std(0))
    else:
        assert np.array_equal(np.asarray(both.label_min), expected.min(0))
        assert np.array_equal(np.asarray(both.label_max), expected.max(0))


def test_a_constant_column_becomes_0_or_the_least():
    constant = DataSet(nd.full((5, 2), 7.25), nd.zeros((5, 1)))
    standardize, scale = NormalizerStandardize().fit(constant), NormalizerMinMaxScaler(2.0, 4.0).fit(constant)
    assert np.all(np.asarray(standardize.transform(constant).features) == 0.0)
    assert np.asarray(standardize.std).tolist() == [1.0, 1.0]
    assert np.all(np.asarray(scale.transform(constant).features) == 2.0)
    assert np.all(np.asarray(scale.revert_features(scale.transform_features(constant.features))) == 7.25)


def test_pixels():
    pixels = nd.asarray(np.array([[0, 51, 255]], dtype="uint8"))
    found = ImagePreProcessingScaler().transform_features(pixels)
    assert found.dtype == "float32"
    assert np.array_equal(np.asarray(found), np.array([[0, 0.2, 1]], dtype="float32"))
    assert np.asarray(ImagePreProcessingScaler(-1, 1, 16).transform_features(nd.full(1, 65535))).tolist() == [1.0]


def test_as_pre_processor_also_when_read_ahead():
    given = data()
    iterator = ArrayDataSetIterator(given.features, given.labels, batch=16)
    normalizer = NormalizerStandardize().fit(iterator)
    iterator.pre_processor = normalizer
    wanted = np.asarray(normalizer.transform(given).features)
    for source in (iterator, AsyncDataSetIterator(iterator)):
        assert np.array_equal(np.concatenate([np.asarray(batch.features) for batch in source]), wanted)
    with pytest.raises(ValueError, match="pre_processor is this normalizer"):
        normalizer.fit(iterator)


def test_a_batch_is_normalized_in_one_pass():
    given = DataSet(nd.full((50_000, 8), 3.0, dtype="float32"), nd.zeros((50_000, 1)))
    normalizer = NormalizerStandardize().fit(given)
    before = nd.combine_statistics()
    normalizer.transform(given).features.block()
    after = nd.combine_statistics()
    assert after.queued - before.queued == 2
    assert after.launched - before.launched == 1


def test_what_was_given_stays_and_a_failed_fit_changes_nothing():
    given = data()
    kept = np.asarray(given.features).copy()
    normalizer = NormalizerStandardize().fit(given)
    mean = np.asarray(normalizer.mean).copy()
    normalizer.transform(given)
    assert np.array_equal(np.asarray(given.features), kept)
    broken = DataSet(nd.asarray(np.array([[1.0, np.nan, 0.0, np.inf]])), nd.zeros((1, 1)))
    with pytest.raises(ValueError, match=r"features hold nan or infinity, in columns \[1, 3\]"):
        normalizer.fit([given, broken])
    assert np.array_equal(np.asarray(normalizer.mean), mean)


def test_statistics_live_on_after_a_workspace():
    given = data()
    with nd.workspace("fit", nd.WorkspaceConfiguration()):
        normalizer = NormalizerStandardize().fit(given)
        inside = np.asarray(normalizer.transform(given).features).copy()
    assert np.array_equal(np.asarray(normalizer.transform(given).features), inside)


@pytest.mark.parametrize("kind", FITTED)
def test_mistakes_are_named(kind):
    given = data()
    with pytest.raises(RuntimeError, match=r"call fit\(training_data\) first"):
        kind().transform(given)
    with pytest.raises(ValueError, match="no examples"):
        kind().fit([])
    with pytest.raises(ValueError, match="no examples"):
        kind().fit(DataSet(nd.zeros((0, 3)), nd.zeros((0, 1))))
    with pytest.raises(ValueError, match=r"columns \(5,\)"):
        kind().fit([given, data((10, 5))])
    with pytest.raises(ValueError, match=r"columns \(5,\), but \(4,\) were fitted"):
        kind().fit(given).transform_features(nd.zeros((2, 5)))
    with pytest.raises(TypeError, match="real numbers, given complex64"):
        kind().fit(DataSet(nd.zeros((2, 2), dtype="complex64"), nd.zeros((2, 1))))
    with pytest.raises(TypeError, match="real numbers, given bool"):
        kind().fit(DataSet(nd.zeros((2, 2), dtype="bool"), nd.zeros((2, 1))))


def test_bad_settings_are_named():
    for made in (NormalizerMinMaxScaler, ImagePreProcessingScaler):
        for low, high in ((1, 1), (2, 1), (0, float("inf")), (float("nan"), 1)):
            with pytest.raises(ValueError, match="below max_range"):
                made(low, high)
    for bits in (0, 33, 8.0, True):
        with pytest.raises(ValueError, match="from 1 to 32 bits"):
            ImagePreProcessingScaler(max_bits=bits)


def fitted():
    given = data((60, 3, 2))
    return [
        NormalizerStandardize().fit(given),
        NormalizerStandardize().fit_label().fit(given),
        NormalizerMinMaxScaler(-1, 2).fit_label().fit(given),
        ImagePreProcessingScaler(0.5, 1, 12),
        NormalizerStandardize(),
    ]


@pytest.mark.parametrize("number", range(5))
def test_files_give_an_equal_normalizer(number, tmp_path):
    normalizer = fitted()[number]
    normalizer.save(tmp_path / "n.json")
    for found in (Normalizer.load(tmp_path / "n.json"), type(normalizer).load(tmp_path / "n.json")):
        assert type(found) is type(normalizer)
        assert found.to_json() == normalizer.to_json()
    other = NormalizerMinMaxScaler if number != 2 else NormalizerStandardize
    with pytest.raises(TypeError, match="describes a"):
        other.load(tmp_path / "n.json")


def test_damaged_descriptions_are_refused(tmp_path):
    good = json.loads(fitted()[0].to_json())
    damaged = [
        "", "[]", "{", "null", json.dumps(good | {"type": "PICKLE"}), json.dumps(good | {"settings": {"x": 1}}),
        json.dumps(good | {"features": {"n": 1}}), json.dumps(good | {"features": good["features"] | {"n": 0}}),
        json.dumps(good | {"features": good["features"] | {"n": 1.5}}),
        json.dumps(good | {"features": good["features"] | {"mean": [1.0]}}),
        json.dumps(good | {"features": good["features"] | {"mean": "abc"}}),
        json.dumps(good | {"features": good["features"] | {"squares": [-1.0, 0.0, 0.0]}}),
        json.dumps(good | {"features": good["features"] | {"squares": [float("nan"), 0.0, 0.0]}}),
    ]  # fmt: skip
    for text in damaged:
        (tmp_path / "n.json").write_text(text)
        with pytest.raises(ValueError, match="no normalizer"):
            Normalizer.load(tmp_path / "n.json")
    (tmp_path / "n.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="damaged"):
        Normalizer.load(tmp_path / "n.json")
    with pytest.raises(FileNotFoundError):
        Normalizer.load(tmp_path / "none.json")


def test_a_model_file_holds_its_normalizer(tmp_path):
    given = data()
    network = MultiLayerNetwork([OutputLayer(2)], input_type=InputType.feed_forward(4))
    normalizer = NormalizerStandardize().fit(given)
    save(network, tmp_path / "model.zip", normalizer=normalizer)
    assert load_normalizer(tmp_path / "model.zip").to_json() == normalizer.to_json()
    assert np.array_equal(np.asarray(load(tmp_path / "model.zip").params()), np.asarray(network.params()))
    save(network, tmp_path / "model.zip")
    with pytest.raises(ValueError, match="has no normalizer"):
        load_normalizer(tmp_path / "model.zip")


@pytest.mark.parametrize("kind", FITTED)
def test_masked_steps_count_in_no_statistics_and_become_0(kind):
    steps = np.random.default_rng(3).normal(5.0, 2.0, (4, 6, 3))
    mask = (np.arange(6) < np.asarray([6, 2, 4, 1])[:, None]).astype("float32")
    padded = np.where(mask[..., None] != 0, steps, 1e6)
    given = DataSet(nd.asarray(padded), nd.zeros((4, 2)), nd.asarray(mask))
    normalizer = kind().fit(given)
    there = DataSet(nd.asarray(steps[mask != 0]), nd.zeros((13, 2)))
    expected = kind().fit(there).transform(there)
    found = normalizer.transform(given)
    np.testing.assert_allclose(np.asarray(found.features)[mask != 0], np.asarray(expected.features), atol=1e-12)
    assert np.all(np.asarray(found.features)[mask == 0] == 0)
    assert found.features_mask is given.features_mask
    reverted = normalizer.revert(found)
    np.testing.assert_allclose(np.asarray(reverted.features)[mask != 0], steps[mask != 0], atol=1e-12)
    assert reverted.features_mask is given.features_mask


def test_masked_examples_count_in_no_statistics_of_labels():
    labels = np.asarray([[1.0], [3.0], [999.0]])
    for shape in [(3,), (3, 1)]:
        mask = nd.asarray([1.0, 1.0, 0.0]).reshape(shape)
        given = DataSet(nd.ones((3, 2)), nd.asarray(labels), labels_mask=mask)
        normalizer = NormalizerStandardize().fit_label().fit(given)
        assert normalizer.label_mean.tolist() == [2.0]
        assert normalizer.transform(given).labels.tolist() == [[-1.0], [1.0], [0.0]]


def test_masks_of_elements_are_refused_by_fit():
    given = DataSet(nd.ones((3, 2)), nd.ones((3, 2)), labels_mask=nd.ones((3, 2)))
    with pytest.raises(ValueError, match=r"labels_mask \(3, 2\) is of single elements"):
        NormalizerStandardize().fit_label().fit(given)


@pytest.mark.parametrize("kind", [NormalizerStandardize, NormalizerMinMaxScaler])
def test_arrays_and_pairs_are_measured_like_data_sets(kind):
    x, y = np.arange(12).reshape(6, 2), np.ones((6, 1))
    expected = kind().fit(DataSet(x, y)).to_json()
    for given in (x, nd.asarray(x), (x, y), [(x[:4], y[:4]), (x[4:], y[4:])]):
        assert kind().fit(given).to_json() == expected
    with pytest.raises(TypeError, match="fit_label.. asked for labels too, given features alone"):
        kind().fit_label().fit(x)
    for name in ("transform", "revert"):
        with pytest.raises(TypeError, match=f"{name}: a DataSet is needed, given an array; {name}_features takes"):
            getattr(kind().fit(x), name)(x)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_images_less_the_mean_colour(dtype, tmp_path):
    images = np.random.default_rng(1).integers(0, 255, (2, 3, 4, 5)).astype(dtype)
    scaler = VGG16ImagePreProcessor()
    found = scaler.transform(DataSet(images, nd.ones((2, 1))))
    expected = images - np.reshape([123.68, 116.779, 103.939], (3, 1, 1))
    assert str(found.features.dtype) == ("float64" if dtype == "float64" else "float32")
    assert np.allclose(np.asarray(found.features), expected, atol=1e-4)
    assert np.allclose(np.asarray(scaler.revert(found).features), images, atol=1e-4)
    scaler.save(tmp_path / "scaler.json")
    again = Normalizer.load(tmp_path / "scaler.json")
    assert isinstance(again, VGG16ImagePreProcessor)
    assert scaler.fit(found) is scaler
    for wrong in (images[:, :1], images[0], images.astype("bool")):
        with pytest.raises(ValueError, match=r"must be numbers \(n, 3, height, width\)"):
            scaler.transform_features(nd.asarray(wrong))
