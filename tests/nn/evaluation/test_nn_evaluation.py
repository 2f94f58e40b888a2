"""Evaluation against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

import nd4py as nd
from nd4py import nn, train


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


@pytest.mark.parametrize("n_classes", [2, 4])
def test_averages_and_ratios_agree_with_scikit_learn(n_classes):
    actual, predicted = sample(n_classes)
    evaluation = counted(actual, predicted, n_classes)
    for average in ("macro", "micro"):
        of = {"average": average}
        assert evaluation.precision(**of) == pytest.approx(metrics.precision_score(actual, predicted, **of))
        assert evaluation.recall(**of) == pytest.approx(metrics.recall_score(actual, predicted, **of))
        assert evaluation.f1(**of) == pytest.approx(metrics.f1_score(actual, predicted, **of))
        for beta in (0.0, 0.5, 2.0):
            expected = metrics.fbeta_score(actual, predicted, beta=beta, **of)
            assert evaluation.f_beta(beta, **of) == pytest.approx(expected)
    assert evaluation.matthews_correlation() == pytest.approx(metrics.matthews_corrcoef(actual, predicted))
    for i in range(n_classes):
        expected = metrics.matthews_corrcoef(actual == i, predicted == i)
        assert evaluation.matthews_correlation(i) == pytest.approx(expected)
        (rest, false_alarms), (misses, hits) = metrics.confusion_matrix(actual == i, predicted == i)
        rates = false_alarms / (false_alarms + rest), misses / (misses + hits)
        assert evaluation.false_positive_rate(i) == pytest.approx(rates[0])
        assert evaluation.false_negative_rate(i) == pytest.approx(rates[1])
        assert evaluation.false_alarm_rate(i) == pytest.approx(sum(rates) / 2)
        assert evaluation.g_measure(i) == pytest.approx(np.sqrt(evaluation.precision(i) * evaluation.recall(i)))


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_top_n_agrees_with_scikit_learn(n):
    rng = np.random.default_rng(1)
    actual, scores = rng.integers(0, 5, 100), rng.normal(size=(100, 5))
    evaluation = train.Evaluation(top_n=n)
    for part in (slice(30), slice(30, None)):
        evaluation.eval(actual[part], scores[part])
    expected = metrics.top_k_accuracy_score(actual, scores, k=n) if n < 5 else 1.0
    assert evaluation.top_n_accuracy() == pytest.approx(expected)
    assert (f"Top {n}:      {expected:.4f}" in evaluation.stats()) == (n > 1)


def test_threshold_of_two_classes():
    actual, p = np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8])
    for predictions in (p, p[:, None], np.stack([1 - p, p], axis=1)):
        evaluation = train.Evaluation(threshold=0.3)
        evaluation.eval(actual, predictions)
        assert evaluation.confusion_matrix().tolist() == metrics.confusion_matrix(actual, p > 0.3).tolist()
    with pytest.raises(ValueError, match="threshold=0.3 is for two classes, predictions have 3"):
        train.Evaluation(threshold=0.3).eval([0], np.ones((1, 3)))


@pytest.mark.parametrize("labels_are_numbers", [False, True])
def test_masked_steps_do_not_count(labels_are_numbers):
    rng = np.random.default_rng(2)
    actual, scores = rng.integers(0, 3, (4, 6)), rng.normal(size=(4, 6, 3))
    mask = rng.integers(0, 2, (4, 6))
    scores[mask == 0] = np.nan
    evaluation = train.Evaluation()
    evaluation.eval(actual if labels_are_numbers else np.eye(3)[actual], scores, mask)
    kept = mask == 1
    expected = metrics.confusion_matrix(actual[kept], scores[kept].argmax(-1))
    assert evaluation.confusion_matrix().tolist() == expected.tolist()
    evaluation.eval(actual, scores, np.zeros((4, 6)))
    assert evaluation.n_examples == kept.sum()


def test_pixels_of_images_count_one_by_one():
    rng = np.random.default_rng(3)
    actual, scores = rng.integers(0, 3, (2, 4, 5)), rng.normal(size=(2, 3, 4, 5))
    mask = rng.integers(0, 2, (2, 4, 5))
    evaluation = train.Evaluation()
    evaluation.eval(np.moveaxis(np.eye(3)[actual], -1, 1), scores, mask)
    expected = metrics.confusion_matrix(actual[mask == 1], scores.argmax(1)[mask == 1])
    assert evaluation.confusion_matrix().tolist() == expected.tolist()


def test_an_evaluation_goes_on_from_its_text():
    actual, predicted = sample(3)
    first = counted(actual[:90], predicted[:90], 3, names=["a", "b", "c"], top_n=2)
    again = train.Evaluation.from_json(first.to_json())
    assert again.stats() == first.stats()
    again.eval(np.eye(3)[actual[90:]], np.eye(3)[predicted[90:]])
    whole = counted(actual, predicted, 3, names=["a", "b", "c"], top_n=2)
    assert again.to_json() == whole.to_json()
    assert train.Evaluation.from_json(train.Evaluation().to_json()).n_classes is None


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "of no Evaluation"),
        ("[]", "of no Evaluation"),
        ("{}", "'class'"),
        ('{"class": "ROC"}', "it is one of 'ROC'"),
        ('{"class": "Evaluation", "settings": {"n": 3}, "state": null}', "there is no setting .n.. Known: n_classes"),
        ('{"class": "Evaluation", "settings": {}, "state": {"counts": [[1]]}}', "are needed, given"),
        ('{"class": "Evaluation", "settings": {}, "state": {"counts": [1, 2], "in_top": 1}}', "must have 2 axes"),
        ('{"class": "Evaluation", "settings": {}, "state": {"counts": [[1, 2]], "in_top": 1}}', "must be square"),
        ('{"class": "Evaluation", "settings": {"n_classes": 3}, "state": {"counts": [[1]], "in_top": 1}}', "3 classes"),
        ('{"class": "Evaluation", "settings": {}, "state": {"counts": [["x"]], "in_top": 1}}', "of no Evaluation"),
    ],
)
def test_damaged_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        train.Evaluation.from_json(text)


def test_wrong_arguments_are_refused():
    evaluation = counted(*sample(3), 3)
    with pytest.raises(ValueError, match="average must be 'macro' or 'micro', given 'median'"):
        evaluation.f1(average="median")
    with pytest.raises(ValueError, match="a number or an average, not both"):
        evaluation.recall(1, average="macro")
    with pytest.raises(IndexError, match="number must be below 3"):
        evaluation.precision(3)
    with pytest.raises(ValueError, match="beta must be at least 0"):
        evaluation.f_beta(-1.0)
    with pytest.raises(ValueError, match="top_n is 1 here and 2 there"):
        evaluation.merge(counted(*sample(3), 3, top_n=2))
    with pytest.raises(ValueError, match="3 classes so far, but the other evaluation have 4"):
        evaluation.merge(counted(*sample(4), 4))
    with pytest.raises(ValueError, match="numbers of classes from 0 to 2"):
        evaluation.eval([0, 3], np.ones((2, 3)))
    with pytest.raises(TypeError, match="text must be a str, given int"):
        train.Evaluation.from_json(3)
    with pytest.raises(ValueError, match="mask with a number for each output"):
        evaluation.eval(np.eye(3), np.eye(3), np.ones((3, 3)))


def test_memory_does_not_grow_with_the_data():
    evaluations = (
        train.Evaluation(), train.EvaluationBinary(), train.RegressionEvaluation(), train.ROC(100),
        train.ROCBinary(100), train.ROCMultiClass(100), train.EvaluationCalibration(),
    )  # fmt: skip
    rng = np.random.default_rng(4)

    def size(evaluation):
        return sum(array.size for array in evaluation._whole().values())

    sizes = []
    for _ in range(3):
        scores = rng.uniform(size=(500, 2))
        for evaluation in evaluations:
            evaluation.eval(np.eye(2)[rng.integers(0, 2, 500)], scores)
        sizes.append([size(evaluation) for evaluation in evaluations])
    assert sizes[0] == sizes[1] == sizes[2]


@pytest.mark.parametrize("kind", [nn.Evaluation, nn.ROCMultiClass, nn.RegressionEvaluation, nn.EvaluationBinary])
def test_one_number_is_no_batch(kind):
    with pytest.raises(ValueError, match="predictions need an axis for the examples"):
        kind().eval(nd.ones((2, 2)), 0.5)


def test_costs_weigh_the_scores_of_classes():
    rng = np.random.default_rng(3)
    scores, actual, costs = rng.dirichlet(np.ones(3), 200), rng.integers(0, 3, 200), [0.5, 1.0, 3.0]
    evaluation = train.Evaluation(costs=costs, top_n=2)
    evaluation.eval(actual, scores)
    weighed = scores * costs
    expected = metrics.confusion_matrix(actual, weighed.argmax(axis=1))
    assert evaluation.confusion_matrix().tolist() == expected.tolist()
    assert evaluation.top_n_accuracy() == pytest.approx(metrics.top_k_accuracy_score(actual, weighed, k=2))
    again = train.Evaluation.from_json(evaluation.to_json())
    again.merge(evaluation)
    assert again.confusion_matrix().tolist() == (2 * expected).tolist()
    other = train.Evaluation(costs=[1.0, 1.0, 1.0], top_n=2)
    other.eval(actual, scores)
    with pytest.raises(ValueError, match="costs is"):
        again.merge(other)


def test_costs_of_one_column_are_those_of_both_classes():
    evaluation = train.Evaluation(costs=[1.0, 4.0])
    evaluation.eval([0, 1, 1], [[0.1], [0.3], [0.9]])
    assert evaluation.confusion_matrix().tolist() == [[1, 0], [0, 2]]


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"costs": [1.0, 0.0]}, "positive number"),
        ({"costs": [1.0]}, "two or more"),
        ({"costs": [1.0, float("nan")]}, "finite"),
        ({"costs": [1.0, 2.0], "threshold": 0.5}, "not both"),
        ({"costs": [1.0, 2.0], "n_classes": 3}, "3 classes so far, but costs have 2"),
    ],
)
def test_wrong_costs_are_refused(settings, match):
    with pytest.raises(ValueError, match=match):
        train.Evaluation(**settings)


def test_metadata_tells_which_examples_are_errors():
    evaluation = train.Evaluation()
    evaluation.eval([0, 1, 1], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], metadata=["a", "b", "c"])
    evaluation.eval([0, 0], [[0.2, 0.8], [0.6, 0.4]])
    other = train.Evaluation()
    other.eval(np.eye(2)[[0, 1]], [[0.4, 0.6], [0.9, 0.1]], mask=[0, 1], metadata=["e"])
    evaluation.merge(other)
    assert evaluation.prediction_errors() == [nn.Prediction(1, 0, "b"), nn.Prediction(1, 0, "e")]
    assert [each.metadata for each in evaluation.predictions_of(actual=1)] == ["b", "c", "e"]
    assert [each.metadata for each in evaluation.predictions_of(actual=1, predicted=1)] == ["c"]
    assert evaluation.n_examples == 6
    with pytest.raises(IndexError, match="below 2"):
        evaluation.predictions_of(predicted=2)
    with pytest.raises(ValueError, match="1 items and 2 rows"):
        evaluation.eval([0, 1], [[0.9, 0.1], [0.8, 0.2]], metadata=["f"])
    assert evaluation.n_examples == 6
    evaluation.reset()
    assert evaluation.prediction_errors() == []


@pytest.mark.parametrize("n", [2, 25, 26, 200])
def test_a_table_fits_on_a_screen(n):
    rng = np.random.default_rng(n)
    labels, scores = rng.integers(0, n, 40), rng.dirichlet(np.ones(n), 40)
    one_hot = np.eye(n)[labels]
    for evaluation, actual in (
        (nn.Evaluation(n), labels),
        (nn.EvaluationBinary(), one_hot),
        (nn.EvaluationCalibration(n_bins=n), one_hot),
        (nn.ROCBinary(), one_hot),
        (nn.ROCMultiClass(), labels),
        (nn.RegressionEvaluation(), one_hot),
    ):
        evaluation.eval(actual, scores)
        lines = str(evaluation).splitlines()
        assert len(lines) <= 60
        assert max(map(len, lines)) <= 120
        assert any(word in str(evaluation) for word in ("more", "too many")) is (n > 25)


@pytest.mark.parametrize("wrong", [-0.5, 1.5, np.nan])
def test_numbers_in_place_of_two_classes_are_told_what_compares_them(wrong):
    labels, outputs = np.asarray([[0.0], [1.0], [wrong], [0.5]]), np.asarray([[0.2], [0.7], [0.1], [0.4]])
    with pytest.raises(ValueError, match=r"labels of one column are 0 or 1, .*; nn\.RegressionEvaluation compares"):
        nn.Evaluation().eval(labels, outputs)
    counted = nn.Evaluation()
    counted.eval(labels, outputs, mask=np.asarray([[1.0], [1.0], [0.0], [1.0]]))
    assert counted.n_examples == 3
