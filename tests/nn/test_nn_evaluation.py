"""Evaluation against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

import nd4py as nd
from nd4py import train


def counted(actual, predicted, n_classes, **settings):
    evaluation = train.Evaluation(**settings)
    evaluation.eval(np.eye(n_classes)[actual], np.eye(n_classes)[predicted])
    return evaluation


def sample(n_classes, n_examples=200, seed=0):
    rng = np.random.default_rng(seed)
    actual = rng.integers(0, n_classes, n_examples)
    predicted = np.where(rng.random(n_examples) < 0.6, actual, rng.integers(0, n_classes, n_examples))
    return actual, predicted


@pytest.mark.parametrize("n_classes", [3, 10])
def test_agrees_with_scikit_learn(n_classes):
    actual, predicted = sample(n_classes)
    evaluation = counted(actual, predicted, n_classes)
    np.testing.assert_array_equal(
        np.asarray(evaluation.confusion_matrix()), metrics.confusion_matrix(actual, predicted)
    )
    assert evaluation.n_examples == 200
    assert evaluation.accuracy() == pytest.approx(metrics.accuracy_score(actual, predicted))
    for own, reference in (
        (evaluation.precision, metrics.precision_score),
        (evaluation.recall, metrics.recall_score),
        (evaluation.f1, metrics.f1_score),
    ):
        assert own() == pytest.approx(reference(actual, predicted, average="macro"))
        assert [own(i) for i in range(n_classes)] == pytest.approx(reference(actual, predicted, average=None))


def test_two_classes_report_class_one():
    actual, predicted = sample(2)
    evaluation = counted(actual, predicted, 2)
    assert evaluation.precision() == pytest.approx(metrics.precision_score(actual, predicted))
    assert evaluation.f1() == pytest.approx(metrics.f1_score(actual, predicted))
    assert "those of class 1" in evaluation.stats()


def test_single_column_is_the_probability_of_class_one():
    evaluation = train.Evaluation()
    evaluation.eval(np.array([[1.0], [0.0], [1.0]]), np.array([[0.9], [0.2], [0.4]]))
    assert evaluation.confusion_matrix().tolist() == [[1, 0], [1, 1]]


def test_classes_without_a_value_are_left_out():
    actual, predicted = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    evaluation = counted(actual, predicted, 4)
    zero_is_nan = {"average": "macro", "zero_division": np.nan, "labels": range(4)}
    assert evaluation.precision() == pytest.approx(metrics.precision_score(actual, predicted, **zero_is_nan))
    assert evaluation.recall() == pytest.approx(metrics.recall_score(actual, predicted, **zero_is_nan))
    assert evaluation.f1() == pytest.approx(metrics.f1_score(actual, predicted, **zero_is_nan))
    text = evaluation.stats()
    assert "Never predicted, left out of the precision: 2, 3" in text
    assert "Without examples, left out of the recall: 3" in text


def test_counts_add_up():
    actual, predicted = sample(4)
    evaluation = counted(actual, predicted, 4)
    kinds = (
        evaluation.true_positives(),
        evaluation.false_positives(),
        evaluation.false_negatives(),
        evaluation.true_negatives(),
    )
    assert [sum(kind) for kind in zip(*kinds, strict=True)] == [200] * 4
    assert kinds[0] == [int(((actual == i) & (predicted == i)).sum()) for i in range(4)]
    assert kinds[1] == [int(((actual != i) & (predicted == i)).sum()) for i in range(4)]


def test_batches_and_merge_count_the_same():
    actual, predicted = sample(5)
    halves = [counted(actual[s], predicted[s], 5) for s in (slice(90), slice(90, None))]
    halves[0].merge(halves[1])
    halves[0].merge(train.Evaluation())
    assert halves[0].confusion_matrix().tolist() == counted(actual, predicted, 5).confusion_matrix().tolist()
    halves[0].reset()
    assert halves[0].n_examples == 0


@pytest.mark.parametrize("as_column", [False, True])
def test_labels_may_be_class_numbers(as_column):
    actual, predicted = sample(3)
    evaluation = train.Evaluation()
    evaluation.eval(actual[:, None] if as_column else actual, np.eye(3)[predicted])
    assert evaluation.confusion_matrix().tolist() == metrics.confusion_matrix(actual, predicted).tolist()


def test_text():
    text = counted(np.array([0, 1, 2, 2]), np.array([0, 1, 2, 1]), 3, names=["ant", "bee", "cat"]).stats()
    assert "Accuracy:   0.7500" in text
    assert "Precision:  0.8333" in text
    assert "Recall:     0.8333" in text
    assert "F1:         0.7778" in text
    assert text.splitlines()[-4:] == [" 0 1 2", " 1 0 0 | 0 = ant", " 0 1 0 | 1 = bee", " 0 1 1 | 2 = cat"]


def test_large_matrix_is_not_printed():
    assert "60 classes are too many to print" in counted(np.arange(60), np.arange(60), 60).stats()


def test_what_does_not_fit_is_refused():
    evaluation = counted(*sample(3), 3)
    with pytest.raises(ValueError, match=r"given labels \(5, 3\) and predictions \(4, 3\)"):
        evaluation.eval(np.zeros((5, 3)), np.zeros((4, 3)))
    with pytest.raises(ValueError, match="3 classes so far, but predictions have 4"):
        evaluation.eval(np.zeros((5, 4)), np.zeros((5, 4)))
    with pytest.raises(ValueError, match="predictions are NaN"):
        evaluation.eval(np.zeros((1, 3)), np.array([[0.0, np.nan, 1.0]]))
    with pytest.raises(ValueError, match="no examples counted"):
        train.Evaluation().confusion_matrix()
    with pytest.raises(ValueError, match="3 classes so far, but names have 2|2 classes so far"):
        train.Evaluation(3, names=["a", "b"])
    assert nd.asarray(evaluation.confusion_matrix()).dtype == nd.int64


@pytest.mark.parametrize(
    "evaluation", [train.Evaluation(), train.Evaluation(2), train.Evaluation(names=["a", "b", "c"])]
)
def test_an_evaluation_without_examples_has_words_and_zeros(evaluation):
    text = evaluation.stats()
    assert "Examples:   0" in text
    assert "Accuracy:   0.0000" in text
    assert "No examples counted yet" in text
    assert (evaluation.accuracy(), evaluation.precision(), evaluation.recall(), evaluation.f1()) == (0, 0, 0, 0)
    assert evaluation.precision(0) == 0
    n = evaluation.n_classes or 0
    kinds = (
        evaluation.true_positives,
        evaluation.false_positives,
        evaluation.false_negatives,
        evaluation.true_negatives,
    )
    assert [kind() for kind in kinds] == [[0] * n] * 4
    assert evaluation.n_examples == 0
    assert str(evaluation) == "Evaluation(no examples)"
    if n:
        assert evaluation.confusion_matrix().tolist() == [[0] * n] * n
