"""The hand-written sources of a tree, with their layers and imports, for the rules of `house_rules.py`."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# A layer imports only from layers of lower rank; layers of equal rank are siblings that do not know each other.
RANK = {
    "_spec": 0,
    "_mem": 1,
    "_core": 2,
    "cpu": 3,
    "cuda": 3,
    "_exec": 4,
    "api": 5,
    "nn": 6,
    "lib": 6,  # NumPy's namespace for views with any strides
    "data": 6,
    "train": 7,
    "zoo": 7,
    "sklearn": 7,
    "onnx": 7,
    "keras": 7,
    "torch": 8,
    "parallel": 8,
    "serve": 9,
    "nd4py": 10,  # the package itself: public names only
    "examples": 11,  # programs a user could have written
}
PYTHON = (".py",)
CYTHON = (".pyx", ".pxd")
CPP = (".h", ".inc", ".cpp", ".cu", ".cuh")
STUBS = (".pyi",)
GENERATED = (
    "nd4py/_exec/drivers/driver_table.py",
    "nd4py/api/__init__.py",
    "nd4py/api/elementwise/elementwise.py",
    "nd4py/api/reductions/reductions.py",
    "nd4py/api/reductions/scans.py",
    "nd4py/cuda/function_table.py",
    "nd4py/cuda/launch/kernel_arguments.py",
)

TOKEN = re.compile(
    r'(?P<block>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\')'
    r'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<comment>#[^\n]*)"
)
IMPORT = re.compile(
    r"^(?P<indent>[ \t]*)(?:from[ \t]+(?P<dots>\.*)(?P<stem>[\w.]*)[ \t]+c?import[ \t]+(?P<names>\([^)]*\)|[^\n]+)"
    r"|c?import[ \t]+(?P<plain>[^\n]+))",
    re.M,
)


@dataclass(frozen=True)
class Import:
    """One import or cimport of nd4py: where it stands, and the dotted names it may mean."""

    line: int
    is_indented: bool
    targets: tuple


class Source:
    """One source file of the tree."""

    def __init__(self, root, path):
        self.path = path.relative_to(root).as_posix()
        self.suffix = path.suffix
        self.text = path.read_text(encoding="utf-8")

    @property
    def layer(self):
        """The layer the file belongs to, or None outside the package."""
        parts = Path(self.path).parts
        if parts[0] != "nd4py":
            return None
        return parts[1] if len(parts) > 2 else "nd4py"

    @cached_property
    def code(self):
        """The text with comments and docstrings blanked, lines kept."""
        return self._blank("block", "comment")

    @cached_property
    def bare(self):
        """The text with comments and every string blanked, lines kept."""
        return self._blank("block", "comment", "text")

    def _blank(self, *kinds):
        if self.suffix in CPP:
            return re.sub(r"//[^\n]*", "", self.text)
        return TOKEN.sub(lambda m: "\n" * m[0].count("\n") if m.lastgroup in kinds else m[0], self.text)

    @cached_property
    def imports(self):
        """Every import of nd4py in the file."""
        return [found for match in IMPORT.finditer(self.bare) if (found := self._import(match)).targets]

    def _import(self, match):
        package = list(Path(self.path).parent.parts)
        if match["plain"]:
            names = [part.split()[0] for part in match["plain"].split(",")]
        else:
            base = package[: len(package) - len(match["dots"]) + 1] if match["dots"] else []
            stem = ".".join([*base, *filter(None, [match["stem"]])])
            listed = [part.split()[0] for part in match["names"].strip("() \n").split(",") if part.split()]
            names = [f"{stem}.{name}" for name in listed]
        ours = tuple(name for name in names if name.split(".")[0] == "nd4py")
        return Import(self.bare.count("\n", 0, match.start()) + 1, bool(match["indent"]), ours)

    def grep(self, pattern, text):
        """`path:line: its text` for every match of `pattern` in `text` (self.code, self.bare or self.text).

        What a pattern need not look at stands not in it: one that begins with `.*` takes a hundred times as long.
        """
        for match in re.finditer(pattern, text, re.M):
            start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
            line = text.count("\n", 0, match.start()) + 1
            yield f"{self.path}:{line}: {text[start : end if end >= 0 else len(text)].strip()}"


class Tree:
    """What is kept under `root`: `files` by their paths, and `sources`, those of them that are written by hand."""

    FOLDERS = ("nd4py", "kernels", "tests", "asv_bench", "docs")

    def __init__(self, root):
        self.root = Path(root)
        paths = [path for folder in self.FOLDERS for path in sorted((self.root / folder).rglob("*"))]
        paths = [path.relative_to(self.root) for path in paths if path.suffix in PYTHON + CYTHON + CPP + STUBS]
        self.files = [path for path in paths if not self._is_built(path)]
        written = [path for path in self.files if path.suffix not in STUBS and path.as_posix() not in GENERATED]
        self.sources = [Source(self.root, self.root / path) for path in written]

    @staticmethod
    def _is_built(path):
        """Made by the build and not kept: what is rendered from the table, and what Cython makes."""
        return path.parent.name == "gen" or (path.parts[0] == "nd4py" and path.suffix == ".cpp")

    def inside(self, *layers, suffixes=PYTHON + CYTHON):
        """The sources of these layers (of the whole package when none is named)."""
        for source in self.sources:
            if source.suffix in suffixes and source.layer and (not layers or source.layer in layers):
                yield source
