"""What drivers see of loops that are written by hand: tables by dtype, and Cython's declarations of C headers.

Design: a loop says at its definition that it belongs to the table of its family, `template <class T> ND_LOOP void ...`.
The build reads that line, and writes the member of the struct, the entry for each dtype, the inclusion in the module,
and what Cython is told.  So a loop stands in one file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .. import dtypes
from .row_render import digest

LINE_LENGTH = 120
LICENCE = "// Made from the loops of nd4py/cpu by the build (nd4py/_spec/render/loop_headers.py); change those.\n"
LOOP = re.compile(
    r"^template <class T>\s+ND_LOOP\s+(?:"
    r"constexpr (?P<constant>[\w ]+?) (?P<value>\w+) ="
    r"|(?P<result>[\w ]+?\**) ?(?P<name>\w+)\((?P<arguments>[^)]*)\))",
    re.M,
)
DECLARATION = re.compile(
    r"^(?:enum(?: \w+)? \{(?P<enum>[^}]*)\};"
    r"|(?:typedef )?struct (?P<struct>\w+) \{\n(?P<members>.*?)^\}(?: \w+)?;"
    r"|typedef (?P<function>[^;]*\(\*\w+\)\([^;]*\));"
    r"|(?:static )?inline (?P<inline>[\w ]+?\**) ?(?P<called>\w+)\((?P<arguments>[^)]*)\) \{)",
    re.M | re.S,
)
MEMBER = re.compile(r"^(?P<type>.*?)(?P<name>\w+)(?P<size>\[[^\]]*\])?$")
# As Cython spells what C++ has another word for, or what is a word of Python.
SPELLINGS = (
    (r"\bbool\b", "bint"),
    (r"\b(from|is|in|or|and|not)\b(?=\s*[,)])", r"\1_"),
    (r"\balignas\(\d+\) ", ""),
)


@dataclass(frozen=True)
class Loop:
    """A member of a family's table: its declaration, and the template whose instances its entries are."""

    declaration: str
    template: str


def families(root: Path) -> dict[str, dict[Path, list[Loop]]]:
    """The loops of each family, folders of `cpu`, by the file that they stand in."""
    found: dict[str, dict[Path, list[Loop]]] = {}
    for path in sorted((root / "nd4py/cpu").rglob("*.inc")):
        if loops := loops_of(path.read_text(encoding="utf-8")):
            found.setdefault(path.parent.name, {})[path] = loops
    return found


def loops_of(text: str) -> list[Loop]:
    """The loops for a dtype T that a file adds to the table of its family."""
    return [
        Loop(f"{found['constant']} {found['value']}", found["value"])
        if found["value"]
        else Loop(f"{found['result']} (*{found['name']})({joined(found['arguments'])})", found["name"])
        for found in LOOP.finditer(text)
    ]


def joined(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def loops_header(family: str, files: dict[Path, list[Loop]]) -> str:
    """The header with the struct of a family's loops for one dtype, which drivers and loops include."""
    members = "".join(f"  {loop.declaration};\n" for loops in files.values() for loop in loops)
    return f"{LICENCE}typedef struct {struct_of(family)} {{\n{members}}} {struct_of(family)};\n"


def loops_table(family: str, files: dict[Path, list[Loop]]) -> str:
    """The header with the table of a family's loops: an entry for each dtype, none for dtypes without order."""
    includes = "".join(f'#include "{path.name}"\n' for path in files)
    entries = ", ".join(f"{loop.template}<T>" for loops in files.values() for loop in loops)
    table = f"{family.upper()}_LOOPS"
    rows = "".join(f"  {'nullptr' if 'complex' in row.name else f'&{table}<{row.cpp}>'},\n" for row in dtypes.DTYPES)
    return (
        f'{LICENCE}#define ND_LOOPS_HASH "{loops_hash(files)}"\n{includes}'
        f"template <class T> constexpr {struct_of(family)} {table} = {{{entries}}};\n"
        f"const {struct_of(family)}* const DTYPE_LOOPS[] = {{\n{rows}}};\n"
    )


def loops_hash(files: dict[Path, list[Loop]]) -> str:
    """Identifies what the table of a family is made of: drivers refuse loops with other members."""
    return digest((dtypes.DTYPES, [loop.declaration for loops in files.values() for loop in loops]))


def struct_of(family: str) -> str:
    """The name of the struct of a family's loops for one dtype."""
    return f"{family.capitalize()}Loops"


def cython_declarations(root: Path) -> dict[Path, str]:
    """The text of every .pxd that declares a header of loops, `<family>_loops.h`, by its path."""
    tables = {f"{family}_dtype_loops.gen.h": loops_header(family, files) for family, files in families(root).items()}
    return {
        path.with_suffix(".pxd"): declarations(path, tables)
        for path in sorted((root / "nd4py/cpu").rglob("*_loops.h"))
        if path.with_name(path.name.replace("_loops", "_module")).exists()
    }


def declarations(path: Path, tables: dict[str, str]) -> str:
    """Cython's declarations of a header, and of what it includes of its folder and of `tables`, in this order."""
    parts = []
    for name, text in included(path, tables):
        constants: dict[str, int] = {}
        seen = re.sub(r" *//[^\n]*", "", text).partition("\nnamespace ")[0]  # below it a header is of C++ alone
        body = [declared(found, constants) for found in DECLARATION.finditer(seen)]
        parts.append(f'cdef extern from "{name}" nogil:\n' + "\n".join(body))
    text = "\n".join(parts)
    types = sorted(set(re.findall(r"\bu?int\d+_t\b", text)))
    imports = "from libc.stddef cimport ptrdiff_t\n" + (f"from libc.stdint cimport {', '.join(types)}\n" * bool(types))
    return f"# Made from {path.name} by the build (nd4py/_spec/render/loop_headers.py); change that.\n{imports}\n{text}"


def included(path: Path, tables: dict[str, str]) -> list[tuple[str, str]]:
    """(name, text) of a header, with what it includes of its own folder before it, and its tables in their place."""
    text = path.read_text(encoding="utf-8")
    found = []
    for name in re.findall(r'^#include "([^"]+)"', text, re.M):
        if name in tables:
            text = text.replace(f'#include "{name}"\n', tables[name])
        elif (path.parent / name).exists():
            found += included(path.parent / name, tables)
    return [*found, (path.name, text)]


def declared(found: re.Match[str], constants: dict[str, int]) -> str:
    """The lines of one declaration.  Constants are added to `constants`, in which sizes of arrays are looked up."""
    if found["enum"] is not None:
        named = [joined(each).partition(" = ") for each in found["enum"].split(",") if each.strip()]
        constants |= {name: int(value) for name, _, value in named}
        return "    enum:\n" + "".join(f"        {name}\n" for name, _, _ in named)
    if found["function"] is not None:
        return wrapped(f"    ctypedef {spelled(found['function'])} noexcept nogil")
    if found["called"] is not None:
        return wrapped(f"    {spelled(found['inline'])} {found['called']}({spelled(found['arguments'])}) noexcept")
    members = "".join(member(each, constants) for each in found["members"].split(";") if each.strip())
    return f"    cdef struct {found['struct']}:\n{members}"


def member(text: str, constants: dict[str, int]) -> str:
    """The lines of one member of a struct, or of several of one type.  Raises ValueError for one it cannot read."""
    text = spelled(text)
    if "(*" in text:
        return wrapped(f"        {text} noexcept nogil")
    type_, *names = re.split(r", (?=\w)", text)
    found = MEMBER.match(type_)
    if found is None:
        raise ValueError(f"cannot read the member {text!r} of a struct of loops")
    if not found["size"]:
        return wrapped(f"        {', '.join([type_, *names])}")
    size = sum(int(constants.get(part.strip(), part)) for part in found["size"][1:-1].split("+"))
    return f"        {found['type']}{found['name']}[{size}]\n"


def spelled(text: str) -> str:
    """A declaration as Cython spells it, in one line."""
    text = joined(text)
    for pattern, replacement in SPELLINGS:
        text = re.sub(pattern, replacement, text)
    return text


def wrapped(line: str) -> str:
    """A declaration, broken behind a comma where it would be too long; what follows stands below the first argument."""
    if len(line) <= LINE_LENGTH:
        return f"{line}\n"
    indent, lines, rest = " " * (line.rindex("(") + 1), [], line
    while len(rest) > LINE_LENGTH:
        at = rest.rindex(", ", 0, LINE_LENGTH - 1) + 1
        lines.append(rest[:at])
        rest = indent + rest[at + 1 :]
    return "".join(f"{each}\n" for each in [*lines, rest])
