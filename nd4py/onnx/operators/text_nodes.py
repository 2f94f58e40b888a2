"""Texts: joined, cut, cleaned and compared.  NumPy holds them; see `host_arrays`.

Regular expressions are refused: Python's may take for ever on patterns that ONNX's, which are RE2's, match at once.
"""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from .host_arrays import is_host
from .operator_rows import Rows

MOST_COLUMNS = 1 << 24  # of what is counted


def equal(a: Any, b: Any) -> Any:
    return nd.asarray(numpy.asarray(a == b, dtype=bool)) if is_host(a) else nd.equal(a, b)


def string_concat(a: Any, b: Any) -> Any:
    return numpy.asarray(a + b, dtype=object)


def string_split(x: Any, *, delimiter: str | None = None, maxsplit: int | None = None) -> tuple[Any, Any]:
    """The parts of each text, filled up with empty ones, and how many each has."""
    most = -1 if maxsplit is None else maxsplit
    parts = [text.split(delimiter or None, most) for text in x.reshape(-1).tolist()]
    width = max(map(len, parts), default=0)
    filled = numpy.full((len(parts), width), "", dtype=object)
    for row, each in zip(filled, parts, strict=True):
        row[: len(each)] = each
    counts = numpy.asarray([len(each) for each in parts], dtype=numpy.int64)
    return filled.reshape(*x.shape, width), nd.asarray(counts.reshape(x.shape))


def string_normalizer(
    x: Any, *, case_change_action: str = "NONE", is_case_sensitive: int = 0, stopwords: Any = None, locale: str = ""
) -> Any:
    """Texts without those that are stop words, in other letters.  x: (n,) or (1, n)"""
    stops = set(stopwords or []) if is_case_sensitive else {word.lower() for word in stopwords or []}
    texts = [text for text in x.reshape(-1).tolist() if (text if is_case_sensitive else text.lower()) not in stops]
    change = {"LOWER": str.lower, "UPPER": str.upper}.get(case_change_action, str)
    changed = numpy.asarray([change(text) for text in texts] or [""], dtype=object)
    return changed.reshape(1, -1) if x.ndim == 2 else changed


class TfIdfVectorizer:
    """How often runs of words, or of numbers that stand for words, are in each row.  given: the attributes of the node

    Of runs of n words, those with up to `max_skip_count` words left out between each two count as well.
    """

    def __init__(self, **given: Any) -> None:
        pool = given.get("pool_strings") or given.get("pool_int64s") or []
        starts = [*given["ngram_counts"], len(pool)]
        self.lengths = range(given["min_gram_length"], given["max_gram_length"] + 1)
        self.n_skipped, self.mode = given["max_skip_count"], given["mode"]
        self.columns, indexes = {}, given["ngram_indexes"]
        number = 0
        for n, (start, end) in enumerate(zip(starts, starts[1:], strict=False), 1):
            for place in range(start, end - n + 1, n):
                self.columns[tuple(pool[place : place + n])] = indexes[number]
                number += 1
        self.size = max(indexes) + 1
        if min(indexes) < 0 or self.size > MOST_COLUMNS:
            raise ValueError(f"columns from {min(indexes)} to {max(indexes)}")
        self.weights = numpy.ones(self.size, numpy.float32)
        if given.get("weights"):
            self.weights[indexes] = given["weights"]

    def __call__(self, x: Any) -> Any:
        values = numpy.asarray(x)
        counts = numpy.zeros((*values.shape[:-1], self.size), numpy.float32)
        for row, words in zip(
            counts.reshape(-1, self.size), values.reshape(-1, values.shape[-1]).tolist(), strict=True
        ):
            for n in self.lengths:
                for step in range(1, self.n_skipped + 2) if n > 1 else (1,):
                    for start in range(len(words) - (n - 1) * step):
                        column = self.columns.get(tuple(words[start : start + (n - 1) * step + 1 : step]))
                        if column is not None:
                            row[column] += 1
        if self.mode == "IDF":
            counts = (counts > 0).astype(numpy.float32)
        return nd.asarray(counts if self.mode == "TF" else counts * self.weights)


OPERATORS: Rows = {
    "Equal": [(7, 19, equal)],
    "StringConcat": [(20, 20, string_concat)],
    "StringNormalizer": [(10, 10, string_normalizer)],
    "StringSplit": [(20, 20, string_split)],
    "TfIdfVectorizer": [(9, 9, TfIdfVectorizer)],
}
