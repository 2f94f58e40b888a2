"""Preprocessors of data sets against NumPy and definitions; their files; their place among normalizers and networks."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train

KINDS = {
    "gray": data.RGBtoGrayscaleDataSetPreProcessor,
    "permuted": lambda: data.PermuteDataSetPreProcessor((2, 1, 3)),
    "cropped": lambda: data.CropAndResizeDataSetPreProcessor(1, 2, 3, 4, 6, 2, method="nearest"),
    "last": data.LabelLastTimeStepPreProcessor,
    "balanced": lambda: data.UnderSamplingByMaskingPreProcessor(0.4, 3, minority=0, mask_minority=False, seed=5),
}


def pixels(shape=(2, 3, 7, 9), dtype="float64"):
    return np.random.default_rng(1).integers(0, 255, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_gray_images(dtype):
    images = pixels(dtype=dtype)
    found = data.RGBtoGrayscaleDataSetPreProcessor()(data.DataSet(images, nd.ones((2, 1))))
    assert str(found.features.dtype) == ("float64" if dtype == "float64" else "float32")
    assert np.allclose(np.asarray(found.features), np.tensordot([0.3, 0.59, 0.11], images, (0, 1))[:, None], rtol=1e-5)
    for wrong in (images[:, :2], images[0], images != 0):
        with pytest.raises(ValueError, match=r"must be numbers \(n, 3, height, width\)"):
            data.RGBtoGrayscaleDataSetPreProcessor().transform_features(wrong)


@pytest.mark.parametrize(
    "order, axes", [("NCHW_TO_NHWC", (0, 2, 3, 1)), ("NHWC_TO_NCHW", (0, 3, 1, 2)), ((3, 1, 2), (0, 3, 1, 2))]
)
def test_axes_in_another_order(order, axes):
    images = pixels()
    found = data.PermuteDataSetPreProcessor(order).transform_features(images)
    assert np.array_equal(np.asarray(found), images.transpose(axes))
    with pytest.raises(ValueError, match="features must have 4 axes, given"):
        data.PermuteDataSetPreProcessor(order).transform_features(images[0])


@pytest.mark.parametrize("order", ["NCWH", (), (0, 1), (1, 1), (2, 3)])
def test_orders_that_are_none(order):
    with pytest.raises(ValueError, match="order must be one of NCHW_TO_NHWC, NHWC_TO_NCHW, or axes from 1"):
        data.PermuteDataSetPreProcessor(order)


def resized(line, n_out, method):
    """A line of numbers in another length, by the definition of each pixel."""
    n_in, found = len(line), []
    for i in range(n_out):
        centre = (i + 0.5) * n_in / n_out
        if method == "nearest":
            found.append(line[int(centre)])
        else:
            at = min(max(centre - 0.5, 0), n_in - 1)
            low = min(int(at), n_in - 1)
            high = min(low + 1, n_in - 1)
            found.append(line[low] * (1 - (at - low)) + line[high] * (at - low))
    return np.array(found)


@pytest.mark.parametrize("method", ["bilinear", "nearest"])
@pytest.mark.parametrize("part", [(0, 0, 7, 9), (1, 2, 5, 6), (6, 0, 1, 9)])
@pytest.mark.parametrize("size", [(None, None), (3, None), (10, 11), (1, 2)])
def test_parts_in_other_sizes(method, part, size):
    images = pixels((2, 2, 7, 9))
    top, left, height, width = part
    found = data.CropAndResizeDataSetPreProcessor(*part, *size, method=method).transform_features(images)
    expected = images[:, :, top : top + height, left : left + width]
    for axis, n_out in ((2, size[0]), (3, size[1])):
        if n_out is not None:
            expected = np.apply_along_axis(resized, axis, expected, n_out, method)
    assert np.allclose(np.asarray(found), expected)


def test_parts_that_images_do_not_have():
    with pytest.raises(ValueError, match="images must have 4 x 6 pixels at least, given"):
        data.CropAndResizeDataSetPreProcessor(1, 2, 3, 4).transform_features(pixels((1, 3, 4, 5)))
    with pytest.raises(ValueError, match="method must be one of bilinear, nearest"):
        data.CropAndResizeDataSetPreProcessor(0, 0, 1, 1, method="cubic")


def test_labels_of_last_steps():
    labels = np.random.default_rng(2).normal(size=(4, 5, 3))
    features = np.zeros((4, 5, 1))
    last = data.LabelLastTimeStepPreProcessor()
    found = last.transform(data.DataSet(features, labels, np.ones((4, 5))))
    assert np.array_equal(np.asarray(found.labels), labels[:, -1])
    assert found.labels_mask is None
    assert found.features_mask.shape == (4, 5)
    lengths = [5, 1, 3, 2]
    mask = (np.arange(5) < np.array(lengths)[:, None]).astype("float32")
    found = last.transform(data.DataSet(features, labels, labels_mask=mask))
    assert np.array_equal(np.asarray(found.labels), np.stack([labels[i, n - 1] for i, n in enumerate(lengths)]))
    assert found.labels_mask is None
    with pytest.raises(ValueError, match="labels must be of sequences"):
        last.transform(data.DataSet(features, labels[:, 0]))
    with pytest.raises(ValueError, match=r"a mask of steps must be \(4, 5\), given \(4, 1\)"):
        last.transform(data.DataSet(features, labels, labels_mask=mask[:, :1]))


def sequences(share=0.1, n=400, length=30, columns=1, seed=3):
    rare = np.random.default_rng(seed).random((n, length)) < share
    labels = rare[:, :, None] if columns == 1 else np.stack([~rare, rare], axis=2)
    return rare, data.DataSet(np.zeros((n, length, 1)), labels.astype("float32"))


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("minority", [1, 0])
@pytest.mark.parametrize("target", [0.2, 0.5])
def test_the_rare_class_has_its_share(columns, minority, target):
    rare, batch = sequences(columns=columns)
    if minority == 0:
        batch = data.DataSet(batch.features, 1 - batch.labels)
    balance = data.UnderSamplingByMaskingPreProcessor(target, 10, minority=minority)
    mask = np.asarray(balance(batch).labels_mask) != 0
    assert mask[rare].all()
    windows = rare.reshape(-1, 10).any(1)
    assert not mask.reshape(-1, 10)[~windows].any()
    kept = mask.reshape(-1, 10)[windows].sum(), rare.sum()
    n_few = rare.reshape(-1, 10)[windows].sum(1)
    expected = np.minimum(n_few * (1 - target) / target, 10 - n_few).sum() + n_few.sum()
    assert kept[0] == pytest.approx(expected, rel=0.05)
    assert np.array_equal(np.asarray(balance(batch).labels_mask) != 0, mask)
    other = data.UnderSamplingByMaskingPreProcessor(target, 10, minority=minority, seed=1)
    assert not np.array_equal(np.asarray(other(batch).labels_mask) != 0, mask)


def test_windows_that_stay_and_those_of_one_class():
    rare, batch = sequences(length=25)
    mask = np.asarray(data.UnderSamplingByMaskingPreProcessor(0.3, 10, mask_minority=False)(batch).labels_mask) != 0
    for window in (slice(0, 5), slice(5, 15), slice(15, 25)):  # from the end on
        assert np.array_equal(mask[:, window].all(1), rare[:, window].any(1))
    mask = np.asarray(data.UnderSamplingByMaskingPreProcessor(0.3, 25, mask_all_majority=False)(batch).labels_mask)
    without = mask[~rare.any(1)]
    assert without.mean() == pytest.approx(0.7, abs=0.05)


def test_steps_that_are_masked_stay_so():
    rare, batch = sequences(n=50)
    present = np.random.default_rng(8).random(rare.shape) < 0.5
    for masks in ((None, present), (present, None), (np.ones_like(rare), present)):
        masks = [None if mask is None else mask.astype("float32") for mask in masks]
        given = data.DataSet(batch.features, batch.labels, *masks)
        mask = np.asarray(data.UnderSamplingByMaskingPreProcessor(0.5, 30)(given).labels_mask) != 0
        assert not mask[~present].any()
        assert mask[rare & present].all()


@pytest.mark.parametrize("wrong", [0, 0.6, -1])
def test_shares_that_are_none(wrong):
    with pytest.raises(ValueError, match="target must be above 0 and at most 0.5"):
        data.UnderSamplingByMaskingPreProcessor(wrong, 3)
    with pytest.raises(ValueError, match=r"labels must be \(n, length, 1\), or \(n, length, 2\)"):
        data.UnderSamplingByMaskingPreProcessor(0.5, 3)(data.DataSet(np.ones((1, 2, 1)), np.ones((1, 2, 3))))


@pytest.mark.parametrize("kind", KINDS)
def test_files(kind, tmp_path):
    made = KINDS[kind]()
    made.save(tmp_path / "made.json")
    again = data.DataSetPreProcessor.load(tmp_path / "made.json")
    assert type(again) is type(made)
    assert repr(again) == repr(made)
    assert again.to_json() == made.to_json()
    with pytest.raises(TypeError, match="read it with that class"):
        data.Normalizer.from_json(made.to_json())
    with pytest.raises(TypeError, match="a DataSet is needed, given an array"):
        made.transform(nd.ones((2, 3, 7, 9)))


def test_among_normalizers_and_with_a_network(tmp_path):
    images = data.DataSet(pixels((20, 7, 9, 3)), nd.one_hot([0, 1] * 10, 2))
    steps = [
        data.PermuteDataSetPreProcessor(), data.CropAndResizeDataSetPreProcessor(0, 1, 7, 7, 4, 4),
        data.RGBtoGrayscaleDataSetPreProcessor(), data.NormalizerStandardize(),
    ]  # fmt: skip
    together = data.CompositeNormalizer(steps).fit(images)
    found = together.transform(images)
    assert found.features.shape == (20, 1, 4, 4)
    assert np.allclose([nd.mean(found.features), nd.std(found.features)], [0, 1], atol=1e-6)
    assert np.array_equal(np.asarray(together.transform_features(images.features)), np.asarray(found.features))
    with pytest.raises(ValueError, match="no way back from the features that RGBtoGrayscaleDataSetPreProcessor"):
        together.revert(found)
    assert together.revert_labels(found.labels) is found.labels
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.convolutional(4, 4, 1))
    batches = data.ViewDataSetIterator(images, 5)
    batches.pre_processor = together
    net.fit(batches)
    for made in (together, steps[0]):
        train.save(net, tmp_path / "net.zip", normalizer=made)
        assert repr(train.load_normalizer(tmp_path / "net.zip")) == repr(made)
