"""Operators of `ai.onnx.ml`: models of scikit-learn and others, and what makes features ready for them.

The files, as the build lists them:

- class_scores.py: Scores of classes: what they are turned into, and the labels of the best.
- feature_nodes.py: Features made ready for a model: scaled, normalized, cut into two, filled in, picked, put together.
- label_nodes.py: Labels by other labels, and classes as vectors; labels are numbers or texts.
- linear_model_nodes.py: Linear models, for numbers and for classes.
- tree_nodes.py: Ensembles of trees of decisions, of every example at once: level by level, all trees together.
- vector_machine_nodes.py: Support vector machines, for numbers and for classes.
"""

from ..operator_rows import Limits, Rows
from . import feature_nodes, label_nodes, linear_model_nodes, tree_nodes, vector_machine_nodes

OPERATORS: Rows = {
    **feature_nodes.OPERATORS,
    **label_nodes.OPERATORS,
    **linear_model_nodes.OPERATORS,
    **tree_nodes.OPERATORS,
    **vector_machine_nodes.OPERATORS,
}
LIMITS: Limits = {**linear_model_nodes.LIMITS, **tree_nodes.LIMITS, **vector_machine_nodes.LIMITS}
