"""Texts: joined, cut, cleaned and compared.  NumPy holds them; see `host_arrays`.

Regular expressions are refused: Python's may take for ever on patterns that ONNX's, which are RE2's, match at once.
"""

from typing import Any

import numpy

from nd4py import api as nd

from .host_arrays import is_host
from .operator_rows import Rows


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


OPERATORS: Rows = {
    "Equal": [(7, 19, equal)],
    "StringConcat": [(20, 20, string_concat)],
    "StringNormalizer": [(10, 10, string_normalizer)],
    "StringSplit": [(20, 20, string_split)],
}
