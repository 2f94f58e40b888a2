"""Sequences and images from files."""

import numpy as np
import pytest
from PIL import Image

from nd4py import data


def sequence_files(folder, *texts):
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"{number}.csv")
        paths[-1].write_text(text)
    return data.CSVRecordReader(paths, header=False)


def test_a_file_is_a_sequence_and_short_ones_are_masked(tmp_path):
    reader = sequence_files(tmp_path, "1,2,a\n3,4,b\n", "5,6,b\n", "7,8,a\n9,10,a\n")
    first, second = data.SequenceRecordReaderDataSetIterator(reader, 2, label=-1)
    assert first.features.tolist() == [[[1, 2], [3, 4]], [[5, 6], [0, 0]]]
    assert first.labels.tolist() == [[[1, 0], [0, 1]], [[0, 1], [0, 0]]]
    assert first.features_mask.tolist() == first.labels_mask.tolist() == [[1, 1], [1, 0]]
    assert second.features_mask is None
    assert second.labels.tolist() == [[[1, 0], [1, 0]]]


def test_labels_of_other_files_are_aligned(tmp_path):
    (tmp_path / "labels").mkdir()
    reader = sequence_files(tmp_path, "1\n2\n3\n", "4\n5\n")
    labels = sequence_files(tmp_path / "labels", "0\n", "1\n")
    (batch,) = data.SequenceRecordReaderDataSetIterator(reader, 2, classes=2, labels_reader=labels, alignment="end")
    assert batch.features_mask.tolist() == [[1, 1, 1], [1, 1, 0]]
    assert batch.labels_mask.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert batch.labels.tolist() == [[[0, 0], [0, 0], [1, 0]], [[0, 0], [0, 1], [0, 0]]]
    (start,) = data.SequenceRecordReaderDataSetIterator(reader, 2, labels_reader=labels, alignment="start")
    assert start.labels_mask.tolist() == [[1, 0, 0], [1, 0, 0]]
    assert start.labels.tolist() == [[[0], [0], [0]], [[1], [0], [0]]]
    with pytest.raises(ValueError, match=r"0\.csv: 3 steps and 1 labels"):
        list(data.SequenceRecordReaderDataSetIterator(reader, 2, classes=2, labels_reader=labels))
    few = sequence_files(tmp_path / "labels", "0\n")
    with pytest.raises(ValueError, match=r"1\.csv: no labels are left"):
        list(data.SequenceRecordReaderDataSetIterator(reader, 2, labels_reader=few, alignment="end"))


def test_sequences_are_shuffled_by_seed_with_their_masks(tmp_path):
    reader = sequence_files(tmp_path, *("\n".join([f"{i},{i}"] * (i + 1)) + "\n" for i in range(6)))
    one, other = (data.SequenceRecordReaderDataSetIterator(reader, 4, label=1, seed=2) for _ in range(2))
    batches = list(one)
    assert [b.features.tolist() for b in batches] == [b.features.tolist() for b in other]
    for batch in batches:
        lengths = np.asarray(batch.features_mask).sum(1)
        assert np.array_equal(lengths, np.asarray(batch.features)[:, 0, 0] + 1)


def save_images(folder, suffix="png"):
    """Images of known pixels in a folder for each class."""
    random = np.random.default_rng(3)
    pixels = {}
    for name in ("dog", "cat"):
        (folder / name).mkdir(parents=True)
        for number in range(5):
            pixels[name, number] = random.integers(0, 255, (6, 8, 3)).astype("uint8")
            Image.fromarray(pixels[name, number]).save(folder / name / f"{number}_{name[0]}.{suffix}")
    return [pixels[key] for key in sorted(pixels)]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_images_in_order_with_the_labels_of_their_folders(tmp_path, n_threads, monkeypatch):
    pixels = save_images(tmp_path)
    reader = data.ImageRecordReader(tmp_path, 6, 8, n_threads=n_threads)
    iterator = data.RecordReaderDataSetIterator(reader, 4, label="label", classes=reader.labels)
    batches = list(iterator)
    assert [len(batch) for batch in batches] == [4, 4, 2]
    found = data.DataSet.merge(batches)
    assert np.array_equal(np.asarray(found.features), np.stack(pixels).transpose(0, 3, 1, 2))
    assert (iterator.classes, np.argmax(np.asarray(found.labels), 1).tolist()) == (["cat", "dog"], [0] * 5 + [1] * 5)
    monkeypatch.setattr(reader, "_decoded", None)  # labels are in the paths
    assert reader.classes("label") == reader.classes(-1) == ["cat", "dog"]
    monkeypatch.undo()
    for _ in iterator:  # a loop that is left stops the threads
        break


def test_images_are_resized_and_made_grey(tmp_path):
    Image.fromarray(np.full((10, 4, 3), 90, "uint8")).save(tmp_path / "plain.png")
    image = next(data.ImageRecordReader(tmp_path, 3, 5, channels=1).tables()).columns["image"]
    assert image.shape == (1, 1, 3, 5)
    assert np.all(np.asarray(image) == 90)
    assert next(data.ImageRecordReader(tmp_path, 3, 5, channels=4, label=None).tables()).columns["image"].shape[1] == 4


def test_labels_come_from_a_pattern(tmp_path):
    save_images(tmp_path)
    reader = data.ImageRecordReader(tmp_path, 6, 8, label=r"\d_(\w)\.png")
    assert reader.labels == ["c", "d"]
    with pytest.raises(ValueError, match=r"0_c\.png: the pattern"):
        data.ImageRecordReader(tmp_path, 6, 8, label=r"(x+)\.png")
    with pytest.raises(ValueError, match="one group"):
        data.ImageRecordReader(tmp_path, 6, 8, label=r"png")


@pytest.mark.parametrize(
    "ends", [lambda key: f"{key[1]}_{key[0][0]}.png", lambda key: f"{key[0]}/{key[1]}_{key[0][0]}.png"]
)
@pytest.mark.parametrize("is_file", [False, True])
def test_labels_come_from_a_file_or_dict(tmp_path, ends, is_file):
    folder = tmp_path / "images"
    save_images(folder)
    named = {ends((name, number)): f"class {number % 3}" for name in ("cat", "dog") for number in range(5)}
    label = named
    if is_file:
        label = tmp_path / "labels.csv"
        label.write_text("\n".join(["image,label,more", *(f"{key},{value},x" for key, value in named.items()), ""]))
    reader = data.ImageRecordReader(folder, 6, 8, label=label)
    iterator = data.RecordReaderDataSetIterator(reader, 10, label="label")
    assert iterator.classes == reader.labels == ["class 0", "class 1", "class 2"]
    assert np.argmax(np.asarray(next(iter(iterator)).labels), 1).tolist() == [0, 1, 2, 0, 1] * 2
    Image.fromarray(np.zeros((6, 8), "uint8")).save(folder / "new.png")
    with pytest.raises(ValueError, match=r"new\.png: .* has no label of it"):
        data.ImageRecordReader(folder, 6, 8, label=label)


def test_wrong_files_of_labels_are_refused(tmp_path):
    save_images(tmp_path / "images")
    (tmp_path / "labels.csv").write_text("0_c.png\n")
    with pytest.raises(ValueError, match=r"labels\.csv, line 1: an image and its label are expected, found '0_c"):
        data.ImageRecordReader(tmp_path / "images", 6, 8, label=tmp_path / "labels.csv")
    with pytest.raises(FileNotFoundError):
        data.ImageRecordReader(tmp_path / "images", 6, 8, label=tmp_path / "none.csv")
    with pytest.raises(TypeError, match="label must be 'folder', a regular expression, a dict"):
        data.ImageRecordReader(tmp_path / "images", 6, 8, label=3)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_damaged_image_is_named(tmp_path, n_threads):
    save_images(tmp_path, "jpg")
    damaged = tmp_path / "cat" / "3_c.jpg"
    damaged.write_bytes(damaged.read_bytes()[:200])
    with pytest.raises(ValueError, match=r"3_c\.jpg: no image that can be decoded"):
        list(data.ImageRecordReader(tmp_path, 6, 8, n_threads=n_threads).tables(2))


def test_files_are_found_by_ending_and_ordered(tmp_path):
    for name in ("b.CSV", "a.csv", "c.txt", "inner/d.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = [path.name for path in data.find_files(tmp_path, [".csv"])]
    assert names == ["a.csv", "b.CSV", "d.csv"]
    assert len(data.find_files(tmp_path, is_recursive=False)) == 3
    shuffled = [path.name for path in data.find_files(tmp_path, [".csv"], seed=1)]
    assert sorted(shuffled) == names
    assert shuffled == [path.name for path in data.find_files(tmp_path, [".csv"], seed=1)]
    with pytest.raises(FileNotFoundError, match="there is no folder .*none"):
        data.ImageRecordReader(tmp_path / "none", 3, 3)
    with pytest.raises(FileNotFoundError, match="no files ending"):
        data.find_files(tmp_path, [".png"])
