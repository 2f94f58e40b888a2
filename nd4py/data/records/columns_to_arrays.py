"""Which columns of a table are features and which labels, and the arrays that they become."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance, items, whole

from .tables import Texts, column_name, lookup, numbers, place


@dataclass(frozen=True)
class Columns:
    """Makes features and labels of tables.

    features: columns, by name or number; None for all that are no labels
    labels: columns; () for none
    classes: the names of the classes, in order; or their number, where labels are numbers from 0; None for regression
    """

    features: tuple[Any, ...] | None
    labels: tuple[Any, ...]
    classes: Any
    dtype: Any

    def with_classes_of(self, reader):
        """These columns with the classes of a single column of labels that has texts, where their names were not given.

        Raises ValueError where there are not as many as were given.
        """
        if len(self.labels) != 1 or isinstance(self.classes, list):
            return self
        if self.classes is None:
            return replace(self, classes=reader.classes(self.labels[0]))
        if not reader._begins_with_texts(self.labels[0]):
            return self
        found = reader.classes(self.labels[0])
        if len(found) != self.classes:
            raise ValueError(
                f"{type(reader).__name__}: classes={self.classes} was given, but the labels are {len(found)} names: "
                f"{', '.join(found[:20])}; leave classes out, or give all names in order"
            )
        return replace(self, classes=found)

    def arrays(self, table):
        """(features, labels) of a table; without labels these are the features.

        Raises ValueError naming the place of a value that is no number or no class.
        """
        labels = [column_name(table, name, "labels") for name in self.labels]
        if self.features is None:
            features = [name for name in table.columns if name not in labels]
        else:
            features = [column_name(table, name, "features") for name in self.features]
        if not features:
            raise ValueError(f"{table.source}: no columns are left for features beside the labels {labels}")
        x = self._matrix(table, features, "feature")
        if not labels:
            return x, x
        return x, self.labels_of(table)

    def labels_of(self, table):
        """The labels of a table alone; raises as `arrays` does."""
        labels = [column_name(table, name, "labels") for name in self.labels]
        return self._matrix(table, labels, "label") if self.classes is None else self._one_hot(table, labels[0])

    def _matrix(self, table, names, what):
        """The columns beside each other; a single one of several axes as it is."""
        columns = [numbers(table, name, what) for name in names]
        if len(columns) == 1 and columns[0].ndim > 1:
            return columns[0].astype(self.dtype, copy=False)
        wide = [column.reshape((len(column), -1)) if column.ndim > 1 else column for column in columns]
        if all(column.ndim == 1 for column in wide):
            result = nd.empty((len(table), len(wide)), dtype=self.dtype)
            for number, column in enumerate(wide):
                result[:, number] = column
            return result
        return nd.concat([column.reshape((len(column), -1)).astype(self.dtype, copy=False) for column in wide], axis=1)

    def _one_hot(self, table, name):
        column = table.columns[name]
        n_classes = self.classes if isinstance(self.classes, int) else len(self.classes)
        if isinstance(self.classes, int):
            given = numbers(table, name, "label")
            found = nd.astype(given, "int64")
            wrong = (found != given) | (found < 0) | (found >= n_classes)
        else:
            texts = column if isinstance(column, Texts) else Texts.of([str(value) for value in column.tolist()])
            number = {text: i for i, text in enumerate(self.classes)}
            found = lookup(texts, [number.get(text, -1) for text in texts.names], "int64")
            wrong = found < 0
        if nd.any(wrong):
            row = int(nd.argmax(wrong))
            value = column[row : row + 1].tolist()[0]
            known = f"0 to {n_classes - 1}" if isinstance(self.classes, int) else ", ".join(self.classes[:20])
            raise ValueError(f"{place(table, row)}: {name!r} is {value!r}, no class; they are {known}")
        return nd.one_hot(found, n_classes, dtype=self.dtype)


def checked_columns(who, features, labels, classes, dtype):
    """The `Columns` that were asked for.  Raises TypeError and ValueError."""
    labels = () if labels is None else _names(f"{who}: label", labels)
    features = None if features is None else _names(f"{who}: features", features)
    if classes is not None:
        if len(labels) != 1:
            raise ValueError(f"{who}: classes belong to one column, given {len(labels)} label columns")
        if isinstance(classes, int):
            classes = whole(f"{who}: classes", classes)
            if classes < 1:
                raise ValueError(f"{who}: there must be one class at least, given classes={classes}")
        else:
            classes = [instance(f"{who}: each of classes", each, str) for each in items(f"{who}: classes", classes)]
            if len(set(classes)) != len(classes) or not classes:
                raise ValueError(f"{who}: classes must be different names, one at least, given {classes}")
    return Columns(features, labels, classes, nd.empty((0,), dtype=dtype).dtype)


def _names(what, given):
    if isinstance(given, str) or not hasattr(given, "__len__"):
        given = (given,)
    found = tuple(each if isinstance(each, str) else whole(what, each) for each in items(what, given))
    if not found:
        raise ValueError(f"{what}: no columns given; name one at least")
    return found
