"""MnistDataSetIterator on small files of the real format, and scikit-learn's digits in the same form."""

import gzip
import struct

import numpy as np
import pytest

import nd4py as nd
from nd4py.data import DigitsDataSetIterator, MnistDataSetIterator
from nd4py.data.digits import enlarge, load_digit_images

N_TRAIN, N_TEST = 25, 10


def idx(array):
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()


def write_mnist(folder, separator="-", compress=bytes, ending=""):
    rng = np.random.default_rng(0)
    content = {}
    for prefix, n in (("train", N_TRAIN), ("t10k", N_TEST)):
        images, labels = rng.integers(0, 256, (n, 28, 28), "uint8"), np.arange(n, dtype="uint8") % 10
        images[:, 0, 0] = np.arange(n)
        (folder / f"{prefix}-images{separator}idx3-ubyte{ending}").write_bytes(compress(idx(images)))
        (folder / f"{prefix}-labels{separator}idx1-ubyte{ending}").write_bytes(compress(idx(labels)))
        content[prefix] = images, labels
    return content


def joined(iterator):
    batches = list(iterator)
    parts = zip(*[(np.asarray(batch.features), np.asarray(batch.labels)) for batch in batches], strict=True)
    return [np.concatenate(part) for part in parts]


@pytest.mark.parametrize("separator", ["-", "."])
@pytest.mark.parametrize("compress, ending", [(bytes, ""), (gzip.compress, ".gz")], ids=["plain", "gzip"])
def test_reads_the_published_names(tmp_path, separator, compress, ending):
    images, labels = write_mnist(tmp_path, separator, compress, ending)["t10k"]
    features, one_hot = joined(MnistDataSetIterator(4, train=False, seed=None, folder=tmp_path))
    assert features.dtype == one_hot.dtype == np.float32
    np.testing.assert_allclose(features, images.reshape(N_TEST, 784) / 255, rtol=1e-6)
    assert np.array_equal(one_hot, np.eye(10)[labels])


def test_shuffled_by_the_seed_with_a_smaller_last_batch(tmp_path):
    _, labels = write_mnist(tmp_path)["train"]
    iterator = MnistDataSetIterator(10, True, 12345, folder=tmp_path)
    assert [len(batch) for batch in iterator] == [10, 10, 5]
    assert (len(iterator), iterator.num_examples(), iterator.batch_size) == (3, N_TRAIN, 10)
    features, one_hot = joined(iterator)
    order = np.rint(features[:, 0] * 255).astype(int)
    assert sorted(order) == list(range(N_TRAIN)) != order.tolist()
    assert np.array_equal(one_hot.argmax(1), labels[order])
    again = MnistDataSetIterator(10, True, 12345, folder=tmp_path)
    list(again)
    assert np.array_equal(joined(again)[0], features)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(
        FileNotFoundError, match="nowhere does not exist.*train-images-idx3-ubyte, .*ubyte.gz; get .* http"
    ):
        MnistDataSetIterator(8, True, folder=tmp_path / "nowhere")
    write_mnist(tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte").unlink()
    with pytest.raises(FileNotFoundError, match="has none of t10k-labels-idx1-ubyte, .*t10k-labels.idx1-ubyte.gz"):
        MnistDataSetIterator(8, False, folder=tmp_path)


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("train-labels-idx1-ubyte", idx(np.zeros(24, "uint8")), "expected 25 labels.*found 24"),
        ("train-labels-idx1-ubyte", idx(np.full(25, 10, "uint8")), "labels from 0 to 9, found 10"),
        ("train-labels-idx1-ubyte", idx(np.zeros((25, 1), "uint8")), r"shape \(n,\), found uint8 \(25, 1\)"),
        ("train-images-idx3-ubyte", idx(np.zeros((25, 28, 27), "uint8")), r"\(n, 28, 28\), found uint8 \(25, 28, 27\)"),
        ("train-images-idx3-ubyte", idx(np.zeros((25, 784), "uint8")), r"\(n, 28, 28\), found uint8 \(25, 784\)"),
        ("train-images-idx3-ubyte", idx(np.zeros((0, 28, 28), "uint8")), "expected 0 labels|at least one image"),
    ],
)
def test_files_that_do_not_fit_together(tmp_path, name, content, message):
    write_mnist(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        MnistDataSetIterator(8, True, folder=tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_digits_have_the_form_of_mnist():
    pytest.importorskip("sklearn")
    train, test = DigitsDataSetIterator(100, True, seed=1), DigitsDataSetIterator(100, False, seed=1)
    assert (train.num_examples(), test.num_examples()) == (1437, 360)
    features, labels = joined(train)
    assert features.shape == (1437, 784)
    assert features.dtype == labels.dtype == np.float32
    assert features.min() == 0.0
    assert 0.9 < features.max() <= 1.0
    assert np.array_equal(labels.sum(1), np.ones(1437))


def test_no_digit_is_in_both_parts_whatever_the_seeds():
    pytest.importorskip("sklearn")
    rows = [joined(DigitsDataSetIterator(500, train, seed))[0] for train, seed in ((True, 1), (False, 2))]
    everything = np.concatenate([*rows])
    assert np.array_equal(np.unique(everything, axis=0), np.unique(np.asarray(load_digit_images().features), axis=0))
    assert len(everything) == 1797


def test_enlarging_is_bilinear():
    ramp = np.add.outer(np.arange(8.0), 10 * np.arange(8.0))
    images = np.stack([ramp, np.ones((8, 8)), np.random.default_rng(0).random((8, 8))])
    centres = np.clip((np.arange(28) + 0.5) * 8 / 28 - 0.5, 0, 7)
    expected = []
    for image in images:
        rows = np.stack([np.interp(centres, np.arange(8), column) for column in image.T], axis=1)
        expected.append(np.stack([np.interp(centres, np.arange(8), row) for row in rows]))
    np.testing.assert_allclose(np.asarray(enlarge(nd.asarray(images), 28)), expected, atol=1e-12)
