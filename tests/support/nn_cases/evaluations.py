"""A good call of every evaluation and of its methods, for `training_calls`."""

from public_calls import call, of

import nd4py as nd
from nd4py import nn
from nd4py.nn.evaluation.ratios import RatioEvaluation


def evaluation(make):
    """One that has seen something."""
    result = make()
    result.eval(nd.asarray([[1.0, 0.0], [0.0, 1.0]]), nd.asarray([[0.9, 0.1], [0.2, 0.8]]))
    return result


RATIOS = (
    "f1", "g_measure", "precision", "recall", "false_alarm_rate", "false_negative_rate", "false_positive_rate",
    "matthews_correlation",
)  # fmt: skip
CURVES = ("auc", "auprc", "average_precision", "n_examples", "precision_recall_curve", "roc_curve")
# Methods that take the number of a class, an output or a column.
NUMBERED = {
    nn.Evaluation: RATIOS,
    nn.EvaluationBinary: (*RATIOS, "accuracy", "n_examples"),
    nn.EvaluationCalibration: (
        "expected_calibration_error", "probability_histogram", "reliability_diagram", "residual_histogram",
    ),
    nn.RegressionEvaluation: (
        "mean_absolute_error", "mean_squared_error", "n_examples", "pearson_correlation", "r_squared",
        "relative_squared_error", "root_mean_squared_error",
    ),
    **dict.fromkeys((nn.ROC, nn.ROCBinary, nn.ROCMultiClass), CURVES),
}  # fmt: skip
EVALUATIONS = {
    "Evaluation": lambda: call(nn.Evaluation, 2, ["a", "b"], top_n=2, threshold=0.5),
    "Prediction": lambda: call(nn.Prediction, 1, 0, "image 7"),
    "Evaluation.plot": lambda: call(evaluation(nn.Evaluation).plot, "matrix.png"),
    "Evaluation.predictions_of": lambda: call(evaluation(nn.Evaluation).predictions_of, actual=1, predicted=0),
    "EvaluationBinary": lambda: call(nn.EvaluationBinary, [0.5, 0.4], ["a", "b"]),
    "EvaluationCalibration": lambda: call(nn.EvaluationCalibration, 5, 8),
    "RegressionEvaluation": lambda: call(nn.RegressionEvaluation, ["a", "b"]),
    "ROC": lambda: call(nn.ROC, 10),
    "ROCBinary": lambda: call(nn.ROCBinary, 10),
    "ROCMultiClass": lambda: call(nn.ROCMultiClass, 10),
}
for make, names in NUMBERED.items():
    own = dict.fromkeys(names, lambda number=int(make is not nn.ROC): (number,))
    own |= {"f_beta": lambda: (2.0, 1)} if issubclass(make, RatioEvaluation) else {}
    if hasattr(make, "plot") and make is not nn.Evaluation:
        own["plot"] = lambda: ("picture.png", 0)
    calls = of(
        lambda make=make: evaluation(make), **own, from_json=lambda make=make: (evaluation(make).to_json(),),
        eval=lambda: (nd.asarray([[0.0, 1.0], [1.0, 0.0]]), nd.asarray([[0.9, 0.1], [0.2, 0.8]])),
        merge=lambda make=make: (evaluation(make),),
    )  # fmt: skip
    EVALUATIONS |= {f"{make.__name__}.{method}": each for method, each in calls.items()}
