"""Evaluations of a million predictions: at once, in batches, and beside scikit-learn."""

import numpy as np

import nd4py as nd
from nd4py import nn

from .ratios import UNIT, ratio

N = 1_000_000


def of_classes(n_classes):
    """Numbers of classes, and probabilities that know something of them."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, n_classes, N)
    scores = rng.random((N, n_classes), dtype="float32")
    scores[np.arange(N), labels] += 0.3
    return labels, scores / scores.sum(1, keepdims=True)


def of_two():
    labels, scores = of_classes(2)
    return labels, scores[:, 1]


def of_numbers():
    rng = np.random.default_rng(2)
    numbers = rng.standard_normal((N, 1)).astype("float32")
    return numbers, numbers + rng.standard_normal((N, 1)).astype("float32")


EVALUATIONS = {
    "Evaluation": (nn.Evaluation, lambda: of_classes(10), lambda e: e.f1()),
    "EvaluationCalibration": (
        nn.EvaluationCalibration,
        lambda: of_classes(10),
        lambda e: e.expected_calibration_error(),
    ),
    "ROC": (nn.ROC, of_two, lambda e: e.auc()),
    "ROC, 200 steps": (lambda: nn.ROC(200), of_two, lambda e: e.auc()),
    "ROCMultiClass": (nn.ROCMultiClass, lambda: of_classes(3), lambda e: e.auc()),
    "RegressionEvaluation": (nn.RegressionEvaluation, of_numbers, lambda e: e.r_squared()),
}


class TimeEvaluation:
    """Counting the predictions and asking for one number."""

    params = [list(EVALUATIONS), [N, 10_000]]
    param_names = ["evaluation", "batch"]
    timeout = 120

    def setup(self, evaluation, batch):
        self.make, given, self.ask = EVALUATIONS[evaluation]
        labels, predictions = (nd.asarray(each) for each in given())
        self.batches = [(labels[i : i + batch], predictions[i : i + batch]) for i in range(0, N, batch)]

    def time_evaluation(self, evaluation, batch):
        found = self.make()
        for labels, predictions in self.batches:
            found.eval(labels, predictions)
        self.ask(found)


def roc_auc(metrics, labels, scores):
    return metrics.roc_auc_score(labels, scores)


def macro_f1(metrics, labels, scores):
    return metrics.f1_score(labels, scores.argmax(1), average="macro")


def r_squared(metrics, labels, predictions):
    return metrics.r2_score(labels, predictions)


THEIRS = {"ROC": roc_auc, "Evaluation": macro_f1, "RegressionEvaluation": r_squared}


class TrackEvaluationRatio:
    """Beside scikit-learn's function for the same number, all predictions at once."""

    params = [list(THEIRS)]
    param_names = ["evaluation"]
    unit = UNIT.replace("numpy", "scikit-learn")
    timeout = 120

    def setup(self, evaluation):
        try:
            from sklearn import metrics
        except ImportError:
            raise NotImplementedError from None  # which asv takes for skipping
        make, given, ask = EVALUATIONS[evaluation]
        labels, predictions = given()
        ours = nd.asarray(labels), nd.asarray(predictions)

        def evaluated():
            found = make()
            found.eval(*ours)
            return ask(found)

        self.calls = evaluated, lambda: THEIRS[evaluation](metrics, labels, predictions)

    def track_ratio(self, evaluation):
        return ratio(*self.calls)
