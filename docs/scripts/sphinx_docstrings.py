"""Sphinx extension: nd4py's docstrings, which are plain text, as reStructuredText; signatures from stubs.

A docstring is a summary, then lines such as `axis: the axis to run along` or `Raises ValueError for ...`, which may
run on.  Sphinx would pour them into one paragraph; here each of them begins a line of its own.  Examples, `>>> ...`,
stay as they are.
"""

import ast
import copy
import functools
import inspect
import re
import sys
from pathlib import Path

from public_names import SPACES
from sphinx.util.typing import stringify_annotation

import nd4py
from nd4py._core import annotations

ITEM = re.compile(r"(\*{0,2}[\w/]+)(, \*{0,2}[\w/]+)*: |(Returns|Raises) ")
# What stands between two entries on one line.
BETWEEN = re.compile(r"(?:; | {4,}|(?<=\.) {2})(?=(?:\*{0,2}\w+)(?:, \*{0,2}\w+)*: |Returns |Raises )")
CODE = re.compile(r"(`+[^`]+`+|https?://\S+)")


def escaped(text):
    """Plain text whose stars, bars and underscores mean themselves; code and addresses stay as they are."""
    parts = CODE.split(text)
    parts[::2] = [re.sub(r"([*|\\]|_\b)", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def spaced(text):
    """Gaps between columns, as in `x: (n,)    w: (n,)`, stay visible."""
    return re.sub(r"(?<=[^.:]) {2,}", "\N{EM SPACE}", text)


def entries(lines):
    """The lines of a paragraph, with those that run on joined: each entry begins with a name or a sentence."""
    found = []
    for line in lines:
        begins = ITEM.match(line) or found and found[-1].endswith((".", ":")) and line[:1].isupper()
        if begins or not found:
            found.append(line.strip())
        else:
            found[-1] += " " + line.strip()
    return [part for entry in found for part in BETWEEN.split(entry)]


def paragraphs(lines):
    """Runs of lines between empty ones."""
    return [text.splitlines() for text in re.split(r"\n\s*\n", inspect.cleandoc("\n".join(lines))) if text.strip()]


def laid_out(lines):
    """A docstring's lines as reStructuredText."""
    for number, paragraph in enumerate(paragraphs(lines)):
        if number and all(line.startswith("    ") for line in paragraph):
            yield from ["::", "", *paragraph, ""]
            continue
        if paragraph[0].startswith(">>> "):
            yield from [*paragraph, ""]
            continue
        found = [escaped(spaced(entry)) for entry in entries(paragraph)]
        is_list = len(found) > 1
        yield from [f"| {entry}" for entry in found] if is_list else found
        yield ""


def inherited(cls, text):
    """The lines about arguments of a class that its base classes describe, and its own docstring does not."""
    described = set(re.findall(r"\w+", text.partition(">>>")[0]))
    wanted = {name for name in inspect.signature(cls).parameters if name not in described} if has_signature(cls) else ()
    found = []
    for base in cls.__mro__[1:] if wanted else ():
        for entry in re.split(r"\n| {4,}", inspect.getdoc(base).partition(">>>")[0] if base.__doc__ else ""):
            if (item := ITEM.match(entry)) and wanted & set(re.findall(r"\w+", item[0])):
                found.append(entry)
    return ["", *found, ""]


def has_signature(cls):
    """Whether Python can say how a class is called; it cannot of some compiled ones."""
    try:
        return bool(inspect.signature(cls))
    except (TypeError, ValueError):
        return False


def lay_out_docstring(app, what, name, obj, options, lines):
    """Change `lines` in place.  Methods without a docstring hand the array on to the function of their name."""
    function = name.rpartition(".")[2]
    if what == "class":
        first_example = next((i for i, line in enumerate(lines) if line.startswith(">>>")), len(lines))
        lines[first_example:first_example] = inherited(obj, "\n".join(lines))
    if what == "method" and not any(lines) and hasattr(nd4py, function):
        lines[:] = [f"The function :py:obj:`nd4py.{function}` of this array.", ""]
    else:
        lines[:] = laid_out(lines)


@functools.cache
def stub_of(module):
    """The syntax tree of the stub beside a compiled module, or None for a module in Python."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    if not file.endswith(".so"):
        return None
    stub = Path(file).with_name(Path(file).name.split(".")[0] + ".pyi")
    return ast.parse(stub.read_text(encoding="utf-8"))


def definition(module, qualified_name):
    """The `def` of a function or method of a compiled module, as its stub has it, or None."""
    body = stub_of(module)
    for part in qualified_name.split("."):
        named = [node for node in getattr(body, "body", ()) if getattr(node, "name", None) == part]
        body = named[-1] if named else None
    return copy.deepcopy(body) if isinstance(body, ast.FunctionDef) else None


def typed_signature(app, what, name, obj, options, signature, returns):
    """Signatures of functions with the names of long types; those of compiled ones from their stubs.

    Cython itself knows the names and defaults of arguments only.
    """
    if what not in ("function", "method"):
        return None
    found = definition(getattr(obj, "__module__", None) or owner_of(obj), obj.__qualname__)
    if found is not None:
        if what == "method":
            del (found.args.posonlyargs or found.args.args)[0]  # self
        signature, returns = f"({ast.unparse(found.args)})", ast.unparse(found.returns)
    return tuple(text and with_type_names(text) for text in (signature, returns))


def with_type_names(text):
    """Annotations with `Operand` and `DTypeLike` for what they stand for, and the other abbreviations written out."""
    text = without_modules(text)
    for name in ("Operand", "DTypeLike"):
        text = text.replace(spelt_out(name), name)
    return re.sub(r"\b(Axes|Shape|Sizes)\b", lambda match: spelt_out(match[0]), text)


def without_modules(text):
    """Types by their own names, where autodoc has `~nd4py._core.array.array.NDArray`; public ones stay as they are.

    A type of a module that users import is that module's: `~nd4py.nn.networks.model.Model` is `~nd4py.nn.Model`.
    """
    return re.sub(r"~(?!nd4py\.[A-Z])((?:\w+\.)+)(\w+)", lambda found: public_type(*found.groups()), text)


def public_type(module, name):
    """The public name of a type of a module, `nd4py.nn.networks.`, where it has one in that; else its own name."""
    space = ".".join(module.split(".")[:2])
    is_there = space in SPACES and hasattr(sys.modules.get(space), name)
    return f"~{space}.{name}" if is_there else name


def spelt_out(name):
    """What an abbreviation of `nd4py._core.annotations` stands for."""
    return without_modules(stringify_annotation(getattr(annotations, name), "smart"))


def owner_of(obj):
    """The module of a method's class."""
    return getattr(getattr(obj, "__objclass__", None), "__module__", None)


def is_left_out(app, what, name, obj, skip, options):
    """Methods that scikit-learn gives its estimators: its own reference describes them."""
    return True if (getattr(obj, "__module__", None) or "").startswith("sklearn.") else None


def setup(app):
    app.connect("autodoc-skip-member", is_left_out)
    app.connect("autodoc-process-docstring", lay_out_docstring)
    app.connect("autodoc-process-signature", typed_signature)
    return {"parallel_read_safe": True}
