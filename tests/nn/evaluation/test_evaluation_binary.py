"""Independent decisions against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from nd4py import nn

RNG = np.random.default_rng(5)
LABELS, P = RNG.integers(0, 2, (200, 3)), RNG.uniform(size=(200, 3))
P = np.clip(0.6 * P + 0.4 * LABELS, 0, 1)


def evaluated(*, mask=None, **settings):
    evaluation = nn.EvaluationBinary(**settings)
    for part in (slice(70), slice(70, None)):
        evaluation.eval(LABELS[part], P[part], None if mask is None else mask[part])
    return evaluation


@pytest.mark.parametrize("thresholds", [0.5, 0.7, [0.3, 0.5, 0.9]])
def test_agrees_with_scikit_learn(thresholds):
    evaluation = evaluated(thresholds=thresholds)
    says = thresholds < P
    for i in range(3):
        given = LABELS[:, i], says[:, i]
        (rest, false_alarms), (misses, hits) = metrics.confusion_matrix(*given)
        counts = (evaluation.true_positives, evaluation.false_positives, evaluation.false_negatives)
        assert [count()[i] for count in counts] == [hits, false_alarms, misses]
        assert evaluation.true_negatives()[i] == rest
        assert evaluation.accuracy(i) == pytest.approx(metrics.accuracy_score(*given))
        assert evaluation.precision(i) == pytest.approx(metrics.precision_score(*given))
        assert evaluation.recall(i) == pytest.approx(metrics.recall_score(*given))
        assert evaluation.f1(i) == pytest.approx(metrics.f1_score(*given))
        assert evaluation.f_beta(2.0, i) == pytest.approx(metrics.fbeta_score(*given, beta=2.0))
        assert evaluation.matthews_correlation(i) == pytest.approx(metrics.matthews_corrcoef(*given))
        assert evaluation.n_examples(i) == 200
    assert evaluation.f1() == pytest.approx(metrics.f1_score(LABELS, says, average="macro"))
    assert evaluation.f1(average="micro") == pytest.approx(metrics.f1_score(LABELS, says, average="micro"))
    assert evaluation.accuracy() == pytest.approx(np.mean(says == LABELS))
    assert evaluation.n_outputs == 3


def test_masks_of_outputs_of_examples_and_of_steps():
    mask = RNG.integers(0, 2, (200, 3))
    evaluation = nn.EvaluationBinary()
    evaluation.eval(np.where(mask, LABELS, np.nan), np.where(mask, P, np.nan), mask)
    for i in range(3):
        kept = mask[:, i] == 1
        assert evaluation.f1(i) == pytest.approx(metrics.f1_score(LABELS[kept, i], P[kept, i] > 0.5))
        assert evaluation.n_examples(i) == kept.sum()
    rows = evaluated(mask=mask[:, :1])
    assert rows.n_examples(2) == mask[:, 0].sum()
    steps = nn.EvaluationBinary()
    steps.eval(LABELS.reshape(20, 10, 3), P.reshape(20, 10, 3), mask.reshape(20, 10, 3))
    assert steps.to_json() == evaluation.to_json()


def test_a_single_output():
    evaluation = nn.EvaluationBinary()
    evaluation.eval(LABELS[:, 0], P[:, 0])
    evaluation.eval(LABELS[:, :1], P[:, :1])
    assert evaluation.accuracy() == pytest.approx(np.mean(LABELS[:, 0] == (P[:, 0] > 0.5)))
    assert evaluation.n_examples(0) == 400


def test_parts_merge_and_go_on_from_their_text():
    whole = evaluated(thresholds=[0.3, 0.5, 0.9], names=["a", "b", "c"])
    first = nn.EvaluationBinary([0.3, 0.5, 0.9], names=["a", "b", "c"])
    first.eval(LABELS[:50], P[:50])
    second = nn.EvaluationBinary.from_json(first.to_json())
    second.reset()
    second.eval(LABELS[50:], P[50:])
    second.merge(nn.EvaluationBinary.from_json(first.to_json()))
    assert second.to_json() == whole.to_json()
    with pytest.raises(ValueError, match=r"thresholds is \[0.3, 0.5, 0.9\] here and 0.5 there"):
        whole.merge(evaluated(names=["a", "b", "c"]))


def test_text():
    lines = evaluated(names=["rain", "snow", "fog"]).stats().splitlines()
    assert lines[1].split() == ["output", "accuracy", "precision", "recall", "F1", "examples"]
    assert [line.split()[0] for line in lines[2:]] == ["rain", "snow", "fog"]
    assert lines[2].split()[1] == f"{np.mean(LABELS[:, 0] == (P[:, 0] > 0.5)):.4f}"
    assert str(nn.EvaluationBinary()) == "EvaluationBinary(no examples)"
    assert "No examples counted yet" in nn.EvaluationBinary(names=["a"]).stats()
    assert (nn.EvaluationBinary().f1(), nn.EvaluationBinary().n_examples(0)) == (0.0, 0)


@pytest.mark.parametrize(
    "run, message",
    [
        (lambda: nn.EvaluationBinary([0.5, 0.5], names=["a"]), "2 thresholds, but names have 1 outputs"),
        (lambda: nn.EvaluationBinary([0.5, 0.5]).eval(LABELS, P), "2 thresholds, but predictions have 3 outputs"),
        (lambda: nn.EvaluationBinary(names=["a"]).eval(LABELS, P), "1 names, but predictions have 3 outputs"),
        (lambda: nn.EvaluationBinary([0.5, float("nan")]), "a threshold must be a finite number"),
        (lambda: nn.EvaluationBinary().eval(LABELS[:, 0], P), r"given labels \(200,\) and predictions \(200, 3\)"),
        (lambda: nn.EvaluationBinary().eval(LABELS, P * np.nan), "predictions are NaN"),
        (lambda: evaluated().eval(LABELS[:, :2], P[:, :2]), "3 outputs so far, now 2"),
    ],
)
def test_what_does_not_fit_is_refused(run, message):
    with pytest.raises(ValueError, match=message):
        run()


@pytest.mark.parametrize("make", [nn.ROC, nn.ROCBinary, nn.EvaluationBinary, nn.Evaluation, nn.EvaluationCalibration])
@pytest.mark.parametrize("labels", [[1, 2, 1], [-1, 1, 1], [0, 1, float("nan")]])
def test_labels_of_decisions_that_are_not_from_0_to_1_are_refused(make, labels):
    scores = np.asarray([[0.2], [0.9], [0.4]])
    with pytest.raises(ValueError, match=f"{make.__name__}.eval: labels .* 0 "):
        make().eval(np.asarray(labels, float).reshape(-1, 1), scores)


@pytest.mark.parametrize("make", [nn.ROCBinary, nn.EvaluationBinary])
def test_labels_behind_masks_may_be_anything(make):
    labels, scores = np.asarray([[1.0, -1.0], [0.0, 1.0]]), np.asarray([[0.8, 0.5], [0.3, 0.6]])
    evaluation = make()
    evaluation.eval(labels, scores, mask=np.asarray([[1.0, 0.0], [1.0, 1.0]]))
    assert (evaluation.n_examples(0), evaluation.n_examples(1)) == (2, 1)
