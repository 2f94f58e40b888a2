"""Every public docstring says what is returned and what is raised, in the house's short form.

A summary names the result - "The sum of ...", "Whether ...", "`x` as ...", "x1 + x2." - or a line says "Returns ...".
Another line says "Raises ...", "Raises as `fft` does." or "Raises nothing.".  Errors of the interpreter, such as that
of too many arguments, are not told, nor that memory may be exhausted where arrays are made.  A method whose function in
the namespace says all has no docstring of its own.
"""

import dataclasses
import enum
import functools
import inspect
import re

import pytest
from public_objects import public_objects

import nd4py as nd

RESULT = re.compile(
    r"[a-z0-9(|`\"'-]"  # a formula, or a name
    r"|(The|An?|Whether|How|What|Where|Each|All|Every|None|True|Which|Both|One) "
    r"|[A-Z]\w* of |[A-Z]\w*s (with|in|that|from|side) |Nested "
)


def methods_of(cls):
    """(name, method) of the public methods that are written in this package, with what a class inherits."""
    for name in dir(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        is_attribute = isinstance(inspect.getattr_static(cls, name), property | functools.cached_property)
        if name.startswith("_") or is_attribute or not owner.__module__.startswith("nd4py"):
            continue
        if inspect.isroutine(found := getattr(cls, name)):
            yield name, found


def documented():
    """(name, object) of every public class, function and method."""
    for name, found in public_objects():
        if inspect.isclass(found) and found.__module__.startswith("nd4py"):
            yield name, found
            yield from ((f"{name}.{each}", method) for each, method in methods_of(found))
        elif inspect.isroutine(found):
            yield name, found


def says_what_is_returned(found, text):
    """Whether a docstring names the result, or there is none.  A class gives an object of itself."""
    if inspect.isclass(found):
        return True
    try:
        annotation = inspect.signature(found).return_annotation
    except ValueError:
        annotation = inspect.Signature.empty
    return annotation in (None, "None") or bool(RESULT.match(text) or re.search(r"\b[Rr]eturns\b", text))


def says_what_is_raised(found, text):
    """Whether a docstring has a word about errors; records, errors and what is abstract raise none of their own."""
    is_exempt = inspect.isclass(found) and (is_record(found) or inspect.isabstract(found))
    return is_exempt or bool(re.search(r"\b([Rr]aises?|[Nn]ever an error)\b", text))


def is_record(cls):
    """Whether a class only holds what it is given: its fields are its documentation."""
    is_plain = dataclasses.is_dataclass(cls) and not hasattr(cls, "__post_init__")
    return is_plain or issubclass(cls, BaseException | enum.Enum | tuple) or getattr(cls, "_is_protocol", False)


DOCUMENTED = dict(documented())


def lacking(name, found):
    """What a docstring does not say, as a text, or an empty text."""
    text = inspect.getdoc(found) or ""
    if inspect.isclass(found):
        text += inspect.getdoc(found.__init__) or ""
    if not text:
        is_function_too = callable(getattr(nd, name.rpartition(".")[2], None)) and re.search(r"(Array|ndarray)\.", name)
        return "" if is_function_too else "no docstring"
    missing = [
        word
        for word, says in (("Returns", says_what_is_returned), ("Raises", says_what_is_raised))
        if not says(found, text)
    ]
    return " and ".join(missing)


def test_public_docstrings_say_what_is_returned_and_raised():
    found = [f"{name}: {missing}" for name, each in DOCUMENTED.items() if (missing := lacking(name, each))]
    assert found == []


def test_all_that_is_public_is_looked_at():
    assert len(DOCUMENTED) > 700
    assert {"nd4py.add", "nd4py.NDArray.reshape", "nd4py.nn.Adam", "nd4py.nn.Adam.update", "nd4py.fft.ifft2"} <= {
        *DOCUMENTED
    }


def double(x) -> float:
    return 2 * x


@pytest.mark.parametrize("text, missing", [
    (None, "no docstring"),
    ("Doubles a number.", "Returns and Raises"),
    ("Double a number.\n\nRaises TypeError for what is none.", "Returns"),
    ("Twice the number.\n\nReturns a float.", "Raises"),
    ("A number twice as large.  Raises nothing.", ""),
    ("2 * x.  Raises as `float` does.", ""),
])  # fmt: skip
def test_a_docstring_that_says_too_little_is_found(text, missing):
    copy = functools.update_wrapper(lambda x: double(x), double)
    copy.__doc__ = text
    assert lacking("double", copy) == missing
