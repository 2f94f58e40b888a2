"""The program of the README, shortened: it trains, prints, and leaves its files; wrong input ends with one line."""

import re
import struct
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from nd4py import data, train
from nd4py.examples import lenet_digits, report
from nd4py.examples.lenet import lenet

if missing := [name for name in ("sklearn", "matplotlib", "tqdm") if find_spec(name) is None]:  # imported when needed
    pytest.skip(f"needs {', '.join(missing)}", allow_module_level=True)


def test_the_network_is_the_tutorials():
    assert lenet().num_params() == 431_080


def test_trains_on_the_digits_and_leaves_its_files(tmp_path, capsys):
    accuracy = lenet_digits.main(["--epochs", "12", "--batch", "32", "--output", str(tmp_path / "out")])
    printed, bar = capsys.readouterr()
    assert accuracy >= 0.97
    assert printed.splitlines()[-1] == f"test accuracy {accuracy:.4f}"
    assert "1,437 training and 360 test images" in printed
    assert "431,080" in printed
    assert re.search(r"training time +\d+\.\d s on 2 workers\nspeed .*samples/s, ETL .*\npeak memory +\d+ MiB", printed)
    assert re.search(r"training.*100%.*276/276.*score \d+\.\d+, [\d,]+ samples/s, ETL \d+\.\d ms", bar)
    assert (tmp_path / "out" / "lenet_digits.png").read_bytes().startswith(b"\x89PNG")
    saved = train.load(tmp_path / "out" / "lenet_digits.zip")
    assert saved.evaluate(data.DigitsDataSetIterator(100, False)).accuracy() == accuracy
    assert (saved.iteration_count, saved.epoch_count) == (276, 12)


def test_the_same_seed_gives_the_same_accuracy_and_another_seed_another_network(tmp_path):
    options = ["--epochs", "1", "--batch", "64", "--output", str(tmp_path)]
    lenet_digits.main(options)
    first = (tmp_path / "lenet_digits.zip").read_bytes()
    lenet_digits.main(options)
    again = train.load(tmp_path / "lenet_digits.zip").params().tolist()
    (tmp_path / "lenet_digits.zip").write_bytes(first)
    assert train.load(tmp_path / "lenet_digits.zip").params().tolist() == again
    lenet_digits.main([*options, "--seed", "7", "--tensorboard", str(tmp_path / "runs")])
    assert len([*(tmp_path / "runs").glob("events.out.tfevents.*")]) == 1
    assert train.load(tmp_path / "lenet_digits.zip").params().tolist() != again


def test_reads_mnist_files(tmp_path, capsys):
    rng = np.random.default_rng(0)
    for prefix, n in (("train", 40), ("t10k", 10)):
        images, labels = rng.integers(0, 256, (n, 28, 28), "uint8"), np.arange(n, dtype="uint8") % 10
        header = struct.pack(">HBB3I", 0, 8, 3, n, 28, 28)
        (tmp_path / f"{prefix}-images-idx3-ubyte").write_bytes(header + images.tobytes())
        (tmp_path / f"{prefix}-labels-idx1-ubyte").write_bytes(struct.pack(">HBBI", 0, 8, 1, n) + labels.tobytes())
    options = ["--mnist", str(tmp_path), "--epochs", "1", "--batch", "8", "--workers", "3"]
    lenet_digits.main([*options, "--output", str(tmp_path)])
    printed = capsys.readouterr().out
    assert f"40 training and 10 test images, MNIST from {tmp_path}" in printed
    assert "on 3 workers" in printed


def test_a_folder_without_mnist_ends_with_one_line(tmp_path):
    with pytest.raises(SystemExit, match="lenet_digits: MNIST: folder .*has none of train-images-idx3-ubyte"):
        lenet_digits.main(["--mnist", str(tmp_path), "--output", str(tmp_path)])


def test_other_wrong_options_end_with_one_line_too(tmp_path):
    with pytest.raises(SystemExit, match="lenet_digits: .*seed.*-1"):
        lenet_digits.main(["--seed", "-1", "--output", str(tmp_path)])
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match="lenet_digits: .*file"):
        lenet_digits.main(["--output", str(tmp_path / "file")])


@pytest.mark.parametrize("module", ["tqdm", "matplotlib.figure", "sklearn.datasets"])
def test_a_missing_package_names_the_extra(module, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SystemExit, match=r"lenet_digits: .*pip install 'nd4py\[examples\]'"):
        lenet_digits.main(["--output", str(tmp_path)])


@pytest.mark.parametrize("option", ["--epochs", "--batch", "--workers"])
def test_counts_must_be_positive(option, capsys):
    with pytest.raises(SystemExit) as caught:
        lenet_digits.main([option, "0"])
    assert caught.value.code == 2
    assert f"argument {option}: must be at least 1, got 0" in capsys.readouterr().err


@pytest.mark.parametrize("n_misread", [0, 1, 33])
def test_the_picture_shows_any_number_of_misread_digits(tmp_path, n_misread):
    digit = report.Misread([[0.0] * 28 for _ in range(28)], 3, 8)
    report.save_picture(tmp_path / "picture.png", [2.3, 1.0, 0.5], [digit] * n_misread, 0.9, 360)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
