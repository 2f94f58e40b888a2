"""The examples, shortened: they learn something, print it, and end with one line where the input is wrong."""

import re
from importlib.util import find_spec

import pytest

from nd4py.examples import (
    character_lstm,
    csv_classifier,
    digit_autoencoders,
    digit_transfer,
    small_transformer,
    two_tasks,
)

needs_digits = pytest.mark.skipif(find_spec("sklearn") is None, reason="needs scikit-learn")


@needs_digits
def test_rows_of_a_table(capsys):
    assert csv_classifier.main(["--epochs", "20"]) > 0.95
    assert "Confusion matrix" in capsys.readouterr().out


def test_rows_of_a_file_of_ones_own(tmp_path, capsys):
    rows = [f"{i % 7},{i % 5},{'low' if i % 7 < 3 else 'high'}" for i in range(200)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["first,second,class", *rows]), encoding="utf-8")
    assert csv_classifier.main(["--csv", str(path), "--epochs", "20"]) > 0.9
    assert "classes: high, low" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, words",
    [
        ("a,b\n1,x\ntwo,y\n", "rows.csv, line 3: feature '0' must be a number, found 'two'"),
        ("a,b\n1,x\n1,2,y\n", "line 3: 3 fields, and 2 before"),
        ("a,b\n", "there must be one"),
        ("", "rows.csv"),
    ],
)
def test_files_that_are_no_table(tmp_path, text, words):
    path = tmp_path / "rows.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=re.escape(words)):
        csv_classifier.main(["--csv", str(path)])


@needs_digits
def test_what_was_learnt_helps(capsys):
    taken_over, new = digit_transfer.main(["--epochs", "5"])
    assert taken_over > new
    assert "0 to 6: accuracy 0.9" in capsys.readouterr().out


@needs_digits
def test_digits_without_labels(capsys):
    noisy, restored, reconstructed = digit_autoencoders.main(["--epochs", "4"])
    assert restored < 0.5 * noisy
    assert reconstructed < 0.05
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 14
    assert any("*" in line for line in lines[2:])


@needs_digits
def test_two_outputs_and_masks(capsys):
    accuracy, error = two_tasks.main(["--epochs", "8"])
    assert accuracy > 0.8
    assert error < 0.08
    assert "digits: accuracy" in capsys.readouterr().out


@pytest.mark.parametrize("program, epochs", [(character_lstm, 3), (small_transformer, 3)])
def test_texts_are_learnt_and_written(program, epochs, tmp_path, capsys):
    path = tmp_path / "text.txt"
    path.write_text("to be or not to be, that is the question. " * 120, encoding="utf-8")
    options = ["--text", str(path), "--epochs", str(epochs * 8), "--units", "32", "--length", "40"]
    bits = program.main(options)
    printed = capsys.readouterr().out
    assert bits < 1.5  # of log2(15) = 3.9
    assert len(printed.splitlines()[-1]) == 40
    assert program.main(options) == bits  # the same seed
    assert capsys.readouterr().out == printed


def test_texts_that_are_too_short(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("too short", encoding="utf-8")
    with pytest.raises(SystemExit, match="character_lstm: .*more than 1000 characters are needed, given 9"):
        character_lstm.main(["--text", str(path)])
    with pytest.raises(SystemExit, match="small_transformer: .*No such file"):
        small_transformer.main(["--text", str(tmp_path / "nowhere")])
