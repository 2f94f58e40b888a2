"""Evaluation: how good the outputs of a network are, counted batch by batch.

The files, as the build lists them:

- calibration.py: EvaluationCalibration: whether the probabilities of a classifier are as often right as they say.
- evaluation_binary.py: EvaluationBinary: hits and errors of outputs that are independent decisions, each by a threshold
  of its own.
- multiclass.py: Evaluation of classifiers: the confusion matrix, and the metrics computed from it.
- pictures.py: Pictures of evaluations: confusion matrices, curves of scores, and reliability.
- ratios.py: Ratios of true and false positives and negatives: precision, recall and what else is made of them.
- regression_evaluation.py: RegressionEvaluation: errors of numbers that are predicted, and their correlation with what
  they should be.
- roc.py: ROC, ROCBinary and ROCMultiClass: for two classes, for independent outputs, and for each class against the
  others.
- rows.py: Labels and predictions as evaluations take them: a row for each example, step of a sequence or pixel that
  counts.
- score_curves.py: Curves of scores over all thresholds: the base class of ROC evaluations, and the areas under the
  curves.
- streamed.py: StreamedEvaluation: the base class of evaluations, which batches come to one after another.
- told.py: Evaluations of the outputs of a network: which is told of which output, and the loop that tells them.
"""

from .calibration import EvaluationCalibration
from .evaluation_binary import EvaluationBinary
from .multiclass import Evaluation, Prediction
from .regression_evaluation import RegressionEvaluation
from .roc import ROC, ROCBinary, ROCMultiClass

__all__ = [
    "ROC",
    "Evaluation",
    "EvaluationBinary",
    "EvaluationCalibration",
    "Prediction",
    "ROCBinary",
    "ROCMultiClass",
    "RegressionEvaluation",
]
