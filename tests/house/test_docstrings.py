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
from pathlib import Path

import pytest
from public_objects import public_objects

import nd4py as nd

ROOT = Path(__file__).parents[2]
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


OBJECTS = dict(public_objects())
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


COMMON = set(
    re.findall(
        r"`(\w+)`",
        "".join(
            re.findall(
                r"^- (`.*?): ", (ROOT / "docs/reference/index.md").read_text().partition("same everywhere")[2], re.M
            )
        ),
    )
)
# What a docstring says that leaves the arguments to NumPy's documentation.
AS_NUMPY = re.compile(r"(arguments|keywords) of NumPy's|all of its arguments")


def words_about(found):
    """The words in which a docstring describes arguments: its own, those of base classes, those of what it names."""
    bases = found.__mro__ if inspect.isclass(found) else (found,)
    texts = [inspect.getdoc(base) or "" for base in bases if getattr(base, "__module__", "").startswith("nd4py")]
    named = {name for text in texts for name in re.findall(r"`(?:\w+\.)*(\w+)`", text)}
    texts += [inspect.getdoc(BY_LAST_NAME[name]) or "" for name in named & BY_LAST_NAME.keys()]
    return set(re.findall(r"\w+", " ".join(text.partition(">>>")[0] for text in texts)))


BY_LAST_NAME = {name.rpartition(".")[2]: found for name, found in reversed(OBJECTS.items())}


def undescribed(found):
    """The arguments that nothing describes.  Of compiled functions, and where NumPy has them, none are looked for."""
    is_exempt = inspect.isclass(found) and (issubclass(found, enum.Enum | BaseException) or not found.__doc__)
    is_function = inspect.isfunction(inspect.unwrap(found))
    if is_exempt or AS_NUMPY.search(found.__doc__ or "") or not (is_function or inspect.isclass(found)):
        return []
    try:
        parameters = inspect.signature(found).parameters.values()
    except ValueError:
        return []
    words = words_about(found) | COMMON
    one_value = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each.name for each in parameters if each.kind not in one_value and each.name not in words]


def test_every_argument_of_a_public_name_is_described():
    top = {name: found for name, found in DOCUMENTED.items() if name in OBJECTS}
    lacking = {name: missing for name, found in top.items() if (missing := undescribed(found))}
    assert lacking == {}


def test_an_argument_that_nothing_describes_is_found():
    assert undescribed(lambda x, strange: x) == ["strange"]
    assert {"x", "dtype", "keepdims"} <= COMMON


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
