"""Which names the pages of the reference describe: those in the `__all__` of nd4py's modules."""

import re
from functools import cache
from pathlib import Path
from pkgutil import iter_modules, resolve_name

from nd4py._spec import ops

REFERENCE = Path(__file__).parent / "reference"
SPACES = ("nd4py.fft", "nd4py.linalg", "nd4py.memory", "nd4py.random", "nd4py.testing")
DIRECTIVE = re.compile(r"^\.\. offers:: (\S+)(?:\n   :rows: (\w+))?", re.M)


def space_of(module_name):
    """Where users find a module's names: nd4py, or one of its sub-namespaces."""
    return module_name if module_name in SPACES else "nd4py"


@cache
def named():
    """The modules that a page names."""
    pages = [page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md"))]
    return frozenset(name for page in pages for name, _ in DIRECTIVE.findall(page))


def offered(module_name, rows=""):
    """Names and objects that a module offers, in its order; with `rows`, those of one group of the table.

    A folder offers what those of its modules offer that no page names.
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
    return {name: getattr(module, name) for name in names}


def first_name(space, name, obj):
    """The full name an object is described under: its own, where users can reach it under that."""
    own = getattr(obj, "__name__", name)
    homes = [home for home in ("nd4py", space) if getattr(resolve_name(home), own, None) is obj]
    return f"{homes[0]}.{own}" if homes else f"{space}.{name}"


def described():
    """The full names that the pages of the reference describe, page by page, as often as they do."""
    for page in sorted(REFERENCE.glob("*.md")):
        for module_name, rows in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            yield from (f"{space_of(module_name)}.{name}" for name in offered(module_name, rows))
