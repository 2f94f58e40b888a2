"""Augmentation by seed alone, and readers of published images from files made here."""

import gzip
import json
import struct

import numpy as np
import pytest

import nd4py as nd
from nd4py import data


def images(n=6, size=8, dtype="float32"):
    x = np.random.default_rng(0).uniform(1, 2, (n, 3, size, size)).astype(dtype)
    return data.DataSet(nd.asarray(x), nd.one_hot([i % 2 for i in range(n)], 2))


def changed(seed=1, n=6, **settings):
    return np.asarray(data.Augmentation(**settings).applied(images(n), seed).features)


def test_a_seed_draws_the_same_changes():
    settings = {"crop": 2, "flip": True, "rotate": 20, "brightness": 0.2, "contrast": 0.2, "cutout": 3, "mixup": 0.4}
    assert np.array_equal(changed(**settings), changed(**settings))
    assert not np.array_equal(changed(**settings), changed(seed=2, **settings))
    assert np.array_equal(changed(), np.asarray(images().features))


def test_a_flipped_image_is_the_image_or_its_mirror():
    given = np.asarray(images(40).features)
    for settings, axis in (({"flip": True}, 3), ({"flip_vertical": True}, 2)):
        found = changed(n=40, **settings)
        is_same = [np.array_equal(a, b) for a, b in zip(found, given, strict=True)]
        is_mirror = [np.array_equal(a, np.flip(b, axis - 1)) for a, b in zip(found, given, strict=True)]
        assert all(a != b for a, b in zip(is_same, is_mirror, strict=True))
        assert 5 < sum(is_same) < 35


def test_a_crop_is_the_image_moved_with_zeros_around():
    given = np.pad(np.asarray(images(30).features), ((0, 0), (0, 0), (2, 2), (2, 2)))
    places = set()
    for image, padded in zip(changed(n=30, crop=2), given, strict=True):
        fits = [(i, j) for i in range(5) for j in range(5) if np.array_equal(image, padded[:, i : i + 8, j : j + 8])]
        assert len(fits) == 1
        places |= set(fits)
    assert len(places) > 8


def test_a_rotation_keeps_pixels_and_turns_them():
    x = np.zeros((1, 1, 9, 9), "float32")
    x[0, 0, 4, 4:] = [5, 1, 2, 3, 4]
    turned = np.asarray(data.Augmentation(rotate=90).applied(data.DataSet(x, x), seed=3).features)
    assert turned[0, 0, 4, 4] == 5
    assert set(np.unique(turned)) <= {0, 1, 2, 3, 4, 5}
    assert not np.array_equal(turned, x)


def test_light_changes_all_pixels_of_an_image_alike():
    given = np.asarray(images().features, dtype="float64")
    brighter = changed(brightness=0.5) - given
    assert np.allclose(brighter, brighter[:, :1, :1, :1], atol=1e-5)
    assert np.all(np.abs(brighter) <= 0.5 * given.max() + 1e-5)
    contrast = changed(contrast=0.5)
    mean = given.mean((1, 2, 3), keepdims=True)
    factors = (contrast - mean) / (given - mean)
    assert np.allclose(factors, np.median(factors, axis=(1, 2, 3), keepdims=True), atol=1e-3)
    assert np.all(np.abs(factors - 1) < 0.501)


def test_a_hole_is_a_square_in_all_channels():
    for image in changed(n=30, cutout=4):
        hole = image == 0
        assert np.array_equal(hole[0], hole[2])
        rows, columns = hole[0].any(1).nonzero()[0], hole[0].any(0).nonzero()[0]
        assert 1 <= len(rows) <= 4
        assert hole[0].sum() == len(rows) * len(columns)


def test_mixed_images_have_labels_mixed_by_the_same_shares():
    n = 12
    x = np.eye(n, dtype="float32").reshape(n, 1, 1, n)
    found = data.Augmentation(mixup=1.0).applied(data.DataSet(x, np.eye(n, dtype="float32")), seed=5)
    assert np.array_equal(np.asarray(found.features).reshape(n, n), np.asarray(found.labels))
    assert np.allclose(np.asarray(found.labels).sum(1), 1)
    assert np.any((np.asarray(found.labels) > 0.1) & (np.asarray(found.labels) < 0.9))


def test_wrong_augmentations_are_refused():
    for settings in ({"crop": -1}, {"rotate": -1.0}, {"mixup": float("nan")}):
        with pytest.raises(ValueError, match="Augmentation"):
            data.Augmentation(**settings)
    with pytest.raises(TypeError, match="Augmentation: flip must be a bool, given"):
        data.Augmentation(flip="yes")
    with pytest.raises(ValueError, match=r"\(n, channels, height, width\)"):
        data.Augmentation(flip=True).applied(data.DataSet(nd.ones((2, 3)), nd.ones((2, 1))), 1)


def iterator(n_threads, change=None):
    base = data.ViewDataSetIterator(images(22), 4, seed=9)
    change = data.Augmentation(crop=2, flip=True, mixup=0.3) if change is None else change
    return data.AugmentingDataSetIterator(base, change, seed=7, n_threads=n_threads)


def pixels(batches):
    return [np.asarray(batch.features).tobytes() for batch in batches]


def test_any_number_of_threads_prepares_the_same_batches():
    one = iterator(0)
    expected = [pixels(one) for _ in range(3)]
    assert len({batch for each in expected for batch in each}) == 18
    for n_threads in (1, 2, 5):
        again = iterator(n_threads)
        assert [pixels(again) for _ in range(3)] == expected


@pytest.mark.parametrize("n_threads", [0, 3])
def test_augmentation_goes_on_from_a_state(n_threads):
    whole = iterator(0)
    expected = [pixels(whole) for _ in range(3)]
    left = iterator(n_threads)
    pixels(left)
    one_pass = iter(left)
    next(one_pass), next(one_pass)
    resumed = iterator(2)
    resumed.set_state(json.loads(json.dumps(left.state())))
    one_pass.close()
    assert pixels(resumed) == expected[1][2:]
    assert pixels(resumed) == expected[2]


@pytest.mark.parametrize("n_threads", [0, 2])
def test_an_error_of_a_change_is_raised_in_the_loop(n_threads):
    def wrong(batch, seed):
        raise ArithmeticError("no such change")

    with pytest.raises(ArithmeticError, match="no such change"):
        list(iterator(n_threads, wrong))


def cifar(folder, names, n_labels, n=7):
    random = np.random.default_rng(4)
    rows = {name: random.integers(0, 10, (n, n_labels + 3072)).astype("uint8") for name in names}
    for name, found in rows.items():
        (folder / name).write_bytes(found.tobytes())
    return np.concatenate(list(rows.values()))


def test_cifar_files_are_planes_of_colours(tmp_path):
    rows = cifar(tmp_path, [f"data_batch_{i}.bin" for i in range(1, 6)], 1)
    found = list(data.CifarDataSetIterator(10, train=True, seed=None, folder=tmp_path))
    assert [len(batch) for batch in found] == [10, 10, 10, 5]
    merged = data.DataSet.merge(found)
    assert np.allclose(np.asarray(merged.features), rows[:, 1:].reshape(-1, 3, 32, 32) / 255, atol=1e-7)
    assert np.argmax(np.asarray(merged.labels), 1).tolist() == rows[:, 0].tolist()
    rows = cifar(tmp_path, ["test.bin"], 2)
    fine = next(iter(data.CifarDataSetIterator(7, train=False, seed=None, folder=tmp_path, n_classes=100)))
    assert np.argmax(np.asarray(fine.labels), 1).tolist() == rows[:, 1].tolist()
    with pytest.raises(FileNotFoundError, match=r"test_batch\.bin in .*cs\.toronto\.edu"):
        data.CifarDataSetIterator(7, train=False, folder=tmp_path)
    (tmp_path / "test_batch.bin").write_bytes(b"short")
    with pytest.raises(ValueError, match=r"test_batch\.bin: 5 bytes"):
        data.CifarDataSetIterator(7, train=False, folder=tmp_path)


def write_idx(path, array):
    header = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
    path.write_bytes(gzip.compress(header + array.tobytes()) if path.suffix == ".gz" else header + array.tobytes())


def test_letters_stand_upright_and_count_from_0(tmp_path):
    x = np.random.default_rng(1).integers(0, 256, (5, 28, 28)).astype("uint8")
    write_idx(tmp_path / "emnist-letters-train-images-idx3-ubyte.gz", x)
    write_idx(tmp_path / "emnist-letters-train-labels-idx1-ubyte", np.asarray([1, 26, 3, 4, 5], "uint8"))
    batch = next(iter(data.EmnistDataSetIterator(5, True, None, kind="letters", folder=tmp_path)))
    assert np.allclose(np.asarray(batch.features).reshape(5, 28, 28), x.transpose(0, 2, 1) / 255, atol=1e-7)
    assert np.argmax(np.asarray(batch.labels), 1).tolist() == [0, 25, 2, 3, 4]
    with pytest.raises(FileNotFoundError, match=r"emnist-digits-test-images.*nist\.gov"):
        data.EmnistDataSetIterator(5, False, kind="digits", folder=tmp_path)
    with pytest.raises(ValueError, match="kind"):
        data.EmnistDataSetIterator(5, False, kind="runes", folder=tmp_path)


def test_fashion_is_read_as_mnist_and_resumes(tmp_path):
    x = np.random.default_rng(1).integers(0, 256, (9, 28, 28)).astype("uint8")
    write_idx(tmp_path / "t10k-images-idx3-ubyte", x)
    write_idx(tmp_path / "t10k-labels-idx1-ubyte.gz", np.arange(9, dtype="uint8"))
    one, other = (data.FashionMnistDataSetIterator(2, False, 3, folder=tmp_path) for _ in range(2))
    expected = pixels(one)
    left = iter(one)
    second = [next(left)]
    other.set_state(one.state())
    assert pixels(second) + pixels(other) == pixels([*second, *left])
    assert sorted(expected) != expected
    write_idx(tmp_path / "t10k-labels-idx1-ubyte.gz", np.arange(8, dtype="uint8"))
    with pytest.raises(ValueError, match="as many labels"):
        data.FashionMnistDataSetIterator(2, False, folder=tmp_path)


def test_irises_come_from_the_published_file(tmp_path):
    path = tmp_path / "iris.data"
    path.write_text("5.1,3.5,1.4,0.2,Iris-setosa\n7.0,3.2,4.7,1.4,Iris-versicolor\n\n")
    batch = next(iter(data.IrisDataSetIterator(2, None, path=path)))
    assert np.allclose(np.asarray(batch.features), [[5.1, 3.5, 1.4, 0.2], [7.0, 3.2, 4.7, 1.4]])
    assert batch.labels.tolist() == [[1, 0, 0], [0, 1, 0]]
    with pytest.raises(FileNotFoundError, match=r"archive\.ics\.uci\.edu"):
        data.IrisDataSetIterator(2, path=tmp_path / "none")
    path.write_text("5.1,3.5,1.4,0.2,Iris-setosa\n7.0,3.2,4.7,1.4,Iris-unknown\n")
    with pytest.raises(ValueError, match=r"iris\.data, line 2: '4' is 'Iris-unknown', no class"):
        data.IrisDataSetIterator(2, path=path)


def write_charts(path, n=600, length=60):
    charts = np.random.default_rng(1).normal(30, 5, (n, length)).round(4)
    path.write_text("\n".join("  ".join(f"{x:.4f}" for x in row) for row in charts) + "\n")
    return charts


@pytest.mark.parametrize("seed", [None, 5])
def test_control_charts_come_from_the_published_file(tmp_path, seed):
    charts = write_charts(tmp_path / "charts.data")
    parts = [data.UciSequenceDataSetIterator(64, train, seed, path=tmp_path / "charts.data") for train in (True, False)]
    assert [[len(batch) for batch in part] for part in parts] == [[64] * 7 + [2], [64, 64, 22]]
    found = data.DataSet.merge([batch for part in parts for batch in part])
    assert (found.features.shape, found.labels.shape) == ((600, 60, 1), (600, 6))
    place = {tuple(np.float32(row)): i for i, row in enumerate(charts)}
    places = [place[tuple(row)] for row in np.asarray(found.features)[:, :, 0]]
    assert sorted(places) == list(range(600))
    assert np.argmax(np.asarray(found.labels), 1).tolist() == [i // 100 for i in places]
    assert parts[0].classes[1] == "cyclic"


@pytest.mark.parametrize(
    ("n", "length", "message"), [(599, 60, "599 sequences, expected 600"), (600, 59, "line 1: 59 numbers, expected 60")]
)
def test_damaged_control_charts_are_refused(tmp_path, n, length, message):
    write_charts(tmp_path / "charts.data", n, length)
    with pytest.raises(ValueError, match=message):
        data.UciSequenceDataSetIterator(8, True, path=tmp_path / "charts.data")
    (tmp_path / "charts.data").write_text("30.1 nothing\n")
    with pytest.raises(ValueError, match=r"charts\.data, line 1: could not convert"):
        data.UciSequenceDataSetIterator(8, True, path=tmp_path / "charts.data")
    with pytest.raises(FileNotFoundError, match=r"get synthetic_control\.data from https"):
        data.UciSequenceDataSetIterator(8, True, path=tmp_path / "none")
