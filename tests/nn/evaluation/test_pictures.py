"""Pictures of evaluations: what is drawn is what the evaluation says."""

import sys

import numpy as np
import pytest

from nd4py import nn

MAKES = [nn.Evaluation, nn.ROC, nn.ROCBinary, nn.ROCMultiClass, nn.EvaluationCalibration]


def told(make, n=3, seed=1, **options):
    rng = np.random.default_rng(seed)
    evaluation = make(**options)
    n = 2 if make is nn.ROC else n
    evaluation.eval(np.eye(n)[rng.integers(0, n, 60)], rng.dirichlet(np.ones(n), 60))
    return evaluation


def lines(axes):
    return {line.get_label(): np.array(line.get_data()) for line in axes.get_lines()}


@pytest.mark.parametrize("n", [2, 7, 20, 21])
@pytest.mark.parametrize("is_named", [False, True])
def test_the_matrix_has_the_counts(n, is_named):
    names = [f"class {i}" for i in range(n)] if is_named else None
    evaluation = told(nn.Evaluation, n, names=names)
    (axes,) = evaluation.plot().axes
    counts = np.asarray(evaluation.confusion_matrix())
    (image,) = axes.get_images()
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    assert np.allclose(np.asarray(image.get_array()), shares)
    written = [text.get_text() for text in axes.texts]
    assert written == ([] if n > 20 else [str(count) for count in counts.ravel()])
    if n <= 20:
        shown = [label.get_text() for label in axes.get_yticklabels()]
        assert shown == (names or [str(i) for i in range(n)])


@pytest.mark.parametrize("make", [nn.ROC, nn.ROCBinary, nn.ROCMultiClass])
@pytest.mark.parametrize("steps", [0, 7])
@pytest.mark.parametrize("n", [3, 12])
def test_curves_are_those_of_the_evaluation(make, steps, n):
    evaluation = told(make, n, steps=steps)
    roc, precision = evaluation.plot().axes
    n_drawn = min(evaluation.n_outputs, 10)
    assert len(lines(roc)) == n_drawn + 1
    assert len(lines(precision)) == n_drawn
    for i, drawn in enumerate(list(lines(roc).values())[:n_drawn]):
        assert np.allclose(drawn, [np.asarray(each) for each in evaluation.roc_curve(i)[:2]], equal_nan=True)
    for i, drawn in enumerate(lines(precision).values()):
        precisions, recalls, _ = evaluation.precision_recall_curve(i)
        assert np.allclose(drawn, [np.asarray(recalls), np.asarray(precisions)], equal_nan=True)
    (first, *_) = lines(evaluation.plot(number=0).axes[0])
    assert f"area {evaluation.auc(0):.4f}" in first
    with pytest.raises(IndexError, match="below"):
        evaluation.plot(number=n)


@pytest.mark.parametrize("number", [None, 0, 2])
def test_reliability_is_that_of_the_evaluation(number):
    evaluation = told(nn.EvaluationCalibration, n_bins=5)
    reliability, histogram = evaluation.plot(number=number).axes
    probabilities, fractions, _ = evaluation.reliability_diagram(number)
    drawn = np.array(reliability.get_lines()[1].get_data())
    assert np.allclose(drawn, [np.asarray(probabilities), np.asarray(fractions)])
    assert np.allclose(histogram.patches[0].get_data().values, np.asarray(evaluation.probability_histogram(number)[1]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("is_empty", [False, True])
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files_are_written(tmp_path, make, is_empty, ending):
    evaluation = make() if is_empty else told(make)
    path = tmp_path / f"picture.{ending}"
    figure = evaluation.plot(path)
    beginnings = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(beginnings[ending])
    words = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert ("no examples counted" in words) is is_empty


@pytest.mark.parametrize("make", MAKES)
def test_what_cannot_be_drawn_is_told(make, tmp_path, monkeypatch):
    evaluation = told(make)
    with pytest.raises(ValueError, match="nothing"):
        evaluation.plot(tmp_path / "picture.nothing")
    with pytest.raises(OSError, match="none"):
        evaluation.plot(tmp_path / "none" / "picture.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'nd4py\[examples\]'"):
        evaluation.plot()
