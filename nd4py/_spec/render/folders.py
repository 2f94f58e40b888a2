"""Lists of files at the top of every `__init__.py`.  A line is a file's name and the first sentence of its summary."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

WIDTH = 120
HEADING = "\n\nThe files, as the build lists them:\n"
DOCSTRING = re.compile(r'"""(?P<text>.*?)"""\n', re.S)
COMMENT = re.compile(r"(?P<text>(?:(?://|# )[^\n]*\n)+)")
SENTENCE = re.compile(r".*?(?:\.(?=\s|$)|$)", re.S)


def folder_lists(root: Path) -> Iterator[tuple[Path, str]]:
    """(path, text) of every `__init__.py` inside the package that is written by hand, with its list of files."""
    for path in sorted((root / "nd4py").rglob("*/__init__.py")):
        if path.parent != root / "nd4py/api":
            yield path, listed(path)


def listed(path: Path) -> str:
    """The text of an `__init__.py` with what its folder holds below what its docstring says."""
    text = path.read_text(encoding="utf-8")
    found = DOCSTRING.match(text)
    if found is None:
        raise ValueError(f"{path} must begin with a docstring that says what the folder is for")
    said = found["text"].partition(HEADING)[0].rstrip()
    lines = "".join(line(name, summary) for name, summary in sorted(summaries(path.parent).items()))
    return f'"""{said}{HEADING}\n{lines}"""\n{text[found.end() :]}'


def line(name: str, summary: str) -> str:
    """One file's line, wrapped."""
    return textwrap.fill(f"- {name}: {summary}", WIDTH, subsequent_indent="  ") + "\n"


def summaries(folder: Path) -> dict[str, str]:
    """The first sentences of what the files of a folder, and its folders, say of themselves, by their names.

    Raises ValueError for a file that says nothing.
    """
    found = {}
    for path in sorted(folder.iterdir()):
        if (path / "__init__.py").exists():
            found[f"{path.name}/"] = summary(path / "__init__.py")
        elif path.suffix in {".py", ".pyx", ".pxd", ".h", ".inc"} and path.name != "__init__.py" and is_first(path):
            found[path.name] = summary(path)
    return found


def is_first(path: Path) -> bool:
    """Whether a file speaks for itself: definitions in a .pxd belong to the module or header of their name."""
    return path.suffix != ".pxd" or not any(path.with_suffix(ending).exists() for ending in (".pyx", ".h"))


def summary(path: Path) -> str:
    """The first sentence of a docstring, or of the comment at the top of a file without one."""
    text = path.read_text(encoding="utf-8")
    found = (DOCSTRING if path.suffix in {".py", ".pyx"} else COMMENT).match(text)
    if found is None:
        raise ValueError(f"{path} must begin by saying what it is")
    said = re.sub(r"^(//|#) ", "", found["text"], flags=re.M).split("\n\n")[0]
    sentence = SENTENCE.match(" ".join(said.split()))
    return "" if sentence is None else sentence[0]
