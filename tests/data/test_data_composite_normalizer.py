"""Normalizers one after another: the same as each by itself, back again, and files."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train

KINDS = {
    "standardize": data.NormalizerStandardize,
    "min max": lambda: data.NormalizerMinMaxScaler(-1.0, 3.0),
    "pixels": lambda: data.ImagePreProcessingScaler(0.0, 2.0),
    "labels": lambda: data.NormalizerStandardize().fit_label(),
}
ORDERS = [("standardize",), ("pixels", "standardize"), ("min max", "labels"), ("labels", "min max", "standardize")]


def examples(shape=(40, 3)):
    rng = np.random.default_rng(2)
    x = rng.normal(100, 40, shape)
    masks = (np.arange(shape[1]) < rng.integers(1, shape[1] + 1, (shape[0], 1))).astype("float32")
    return data.DataSet(x, rng.normal(5, 2, (shape[0], 2)), masks if len(shape) == 3 else None)


@pytest.mark.parametrize("shape", [(40, 3), (40, 3, 4, 4), (40, 6, 3)])
@pytest.mark.parametrize("order", ORDERS)
def test_steps_follow_each_other_and_go_back(order, shape, tmp_path):
    dataset = examples(shape)
    together = data.CompositeNormalizer([KINDS[name]() for name in order])
    assert together.fit(dataset) is together
    expected = dataset
    for name in order:
        expected = KINDS[name]().fit(expected).transform(expected)
    found = together.transform(dataset)
    present = np.ones(dataset.features.shape)
    if dataset.features_mask is not None:
        present = np.broadcast_to(np.asarray(dataset.features_mask)[:, :, None], dataset.features.shape)
    assert np.allclose(np.asarray(found.features) * present, np.asarray(expected.features) * present)
    assert np.allclose(np.asarray(found.labels), np.asarray(expected.labels))
    back = together.revert(found)
    assert np.allclose(np.asarray(back.features) * present, np.asarray(dataset.features) * present)
    assert np.allclose(np.asarray(back.labels), np.asarray(dataset.labels))
    together.save(tmp_path / "together.json")
    again = data.Normalizer.load(tmp_path / "together.json")
    assert repr(again) == repr(together)
    assert np.array_equal(np.asarray(again.transform(dataset).features), np.asarray(found.features))


@pytest.mark.parametrize("order", ORDERS)
def test_any_batching_and_form_is_the_same(order):
    dataset = examples()
    texts = []
    for form in (
        dataset,
        (dataset.features, dataset.labels),
        data.ViewDataSetIterator(dataset, 7),
        dataset.batch_by(3),
    ):
        texts.append(data.CompositeNormalizer([KINDS[name]() for name in order]).fit(form))
    for other in texts[1:]:
        for one, two in zip(texts[0].steps, other.steps, strict=True):
            assert np.allclose(
                np.asarray(one.transform_features(dataset.features)),
                np.asarray(two.transform_features(dataset.features)),
            )
    if "labels" not in order:
        alone = data.CompositeNormalizer([KINDS[name]() for name in order]).fit(dataset.features)
        assert np.allclose(
            np.asarray(alone.transform_features(dataset.features)), np.asarray(texts[0].transform(dataset).features)
        )


def test_it_goes_into_the_file_of_a_network(tmp_path):
    dataset = examples()
    normalizer = data.CompositeNormalizer([KINDS["pixels"](), KINDS["standardize"]()]).fit(dataset)
    batches = data.ViewDataSetIterator(dataset, 8)
    batches.pre_processor = normalizer
    assert abs(float(nd.mean(data.DataSet.merge(list(batches)).features))) < 1e-6
    with pytest.raises(ValueError, match="normalized already"):
        normalizer.fit(batches)
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
    train.save(net, tmp_path / "net.zip", normalizer=normalizer)
    found = train.load_normalizer(tmp_path / "net.zip")
    assert np.array_equal(
        np.asarray(found.transform(dataset).features), np.asarray(normalizer.transform(dataset).features)
    )


def test_wrong_steps_are_refused():
    one = data.NormalizerStandardize()
    for steps, error in (([], ValueError), ([one, one], ValueError), ([3], TypeError), (3, TypeError)):
        with pytest.raises(error, match="CompositeNormalizer"):
            data.CompositeNormalizer(steps)
    with pytest.raises(TypeError, match="given a MultiNormalizer"):
        data.CompositeNormalizer([data.MultiNormalizer([one])])
    with pytest.raises(AttributeError, match="call fit"):
        data.CompositeNormalizer([one]).transform_features(nd.ones((2, 2)))
    with pytest.raises(ValueError, match="describes no normalizer"):
        data.Normalizer.from_json('{"type": "COMPOSITE", "settings": {}, "steps": [{"type": "NONE"}]}')
