"""Transformations of tables: steps from the columns of files to those that a network learns from.

The files, as the build lists them:

- analysis.py: Analysis of columns: what numbers and texts they hold.
- column_steps.py: Steps that take, leave, name and select columns and rows, and change values.
- conditions.py: Conditions on the values of a column: which rows fulfil them.
- number_steps.py: Steps that compute: arithmetic, normalization, and times read from texts.
- process.py: TransformProcess: steps from the columns of files to those that a network learns from.
- text_steps.py: Steps on texts and categories: changes of texts, texts joined, and numbers that become categories
  again.
"""

from .analysis import ColumnAnalysis, analyze
from .process import TransformProcess

__all__ = ["ColumnAnalysis", "TransformProcess", "analyze"]
