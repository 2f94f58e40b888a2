"""Tables of drivers: the function that the host, and that a device, runs under one name.

A file of `cpu`, or of a family in `cuda`, lists its drivers in `__all__`.  What is composed of other functions, for
backends without a driver of that name, is the function of that name in a file of `_exec/drivers`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from .stubs import LINE_LENGTH, public_names

LISTED = re.compile(r"^__all__ = (\[[^\]]*\])", re.M)
WRITTEN = "Made by the build (nd4py/_spec/render/driver_tables.py) from what files list in `__all__`."
# Folders of `cuda` that list what users call, or what the layers above do, and no drivers.
WITHOUT_DRIVERS = ("driver", "launch")


def host_table(root: Path) -> str:
    """The text of nd4py/_exec/drivers/driver_table.py.  Raises ValueError for a name that two files have."""
    drivers = by_name(root, {path: listed(path) for path in sorted((root / "nd4py/cpu").rglob("*.pyx"))})
    composed = by_name(root, {
        path: [name for name in functions(path) if name in drivers]
        for path in sorted((root / "nd4py/_exec/drivers").glob("*.py"))
        if path.name != "driver_table.py"
    })  # fmt: skip
    lines = "".join(assignment(name, drivers[name], composed.get(name)) for name in sorted(drivers))
    return (
        '"""The table of drivers: which function the host and a device run under one name.\n\n'
        f"{WRITTEN}\n"
        "Each entry: the name, the host's driver, and what is composed of others for backends without a driver of that "
        'name.\n"""\n\n'
        "from ..._core.lazy_modules import LazyFunction\nfrom ..dispatch.by_backend import by_backend\n\n"
        f"{lines}"
    )


def assignment(name: str, module: str, composed: str | None) -> str:
    """The lines that make one driver."""
    parts = [f'"{name}"', *(f'LazyFunction("{each}", "{name}")' for each in (module, composed) if each)]
    line = f"{name} = by_backend({', '.join(parts)})\n"
    if len(line) <= LINE_LENGTH + 1:
        return line
    together = f"{name} = by_backend(\n    {', '.join(parts)}\n)\n"
    if max(map(len, together.splitlines())) <= LINE_LENGTH:
        return together
    return f"{name} = by_backend(\n{''.join(f'    {part},{chr(10)}' for part in parts)})\n"


def device_table(root: Path) -> str:
    """The text of nd4py/cuda/function_table.py.  Raises ValueError for a name that two files have."""
    files = [
        path
        for path in sorted((root / "nd4py/cuda").glob("*/*.py*"))
        if path.suffix in (".py", ".pyx") and path.parent.name not in WITHOUT_DRIVERS
    ]
    drivers = by_name(root, {path: listed(path) for path in files})
    imports: dict[str, list[str]] = {}
    for name, module in drivers.items():
        imports.setdefault(module.removeprefix("nd4py.cuda"), []).append(name)
    entries = "".join(f'    "{name}": {name},\n' for name in sorted(drivers))
    return (
        '"""Table of device functions, by the names of `nd4py._exec.dispatch.by_backend`.  Each takes what the host\'s '
        f'takes.\n\n{WRITTEN}\n"""\n\n'
        "from collections.abc import Callable\nfrom typing import Any\n\n"
        f"{''.join(import_of(module, sorted(imports[module])) for module in sorted(imports))}\n"
        f"FUNCTIONS: dict[str, Callable[..., Any]] = {{\n{entries}}}\n"
    )


def import_of(module: str, names: list[str]) -> str:
    """The import of some names of a module, one name to a line where it would be too long."""
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) <= LINE_LENGTH + 1:
        return line
    return f"from {module} import (\n{''.join(f'    {name},{chr(10)}' for name in names)})\n"


def by_name(root: Path, names: dict[Path, list[str]]) -> dict[str, str]:
    """The modules that names stand in.  Raises ValueError for a name that two files have."""
    found: dict[str, str] = {}
    for path, listed_names in names.items():
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for name in listed_names:
            if found.setdefault(name, module) != module:
                raise ValueError(f"{module} and {found[name]} both have a driver {name!r}")
    return found


def listed(path: Path) -> list[str]:
    """The names in `__all__` of a source in Python or Cython; none where there is no such list."""
    text = path.read_text(encoding="utf-8")
    found = LISTED.search(text)
    return (public_names(ast.parse(found[0])) or []) if found else []


def functions(path: Path) -> list[str]:
    """The functions that a source in Python defines."""
    return re.findall(r"^def (\w+)\(", path.read_text(encoding="utf-8"), re.M)
