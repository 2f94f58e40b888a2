"""Logs as Parquet files, and pictures that are drawn while training goes on."""

import copy
import sys
import types

import cases
import numpy as np
import pyarrow.parquet
import pytest

from nd4py import train

X, LABELS = cases.small_batch()


def fitted(*listeners, epochs=4, **options):
    net = cases.small_network()
    history = net.fit(X, LABELS, batch_size=3, epochs=epochs, listeners=list(listeners), **options)
    return net, history


@pytest.mark.parametrize("frequency", [None, 1, 2])
@pytest.mark.parametrize("is_validated", [False, True])
def test_parquet_has_the_rows_of_csv(tmp_path, frequency, is_validated):
    validation = {"validation_data": (X, LABELS)} if is_validated else {}
    logs = [
        train.CSVLogListener(tmp_path / "log.csv", frequency=frequency),
        train.ParquetLogListener(tmp_path / "log.parquet", frequency=frequency),
    ]
    _, history = fitted(*logs, **validation)
    found = pyarrow.parquet.read_table(tmp_path / "log.parquet").to_pylist()
    titles, *lines = (line.split(",") for line in (tmp_path / "log.csv").read_text().splitlines())
    assert [list(row) for row in found] == [titles] * len(lines)
    rows = [[float(text) if text else None for text in line] for line in lines]
    assert [list(row.values()) for row in found] == rows
    assert [row["score"] for row in found if row["seconds"] is not None] == history.scores


@pytest.mark.parametrize("n_lost", [0, 1])
def test_a_parquet_log_goes_on_with_training(tmp_path, n_lost):
    def run(folder, epochs, **options):
        folder.mkdir(exist_ok=True)
        saving = train.CheckpointListener(folder / "saved", every_iterations=2)
        fitted(train.ParquetLogListener(folder / "log.parquet", frequency=1), saving, epochs=epochs, **options)
        rows = pyarrow.parquet.read_table(folder / "log.parquet").to_pylist()
        return saving, [(row["epoch"], row["iteration"], row["score"]) for row in rows]

    _, expected = run(tmp_path / "whole", 4)
    saving, _ = run(tmp_path / "cut", 2)
    for path in saving.checkpoints()[len(saving.checkpoints()) - n_lost :]:
        path.unlink()
    assert run(tmp_path / "cut", 4, resume_from=tmp_path / "cut" / "saved")[1] == expected


def test_an_error_leaves_the_rows_before_it(tmp_path):
    class Failing:
        def iteration_done(self, model, iteration, epoch):
            if iteration == 5:
                raise OSError("cut off")

    with pytest.raises(OSError, match="cut off"):
        fitted(train.ParquetLogListener(tmp_path / "log.parquet", frequency=1), Failing())
    rows = pyarrow.parquet.read_table(tmp_path / "log.parquet").to_pylist()
    assert [(row["epoch"], row["iteration"]) for row in rows] == [(0, 1), (0, 2), (0, 3), (1, 3), (1, 4), (1, 5)]
    assert [path.name for path in tmp_path.iterdir()] == ["log.parquet"]


@pytest.mark.parametrize("is_validated", [False, True])
@pytest.mark.parametrize("seconds", [0, 1000])
def test_pictures_have_the_scores(is_validated, seconds):
    figures = []
    validation = {"validation_data": (X, LABELS)} if is_validated else {}
    _, history = fitted(train.LivePlotListener(seconds=seconds, show=figures.append), **validation)
    assert len(figures) == (17 if seconds == 0 else 2)  # after 12 batches, 4 epochs, and at the end
    batches, epochs = figures[-1].axes
    assert np.allclose(batches.get_lines()[0].get_data(), [history.iterations, history.iteration_scores])
    drawn = {line.get_label(): line.get_data() for line in epochs.get_lines()}
    assert np.allclose(drawn["training"], [history.epochs, history.scores])
    assert ("validation" in drawn) is is_validated
    if is_validated:
        assert np.allclose(drawn["validation"], [history.epochs, history.validation_scores])


def test_a_plot_is_copied_and_used_again():
    figures = []
    plot = train.LivePlotListener(seconds=1000, show=figures.append)
    fitted(plot)
    fitted(copy.deepcopy(plot))
    fitted(plot)
    assert len(figures) in (4, 6)  # the copy has a list of its own, or the same


def test_what_is_missing_or_wrong_is_told(monkeypatch, tmp_path):
    with pytest.raises(TypeError, match="show must be a function of a figure, given int"):
        train.LivePlotListener(show=3)
    with pytest.raises(ValueError, match="LivePlotListener: seconds must be a number of seconds"):
        train.LivePlotListener(seconds=-1)
    monkeypatch.setitem(sys.modules, "IPython", None)
    with pytest.raises(ImportError, match="give show="):
        train.LivePlotListener()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'nd4py\[examples\]'"):
        train.LivePlotListener(show=repr)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"ParquetLogListener needs pyarrow.parquet"):
        train.ParquetLogListener(tmp_path / "log.parquet")
    monkeypatch.undo()
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        fitted(train.ParquetLogListener(tmp_path / "none" / "log.parquet"))


def test_a_plot_without_a_notebook_is_told_what_to_do(monkeypatch):
    module = types.SimpleNamespace(Image=lambda data: data, display=lambda image, display_id: None)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(display=module, version_info=(9, 0)))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    with pytest.raises(RuntimeError, match="runs in no notebook; give show=, a function of a figure"):
        fitted(train.LivePlotListener())
