"""Calibration of probabilities against scikit-learn and NumPy."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from nd4py import nn

RNG = np.random.default_rng(8)
N = 400
P = RNG.dirichlet([0.6, 0.5, 0.4], size=N)
ACTUAL = np.array([RNG.choice(3, p=0.7 * p + 0.1) for p in P])


def evaluated(labels=ACTUAL, p=P, **settings):
    calibration = nn.EvaluationCalibration(**settings)
    for part in (slice(150), slice(150, None)):
        calibration.eval(labels[part], p[part])
    return calibration


@pytest.mark.parametrize("n_bins", [5, 10])
@pytest.mark.parametrize("labels", [ACTUAL, ACTUAL[:, None], np.eye(3)[ACTUAL]], ids=["numbers", "column", "one-hot"])
def test_reliability_agrees_with_scikit_learn(n_bins, labels):
    calibration = evaluated(labels, n_bins=n_bins)
    for i in range(3):
        is_so, p = calibration_curve(i == ACTUAL, P[:, i], n_bins=n_bins)
        ours = [np.asarray(part) for part in calibration.reliability_diagram(i)]
        np.testing.assert_allclose(ours[0], p, rtol=1e-12)
        np.testing.assert_allclose(ours[1], is_so, rtol=1e-12)
        assert ours[2].sum() == N
        assert calibration.expected_calibration_error(i) == pytest.approx(np.sum(ours[2] * abs(p - is_so)) / N)


def test_calibration_error_of_the_predicted_class():
    largest, is_right = P.max(1), P.argmax(1) == ACTUAL
    is_so, p = calibration_curve(is_right, largest, n_bins=10)
    calibration = evaluated()
    found = [np.asarray(part) for part in calibration.reliability_diagram()]
    np.testing.assert_allclose(found[0], p, rtol=1e-12)
    np.testing.assert_allclose(found[1], is_so, rtol=1e-12)
    bins = np.minimum(np.ceil(largest * 10).astype(int) - 1, 9)
    gaps = [abs(largest[bins == b].sum() - is_right[bins == b].sum()) for b in range(10)]
    assert calibration.expected_calibration_error() == pytest.approx(sum(gaps) / N)
    assert calibration.n_examples == N
    assert calibration.n_classes == 3


def test_histograms():
    calibration = evaluated(n_histogram_bins=20)
    residuals = abs(np.eye(3)[ACTUAL] - P)
    for found, values in ((calibration.probability_histogram, P), (calibration.residual_histogram, residuals)):
        edges, counts = found()
        expected, expected_edges = np.histogram(values, 20, range=(0, 1))
        np.testing.assert_allclose(np.asarray(edges), expected_edges)
        np.testing.assert_array_equal(np.asarray(counts), expected)
        np.testing.assert_array_equal(np.asarray(found(2)[1]), np.histogram(values[:, 2], 20, range=(0, 1))[0])


def test_a_single_column_is_class_one_of_two():
    column = evaluated((ACTUAL == 1).astype(int), P[:, 1:2])
    both = evaluated((ACTUAL == 1).astype(int), np.stack([1 - P[:, 1], P[:, 1]], axis=1))
    assert column.to_json() == both.to_json()


def test_parts_merge_and_go_on_from_their_text():
    whole, first, second = evaluated(), nn.EvaluationCalibration(), nn.EvaluationCalibration()
    first.eval(ACTUAL[:100], P[:100])
    second.eval(ACTUAL[100:], P[100:])
    again = nn.EvaluationCalibration.from_json(first.to_json())
    assert again.to_json() == first.to_json()
    again.merge(second)
    again.merge(nn.EvaluationCalibration())
    for i in (None, 0, 1, 2):
        for ours, theirs in zip(again.reliability_diagram(i), whole.reliability_diagram(i), strict=True):
            np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-12)
    with pytest.raises(ValueError, match="n_bins is 10 here and 5 there"):
        again.merge(evaluated(n_bins=5))


def test_masked_steps_do_not_count():
    mask = RNG.integers(0, 2, (40, 10))
    steps = nn.EvaluationCalibration()
    steps.eval(ACTUAL.reshape(40, 10), P.reshape(40, 10, 3), mask)
    kept = mask.reshape(-1) == 1
    rows = nn.EvaluationCalibration()
    rows.eval(ACTUAL[kept], P[kept])
    assert steps.to_json() == rows.to_json()


def test_text():
    calibration = evaluated()
    lines = calibration.stats().splitlines()
    assert lines[2] == f"Expected calibration error:  {calibration.expected_calibration_error():.4f}"
    assert lines[3] == f"  of class 0:  {calibration.expected_calibration_error(0):.4f}"
    assert sum(int(line.split()[-1]) for line in lines[7:]) == N
    assert str(nn.EvaluationCalibration()) == "EvaluationCalibration(no examples)"
    assert "No examples counted yet" in nn.EvaluationCalibration().stats()
    assert np.isnan(nn.EvaluationCalibration().expected_calibration_error())


@pytest.mark.parametrize(
    "run, error, message",
    [
        (lambda: nn.EvaluationCalibration(0), ValueError, "n_bins must be a whole number of at least 1"),
        (lambda: nn.EvaluationCalibration().eval(ACTUAL, P * 2), ValueError, "probabilities are needed"),
        (lambda: nn.EvaluationCalibration().eval(ACTUAL, P * np.nan), ValueError, "predictions are NaN"),
        (lambda: nn.EvaluationCalibration().eval([3], P[:1]), ValueError, "numbers of classes from 0 to 2"),
        (lambda: nn.EvaluationCalibration().residual_histogram(), ValueError, "no examples counted yet"),
        (lambda: evaluated().reliability_diagram(3), IndexError, "number must be below 3"),
        (lambda: evaluated().eval(ACTUAL[:5] % 2, P[:5, :2]), ValueError, "3 outputs so far, now 2"),
        (
            lambda: nn.EvaluationCalibration.from_json(evaluated().to_json().replace('"n_bins": 10', '"n_bins": 9')),
            ValueError,
            "must have 9 bins",
        ),
    ],
)
def test_what_does_not_fit_is_refused(run, error, message):
    with pytest.raises(error, match=message):
        run()
