"""ROC curves and their areas against scikit-learn."""

import json

import numpy as np
import pytest
from sklearn import metrics

import nd4py as nd
from nd4py import nn
from nd4py.nn.evaluation import score_curves

RNG = np.random.default_rng(7)
N = 300
LABELS = RNG.integers(0, 2, N)
# Scores with many that are equal, and in eighths, so that thresholds hit them exactly.
SCORES = np.clip(np.round((0.5 * RNG.uniform(size=N) + 0.35 * LABELS) * 8) / 8, 0, 1)
CLASSES, OF_CLASSES = RNG.integers(0, 4, N), RNG.uniform(size=(N, 4))
OF_CLASSES[np.arange(N), CLASSES] += 0.4
OF_CLASSES /= OF_CLASSES.sum(1, keepdims=True)


def evaluated(roc, labels, scores, edges=(50, 51, 190), mask=None):
    for start, stop in zip((0, *edges), (*edges, N), strict=True):
        roc.eval(labels[start:stop], scores[start:stop], None if mask is None else mask[start:stop])
    return roc


def assert_curves(roc, labels, scores, number=0):
    for ours, theirs in zip(
        roc.roc_curve(number), metrics.roc_curve(labels, scores, drop_intermediate=False), strict=True
    ):
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-12)
    for ours, theirs in zip(
        roc.precision_recall_curve(number), metrics.precision_recall_curve(labels, scores), strict=True
    ):
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(labels, scores)
    assert roc.auc(number) == pytest.approx(metrics.roc_auc_score(labels, scores), rel=1e-12)
    assert roc.auprc(number) == pytest.approx(metrics.auc(recall, precision), rel=1e-12)
    assert roc.average_precision(number) == pytest.approx(metrics.average_precision_score(labels, scores), rel=1e-12)


@pytest.mark.parametrize("scores", [SCORES, RNG.normal(size=N)], ids=["equal", "different"])
def test_exact_curves_agree_with_scikit_learn(scores):
    assert_curves(evaluated(nn.ROC(), LABELS, scores), LABELS, scores)


def test_shapes_of_labels_and_scores():
    for labels in (LABELS, LABELS[:, None], np.eye(2)[LABELS]):
        for scores in (SCORES, SCORES[:, None], np.stack([1 - SCORES, SCORES], axis=1)):
            assert evaluated(nn.ROC(), labels, scores).auc() == metrics.roc_auc_score(LABELS, SCORES)


@pytest.mark.parametrize("steps", [8, 16])
def test_thresholds_that_scores_hit_give_exact_areas(steps):
    roc = evaluated(nn.ROC(steps), LABELS, SCORES)
    exact = evaluated(nn.ROC(), LABELS, SCORES)
    assert roc.auc() == pytest.approx(exact.auc(), rel=1e-12)
    assert roc.auprc() == pytest.approx(exact.auprc(), rel=1e-12)
    assert roc.average_precision() == pytest.approx(exact.average_precision(), rel=1e-12)
    false_positive_rate, true_positive_rate, thresholds = (np.asarray(part) for part in roc.roc_curve())
    np.testing.assert_array_equal(thresholds, [np.inf, *(np.arange(steps, -1, -1) / steps)])
    for point, threshold in enumerate(thresholds):
        assert true_positive_rate[point] == pytest.approx(np.mean(SCORES[LABELS == 1] >= threshold))
        assert false_positive_rate[point] == pytest.approx(np.mean(SCORES[LABELS == 0] >= threshold))


def test_many_thresholds_come_near_exact_areas():
    p = RNG.uniform(size=N) * 0.7 + 0.3 * LABELS
    assert evaluated(nn.ROC(200), LABELS, p).auc() == pytest.approx(metrics.roc_auc_score(LABELS, p), abs=5e-3)


@pytest.mark.parametrize("steps", [0, 8])
def test_each_output_by_itself(steps):
    labels, scores = RNG.integers(0, 2, (N, 3)), np.round(RNG.uniform(size=(N, 3)) * 8) / 8
    mask = RNG.integers(0, 2, (N, 3))
    mask[:50, 2] = 0
    for given in (None, mask):
        roc = evaluated(nn.ROCBinary(steps), labels, scores, mask=given)
        areas = []
        for i in range(3):
            kept = mask[:, i] == 1 if given is not None else slice(None)
            own = labels[kept, i], scores[kept, i]
            areas.append(metrics.roc_auc_score(*own))
            if not steps:
                assert_curves(roc, *own, i)
            assert roc.auc(i) == pytest.approx(areas[i])
            assert roc.average_precision(i) == pytest.approx(metrics.average_precision_score(*own))
            assert roc.n_examples(i) == own[0].size
        assert roc.auc() == pytest.approx(np.mean(areas))
        assert roc.n_outputs == 3


def test_each_class_against_the_others():
    for labels in (CLASSES, CLASSES[:, None], np.eye(4)[CLASSES]):
        roc = evaluated(nn.ROCMultiClass(), labels, OF_CLASSES)
        for i in range(4):
            assert_curves(roc, i == CLASSES, OF_CLASSES[:, i], i)
        expected = metrics.roc_auc_score(CLASSES, OF_CLASSES, multi_class="ovr", average="macro")
        assert roc.auc() == pytest.approx(expected)
    column = evaluated(nn.ROCMultiClass(), LABELS, SCORES[:, None])
    assert [column.auc(0), column.auc(1)] == pytest.approx([metrics.roc_auc_score(LABELS, SCORES)] * 2)


@pytest.mark.parametrize("steps", [0, 8])
@pytest.mark.parametrize("kind", [nn.ROC, nn.ROCBinary, nn.ROCMultiClass])
def test_parts_merge_and_go_on_from_their_text(kind, steps):
    labels, scores = LABELS[:, None], SCORES[:, None]
    whole = evaluated(kind(steps), labels, scores)
    first, second = kind(steps), kind(steps)
    first.eval(labels[:100], scores[:100])
    again = kind.from_json(first.to_json())
    assert again.to_json() == first.to_json()
    again.eval(labels[100:200], scores[100:200])
    second.eval(labels[200:], scores[200:])
    again.merge(second)
    again.merge(kind(steps))
    assert again.to_json() == whole.to_json()
    assert again.stats() == whole.stats()
    again.reset()
    assert (again.n_outputs, again.n_examples()) == (None, 0)
    five = evaluated(kind(5), labels, scores)
    with pytest.raises(ValueError, match=f"steps is {steps} here and 5 there"):
        whole.merge(five)


@pytest.mark.parametrize("fewest", [1, 7, 30])
def test_batches_that_wait_to_be_sorted_make_no_difference(monkeypatch, fewest):
    monkeypatch.setattr(score_curves, "FEWEST_SORTED", fewest)
    rng = np.random.default_rng(5)
    labels, scores = rng.integers(0, 2, (120, 2)), rng.integers(0, 25, (120, 2)) / 25
    whole, parts = nn.ROCBinary(), nn.ROCBinary()
    whole.eval(labels, scores)
    for start in range(0, 120, 8):
        parts.eval(labels[start : start + 8], scores[start : start + 8])
        assert start % 40 or parts.n_examples(0) == start + 8  # a look puts all in order
    assert parts.to_json() == whole.to_json()
    with pytest.raises(ValueError, match="2 outputs so far, now 3"):
        parts.eval(np.ones((4, 3)), np.ones((4, 3)))
    again = nn.ROCBinary.from_json(parts.to_json())
    again.merge(whole)
    assert again.n_examples(1) == 240


def test_equal_scores_are_kept_once():
    roc = nn.ROC()
    for _ in range(50):
        roc.eval(LABELS, SCORES)
    kept = json.loads(roc.to_json())["state"]
    assert kept["scores"] == sorted(set(SCORES.tolist()))
    assert sum(kept["positives"]) == 50 * LABELS.sum()


def test_areas_that_are_not_defined():
    roc = nn.ROC()
    roc.eval([1, 1], [0.2, 0.7])
    assert np.isnan(roc.auc())
    assert roc.average_precision() == 1.0
    assert np.isnan(np.asarray(roc.roc_curve()[0])).all()
    negatives = nn.ROC()
    negatives.eval([0, 0], [0.2, 0.7])
    assert np.isnan([negatives.auc(), negatives.auprc(), negatives.average_precision()]).all()
    some = nn.ROCMultiClass()
    some.eval([0, 1], [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]])
    assert some.auc() == 1.0
    masked = nn.ROCBinary()
    masked.eval([[1, 0], [0, 0]], [[0.6, 0.3], [0.5, 0.4]], [[1, 0], [1, 0]])
    assert (masked.auc(), masked.n_examples(1)) == (1.0, 0)
    assert np.isnan([masked.auc(1), masked.auprc(1), masked.average_precision(1)]).all()
    assert "1" in masked.stats()


def test_text():
    lines = evaluated(nn.ROC(), LABELS, SCORES).stats().splitlines()
    assert lines[-1].split()[:2] == ["0", f"{metrics.roc_auc_score(LABELS, SCORES):.4f}"]
    assert lines[-1].split()[-1] == str(N)
    assert str(nn.ROC()) == "ROC(no examples)"
    assert "No examples counted yet" in nn.ROC().stats()


def damaged(**changes):
    described = json.loads(evaluated(nn.ROC(), LABELS, SCORES).to_json())
    described["settings"]["steps"] = changes.pop("steps", 0)
    described["state"] |= changes
    return lambda: nn.ROC.from_json(json.dumps(described))


@pytest.mark.parametrize(
    "run, error, message",
    [
        (lambda: nn.ROC().eval(LABELS, OF_CLASSES), ValueError, "one column or two expected, given .300, 4."),
        (lambda: nn.ROC().eval(LABELS[:9], SCORES), ValueError, "9 labels for 300 predictions"),
        (lambda: nn.ROC().eval(LABELS, SCORES * np.nan), ValueError, "predictions are NaN"),
        (lambda: nn.ROC(10).eval(LABELS, SCORES * 3), ValueError, "probabilities are needed, from 0 to 1"),
        (lambda: nn.ROC(-1), ValueError, "steps must be a whole number of at least 0"),
        (lambda: nn.ROC().roc_curve(), ValueError, "ROC: no examples counted yet"),
        (lambda: nn.ROCMultiClass().eval([4], OF_CLASSES[:1]), ValueError, "numbers of classes from 0 to 3"),
        (lambda: evaluated(nn.ROC(), LABELS, SCORES).auc(1), IndexError, "number must be below 1"),
        (
            lambda: evaluated(nn.ROCMultiClass(), CLASSES, OF_CLASSES).eval(LABELS, SCORES),
            ValueError,
            "4 outputs so far, now 2",
        ),
        (damaged(scores=[0.5]), ValueError, "must have one shape"),
        (damaged(scores=[0.5] * 9), ValueError, "must rise|must have one shape"),
        (damaged(steps=3), ValueError, "must be the thresholds of 3 steps"),
        (damaged(outputs="x"), ValueError, "of no ROC"),
    ],
)
def test_what_does_not_fit_is_refused(run, error, message):
    with pytest.raises(error, match=message):
        run()


def test_probabilities_may_be_rounded():
    roc = nn.ROC(10)
    roc.eval([0, 1], nd.asarray([-1e-7, 1.0000001], dtype="float32"))
    assert roc.auc() == 1.0


@pytest.mark.parametrize("kind", [nn.ROC, nn.ROCBinary, nn.ROCMultiClass])
def test_areas_without_examples_are_nan(kind):
    for name in ("auc", "auprc", "average_precision"):
        assert np.isnan(getattr(kind(), name)())
        assert np.isnan(getattr(kind(), name)(0))
    assert np.isnan(kind.from_json(kind().to_json()).auc())
