"""Parser of Cython sources: the functions, classes and attributes that Python can reach.

Design: a parser of definitions alone, on the standard library, and not Cython's: its parse tree is not a public
interface, and the statements of functions are not needed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TOKEN = re.compile(
    r'(?P<block>"""(?:\\.|[^\\])*?""")'
    r'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<comment>#[^\n]*)"
)
DEFINITION = re.compile(
    r"^(?P<indent> {4})?(?:(?:cdef )?class (?P<type>\w+)(?:\((?P<base>[\w., ]*)\))?:"
    r"|(?:def|cpdef (?P<result>[\w.* ]+?)) (?P<name>\w+)\("
    r"|@(?P<decorator>[\w.]+)"
    r"|(?P<annotated>\w+): (?P<type_of>[^=\n]+) = "
    r"|(?P<assigned>__\w+__) = (?P<value>\S+)"
    r"|cdef (?P<access>public|readonly) (?P<c_type>[\w ]+?) (?P<attributes>\w+(?:, *\w+)*) *$"
    r"|extend\((?P<extension>\w+)(?:, (?P<extended>\w+))?\)"
    r"|\S)",
    re.M,
)
ARGUMENT = re.compile(
    r"^(?:(?P<c_type>[\w.]+(?: [\w.]+)*?\**) )?(?P<name>\*{0,2}\w+)(?P<not_none> not None)?"
    r"(?: *: *(?P<annotation>[^=]+?))?(?: *= *(?P<default>.+))?$",
    re.S,
)
IMPORT = re.compile(r"^from (?P<dots>\.*)(?P<stem>[\w.]*) c?import (?P<names>\([^)]*\)|[^\n]+)", re.M)

# Python types of C types; all others are whole numbers or classes.
PYTHON_TYPES = {
    "bint": "bool", "double": "float", "float": "float", "void": "None", "object": "Any", "str": "str",
    "bytes": "bytes", "tuple": "tuple[Any, ...]", "list": "list[Any]", "set": "set[Any]", "dict": "dict[Any, Any]",
    "type": "type",
}  # fmt: skip
WHOLE = re.compile(r"(unsigned |signed )?(char|short|int|long|long long|s?size_t|Py_ssize_t|Py_UCS4|u?int\d+_t)$")

# Attributes of compiled classes whose types are known better than C declares them.
ATTRIBUTES = {
    "configuration": "WorkspaceConfiguration", "workspace_type": "WorkspaceType", "mirrors": "dict[int, Any]",
    "previous_workspace": "Workspace | None", "leaves": "list[DeviceArray]", "arrays": "tuple[NDArray, ...]",
    "axes": "tuple[int, ...]", "names": "tuple[int, ...]",
}  # fmt: skip
# Results of functions that C calls too, and that it knows no better.
RESULTS = {"current_workspace": "Workspace | None"}


@dataclass
class Argument:
    """One argument of a function: its name with any stars, its type, and its default as written, or ""."""

    name: str
    type: str = ""
    default: str = ""

    def __str__(self) -> str:
        if self.default:
            return f"{self.name}: {self.type} = {self.default}"
        return f"{self.name}: {self.type}" if self.type else self.name


@dataclass
class Function:
    """A function or method of a compiled module; its result is None where its source has no annotation."""

    name: str
    arguments: list[Argument]
    result: str | None
    decorators: list[str] = field(default_factory=list)


@dataclass
class Type:
    """A class of a compiled module: its base, functions, attributes and what is assigned in it."""

    name: str
    base: str
    functions: list[Function] = field(default_factory=list)
    attributes: list[tuple[str, str, bool]] = field(default_factory=list)  # name, type, whether it may be assigned
    constants: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_array(self) -> bool:
        """Whether it is one of the classes whose methods are functions of the namespace too."""
        return "__array_priority__" in dict(self.constants)


@dataclass
class Module:
    """What Python can reach in a compiled module."""

    path: Path
    name: str
    imports: dict[str, str]
    types: dict[str, Type] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    constants: list[tuple[str, str]] = field(default_factory=list)
    extensions: list[tuple[str, str]] = field(default_factory=list)


def bare(text: str) -> str:
    """The text with comments and docstrings blanked, so that positions stay."""
    return TOKEN.sub(lambda match: match[0] if match["text"] else re.sub(r"[^\n]", " ", match[0]), text)


def closing(text: str, start: int) -> int:
    """The index of the bracket that closes the one before `start`."""
    depth, index = 1, start
    while depth:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[index], 0)
        index += 1
    return index - 1


def separated(text: str) -> Iterator[str]:
    """The parts of an argument list between its commas."""
    depth, part = 0, ""
    for character in text:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += character
    if part.strip():
        yield part.strip()


def python_type(c_type: str) -> str:
    """The Python type that stands for a C type."""
    c_type = c_type.removeprefix("const ").strip()
    return PYTHON_TYPES.get(c_type) or ("int" if WHOLE.match(c_type) else c_type)


def argument_of(text: str, path: Path) -> Argument:
    """One part of an argument list.  Raises ValueError where it cannot be read."""
    if text in ("*", "/"):
        return Argument(text)
    match = ARGUMENT.match(text)
    if match is None:
        raise ValueError(f"{path}: cannot read the argument {text!r}")
    default = match["default"] or ""
    annotation = match["annotation"]
    if annotation is None and match["c_type"]:
        annotation = python_type(match["c_type"])
        if default == "None" and annotation != "Any":
            annotation += " | None"
    return Argument(match["name"], annotation or "", default)


def module_of(path: Path, root: Path) -> Module:
    """What a .pyx file says, with the attributes that its .pxd declares."""
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    module = Module(path, name, {})
    for source in (path.with_suffix(".pxd"), path):
        if source.exists():
            read_source(module, bare(source.read_text(encoding="utf-8")))
    return module


def read_source(module: Module, text: str) -> None:
    """Add to a module what one of its two files says."""
    module.imports |= imports_of(text, module.name)
    inside: Type | None = None
    decorators: list[str] = []
    for match in DEFINITION.finditer(text):
        if not match["indent"]:
            inside = None
        if match["indent"] and inside is None:
            continue
        if match["decorator"]:
            decorators.append(match["decorator"])
            continue
        if match["type"]:
            inside = module.types.setdefault(match["type"], Type(match["type"], ""))
            inside.base = match["base"] or inside.base
        elif match["name"] and module.path.suffix == ".pyx":
            end = closing(text, match.end())
            if "\n" not in (rest := text[end + 1 : text.index("\n", end)]) and ":" in rest:  # not a declaration
                owner = inside.functions if inside else module.functions
                owner.append(function_of(match, text, end, decorators, module.path))
        elif match["annotated"] and inside is None:
            module.constants.append((match["annotated"], match["type_of"].strip()))
        elif match["assigned"] and inside:
            inside.constants.append((match["assigned"], match["value"]))
        elif match["access"] and inside:
            own_type = python_type(match["c_type"])
            for name in match["attributes"].split(","):
                name = name.strip()
                inside.attributes.append((name, ATTRIBUTES.get(name, own_type), match["access"] == "public"))
        elif match["extension"]:
            module.extensions.append((match["extension"], match["extended"] or "ArrayBase"))
        decorators = []


def function_of(match: re.Match[str], text: str, end: int, decorators: list[str], path: Path) -> Function:
    """A function whose argument list ends at `end`."""
    arguments = [argument_of(part, path) for part in separated(text[match.end() : end])]
    line = text[end + 1 : text.index("\n", end)]
    annotation = re.match(r" -> ([^:]+):", line)
    result = annotation[1] if annotation else python_type(match["result"]) if match["result"] else None
    return Function(match["name"], arguments, RESULTS.get(match["name"], result), decorators)


def imports_of(text: str, module: str) -> dict[str, str]:
    """The modules of nd4py that names of a source come from."""
    found = {}
    for match in IMPORT.finditer(text):
        package = module.split(".")[: -len(match["dots"])] if match["dots"] else []
        stem = ".".join([*package, *filter(None, [match["stem"]])])
        for name in match["names"].strip("()").replace("\n", " ").split(","):
            if stem.startswith("nd4py") and name.strip():
                found[name.split()[-1]] = stem
    return found
