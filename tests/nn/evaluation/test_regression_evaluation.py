"""Errors of regression against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(6)
LABELS = RNG.normal(size=(150, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, -2.0]
PREDICTIONS = LABELS + RNG.normal(size=(150, 3)) * [0.5, 20.0, 0.01]


def evaluated(labels=LABELS, predictions=PREDICTIONS, mask=None, edges=(40, 41), **settings):
    evaluation = nn.RegressionEvaluation(**settings)
    for part in (slice(edges[0]), slice(*edges), slice(edges[1], None)):
        evaluation.eval(labels[part], predictions[part], None if mask is None else mask[part])
    return evaluation


METRICS = {
    "mean_squared_error": metrics.mean_squared_error,
    "mean_absolute_error": metrics.mean_absolute_error,
    "root_mean_squared_error": metrics.root_mean_squared_error,
    "r_squared": metrics.r2_score,
    "relative_squared_error": lambda y, p: np.sum((p - y) ** 2) / np.sum((y - y.mean()) ** 2),
    "pearson_correlation": lambda y, p: np.corrcoef(y, p)[0, 1],
}


@pytest.mark.parametrize("name", METRICS)
def test_agrees_with_scikit_learn(name):
    metric = getattr(evaluated(), name)
    expected = [METRICS[name](LABELS[:, i], PREDICTIONS[:, i]) for i in range(3)]
    assert [metric(i) for i in range(3)] == pytest.approx(expected, rel=1e-11)
    assert metric() == pytest.approx(np.mean(expected), rel=1e-11)


@pytest.mark.parametrize("name", METRICS)
def test_large_numbers_with_small_differences_lose_nothing(name):
    metric = getattr(evaluated(LABELS + 1e8, PREDICTIONS + 1e8), name)
    labels, predictions = (LABELS + 1e8) - 1e8, (PREDICTIONS + 1e8) - 1e8
    expected = [METRICS[name](labels[:, i], predictions[:, i]) for i in range(3)]
    assert [metric(i) for i in range(3)] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("middle", [0.0, 3.0, 1e6])
@pytest.mark.parametrize("bias", [0.0, 1.0, 1e4])
@pytest.mark.parametrize("noise", [1e-9, 0.1, 1.0, 1e4])
def test_correlations_keep_their_digits_beside_large_errors_and_means(noise, bias, middle):
    labels = RNG.normal(size=300) + middle
    predictions = labels + bias + noise * RNG.normal(size=300)
    evaluation = nn.RegressionEvaluation()
    evaluation.eval(labels[:, None], predictions[:, None])
    exact = np.corrcoef(labels - labels.mean(), predictions - predictions.mean())[0, 1]
    assert evaluation.pearson_correlation() == pytest.approx(exact, abs=1e-13)


def test_masks_of_columns_and_of_steps():
    mask = RNG.integers(0, 2, (150, 3))
    mask[:40, 1] = 0  # a part without any
    labels, predictions = np.where(mask, LABELS, np.nan), np.where(mask, PREDICTIONS, np.nan)
    evaluation = evaluated(labels, predictions, mask)
    for i in range(3):
        kept = mask[:, i] == 1
        for name, reference in METRICS.items():
            assert getattr(evaluation, name)(i) == pytest.approx(reference(LABELS[kept, i], PREDICTIONS[kept, i]))
        assert evaluation.n_examples(i) == kept.sum()
    steps = nn.RegressionEvaluation()
    steps.eval(LABELS.reshape(10, 15, 3), PREDICTIONS.reshape(10, 15, 3), mask[:, 0].reshape(10, 15))
    kept = mask[:, 0] == 1
    assert steps.r_squared(2) == pytest.approx(metrics.r2_score(LABELS[kept, 2], PREDICTIONS[kept, 2]))


def test_what_is_not_defined_is_left_out_of_means():
    labels, predictions = LABELS.copy(), PREDICTIONS.copy()
    labels[:, 1] = 5.0
    evaluation = evaluated(labels, predictions)
    assert np.isnan(evaluation.r_squared(1))
    assert np.isnan(evaluation.pearson_correlation(1))
    assert evaluation.r_squared() == pytest.approx((evaluation.r_squared(0) + evaluation.r_squared(2)) / 2)
    assert evaluation.mean_squared_error(1) == pytest.approx(
        metrics.mean_squared_error(labels[:, 1], predictions[:, 1])
    )
    empty = nn.RegressionEvaluation()
    assert np.isnan(empty.mean_squared_error())
    assert np.isnan(empty.r_squared(2))
    assert (empty.n_columns, empty.n_examples(0), str(empty)) == (None, 0, "RegressionEvaluation(no examples)")


def test_parts_merge_and_go_on_from_their_text():
    first, second = nn.RegressionEvaluation(), nn.RegressionEvaluation()
    first.eval(LABELS[:60], PREDICTIONS[:60])
    second.eval(LABELS[60:], PREDICTIONS[60:])
    again = nn.RegressionEvaluation.from_json(first.to_json())
    assert again.to_json() == first.to_json()
    again.merge(second)
    again.merge(nn.RegressionEvaluation())
    for name, reference in METRICS.items():
        assert getattr(again, name)(1) == pytest.approx(reference(LABELS[:, 1], PREDICTIONS[:, 1]))


def test_a_single_column_and_text():
    evaluation = nn.RegressionEvaluation(["degrees"])
    evaluation.eval(LABELS[:, 0], PREDICTIONS[:, 0])
    evaluation.eval(LABELS[:, :1], PREDICTIONS[:, :1])
    lines = evaluation.stats().splitlines()
    assert lines[1].split() == ["column", "MSE", "MAE", "RMSE", "RSE", "correlation", "R^2"]
    assert lines[2].split()[:2] == ["degrees", f"{metrics.mean_squared_error(LABELS[:, 0], PREDICTIONS[:, 0]):.5g}"]
    assert evaluation.n_columns == 1


@pytest.mark.parametrize(
    "run, error, message",
    [
        (lambda: nn.RegressionEvaluation(["a"]).eval(LABELS, PREDICTIONS), ValueError, "1 names for 3 columns"),
        (lambda: evaluated().eval(LABELS[:, :2], PREDICTIONS[:, :2]), ValueError, "3 outputs so far, now 2"),
        (lambda: nn.RegressionEvaluation().eval(LABELS, PREDICTIONS[:9]), ValueError, r"predictions \(9, 3\)"),
        (lambda: nn.RegressionEvaluation().eval(LABELS, PREDICTIONS * np.nan), ValueError, "predictions are NaN"),
        (lambda: evaluated().r_squared(3), IndexError, "number must be below 3"),
        (lambda: evaluated().r_squared(-1), ValueError, "number must be a whole number of at least 0"),
        (lambda: evaluated().merge(nn.ROC()), TypeError, "must be a RegressionEvaluation"),
    ],
)
def test_what_does_not_fit_is_refused(run, error, message):
    with pytest.raises(error, match=message):
        run()


@pytest.mark.parametrize("form", ["whole", "strided", "reversed", "masked", "float32", "read_only", "vector"])
def test_memory_of_others_counts_as_at_the_call(form):
    """Arrays of NumPy give what ours give, whatever is written into them when they are counted."""
    labels, predictions, mask = LABELS.copy(), PREDICTIONS.copy(), None
    if form == "strided":
        labels, predictions = np.repeat(labels, 2, axis=0)[::2], np.asfortranarray(predictions)
    elif form == "reversed":
        labels, predictions = labels[::-1], predictions[::-1]
    elif form == "masked":
        mask = (LABELS > 0).astype("float64")
    elif form == "float32":
        labels, predictions = labels.astype("float32"), predictions.astype("float32")
    elif form == "read_only":
        labels.flags.writeable = predictions.flags.writeable = False
    elif form == "vector":
        labels, predictions = labels[:, 0], predictions[:, 0]
    ours = nn.RegressionEvaluation()
    ours.eval(nd.array(labels), nd.array(predictions), mask)
    theirs = nn.RegressionEvaluation()
    shared = nd.asarray(predictions)
    theirs.eval(labels, shared, mask)
    if form != "read_only":
        labels[...] = predictions[...] = np.nan
        assert nd.all(nd.isnan(shared))  # still an array over that memory
    for name in METRICS:
        assert getattr(theirs, name)() == pytest.approx(getattr(ours, name)(), rel=1e-12)


def test_a_number_of_columns_stands_for_as_many_names():
    evaluation = nn.RegressionEvaluation(2)
    evaluation.eval([[1.0, 2.0], [2.0, 4.0]], [[1.0, 3.0], [2.0, 4.0]])
    assert evaluation.mean_squared_error(1) == 0.5
    assert nn.RegressionEvaluation.from_json(evaluation.to_json()).stats() == evaluation.stats()
    with pytest.raises(ValueError, match="2 names for 3 columns"):
        evaluation.eval([[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="number of columns must be a whole number of at least 1, given 0"):
        nn.RegressionEvaluation(0)
