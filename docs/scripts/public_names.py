"""Which names the pages of the reference describe: those in the `__all__` of nd4py's modules."""

import ast
import re
from functools import cache
from inspect import ismodule
from pathlib import Path
from pkgutil import iter_modules, resolve_name

from nd4py._spec import ops

REFERENCE = Path(__file__).parents[1] / "reference"
SPACES = (
    *("nd4py.emath", "nd4py.fft", "nd4py.linalg", "nd4py.memory", "nd4py.random", "nd4py.testing"),
    *("nd4py.nn", "nd4py.data", "nd4py.train", "nd4py.parallel", "nd4py.zoo", "nd4py.sklearn", "nd4py.onnx"),
    *("nd4py.keras", "nd4py.torch", "nd4py.serve"),
    *("nd4py.cuda", "nd4py.cuda.memory"),
)
DIRECTIVE = re.compile(r"^\.\. offers:: (\S+)(?:\n   :rows: (\w+))?(?:\n   :files: ([\w. ]+))?", re.M)


def space_of(module_name):
    """Where users find a module's names: nd4py, or one of its sub-namespaces."""
    return module_name if module_name in SPACES else "nd4py"


@cache
def named():
    """The modules that a page names."""
    pages = [page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md"))]
    return frozenset(name for page in pages for name, *_ in DIRECTIVE.findall(page))


@cache
def files_of(package_name):
    """The file of each name that a package's `__init__.py` imports from its own files."""
    text = Path(resolve_name(package_name).__file__).read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) and node.level == 1]
    found = {}
    for node in nodes:
        if node.names[0].name == "*":
            inner = files_of(f"{package_name}.{node.module}")
            found |= {name: f"{node.module}.{file}" for name, file in inner.items()}
        else:
            found |= {alias.asname or alias.name: node.module for alias in node.names}
    return found


def offered(module_name, rows="", files=""):
    """Names and objects that a module offers, in its order; with `rows`, those of one group of the table.

    files: of a package, only the names that come from these files or folders of it.
    A folder offers what those of its modules offer that no page names by themselves.
    """
    module = resolve_name(module_name)
    if not hasattr(module, "__all__"):
        modules = [f"{module_name}.{found.name}" for found in iter_modules(module.__path__)]
        unnamed = [name for name in modules if name not in named() and hasattr(resolve_name(name), "__all__")]
        return {name: obj for each in unnamed for name, obj in offered(each).items()}
    names = module.__all__
    if rows:
        group = {name for row in getattr(ops, rows) for name in (row.name, *row.aliases)}
        names = [name for name in names if name in group]
    if files:
        origins = files_of(module_name)
        names = [name for name in names if home_of(origins.get(name), module_name) in files.split()]
    found = {name: getattr(module, name) for name in names}
    return {name: obj for name, obj in found.items() if not ismodule(obj)}


def home_of(file, package_name):
    """The longest of the files and folders named by pages that a file of a package is, or is in."""
    folders = [] if file is None else [file.rsplit(".", n)[0] for n in range(file.count(".") + 1)]
    return next((each for each in folders if each in named_files(package_name)), None)


@cache
def named_files(package_name):
    """The files and folders of a package that pages name."""
    pages = [page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md"))]
    return frozenset(
        file
        for page in pages
        for name, _, files in DIRECTIVE.findall(page)
        if name == package_name
        for file in files.split()
    )


def first_name(space, name, obj):
    """The full name an object is described under: its own, where users can reach it under that."""
    own = getattr(obj, "__name__", name)
    homes = [home for home in ("nd4py", "nd4py.nn", space) if getattr(resolve_name(home), own, None) is obj]
    return f"{homes[0]}.{own}" if homes else f"{space}.{name}"


def described():
    """The full names that the pages of the reference describe, page by page, as often as they do."""
    for page in sorted(REFERENCE.glob("*.md")):
        for module_name, rows, files in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            yield from (f"{space_of(module_name)}.{name}" for name in offered(module_name, rows, files))
