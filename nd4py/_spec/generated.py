"""All generated files: their paths and texts.

The build writes them.  Those that git keeps are there before a build too; a test says when one is stale.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .render import loop_headers, loop_parts, row_render
from .render.cuda_structs import structs, texts
from .render.dispatch_table import dispatch_table
from .render.driver_tables import device_table, host_table
from .render.folders import folder_lists
from .render.stubs import HEADER, Stubs, public_names

# Namespaces that are imported at their first use.
PARTS = ("fft", "linalg", "memory", "random", "testing")
# What a first call needs is imported with nd4py; the names of the other files come when they are first used.
FIRST = {
    *("creation.creation", "creation.data_types", "manipulation.manipulation", "products.matmul"),
    "reductions.reductions",
}


def files(root: Path) -> Iterator[tuple[Path, str]]:
    """(path, text) of every generated file below `root`; later ones are made from earlier ones as they lie there."""
    for name, text in headers(root).items():
        yield root / f"nd4py/cpu/gen/{name}.gen.h", text
    yield from loop_headers.cython_declarations(root).items()
    yield root / "nd4py/api/elementwise/elementwise.py", row_render.elementwise()
    yield root / "nd4py/api/reductions/reductions.py", row_render.reductions()
    yield root / "nd4py/api/reductions/scans.py", row_render.scans()
    yield root / "nd4py/cuda/launch/kernel_arguments.py", structs(*texts(root / "kernels/cuda"))
    yield root / "nd4py/_exec/drivers/driver_table.py", host_table(root)
    yield root / "nd4py/cuda/function_table.py", device_table(root)
    yield root / "nd4py/api/__init__.py", namespace(root / "nd4py/api")
    yield root / "nd4py/__init__.pyi", package_stub(root / "nd4py/__init__.py")
    yield from Stubs(root).texts().items()
    yield from folder_lists(root)


def headers(root: Path) -> dict[str, str]:
    """The headers that the loops are compiled from, by their names."""
    families = loop_headers.families(root)
    return {
        **loop_parts.part_headers(),
        **{f"{family}_dtype_loops": loop_headers.loops_header(family, files) for family, files in families.items()},
        **{f"{family}_table": loop_headers.loops_table(family, files) for family, files in families.items()},
        "loop_parts": loop_parts.list_of_parts(
            {family: loop_headers.loops_hash(files) for family, files in families.items()}
        ),
        "dispatch_table": dispatch_table(),
        "point_rows": row_render.point_rows(),
        "move_table": row_render.move_table(),
        "dtypes_hash": row_render.dtypes_header(),
        "element_sizes": row_render.element_sizes(),
    }


def namespace(folder: Path) -> str:
    """The text of nd4py/api/__init__.py: the names that the `__all__` of each of its files makes public."""
    files = {
        ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(folder.rglob("*.py"))
        if path != folder / "__init__.py"
    }
    names = {name: public_names(ast.parse(path.read_text(encoding="utf-8"))) for name, path in files.items()}
    public = {
        name: listed
        for name, listed in names.items()
        if listed and name.partition(".")[0] not in PARTS and not names.get(name.rpartition(".")[0])
    }
    first = "".join(f"from .{name} import *\n" for name in public if name in FIRST)
    late = "".join(f"    from .{name} import *\n" for name in public if name not in FIRST)
    sources = "".join(
        f'        "{each}": "{name}",\n' for name, listed in public.items() if name not in FIRST for each in listed
    )
    lazy = "".join(f'    {name} = LazyModule(f"{{__package__}}.{name}", globals())\n' for name in PARTS)
    listed = "".join(f'    "{name}",\n' for name in ("NDArray", *(name for each in public.values() for name in each)))
    return (
        '"""The array functions: what `import nd4py` offers, and all that the layers above may use.\n\n'
        "Made from the files of this folder by the build (nd4py/_spec/generated.py): each lists in `__all__` what it\n"
        'makes public.  What a first call needs is imported here, the rest when it is first used.\n"""\n\n'
        "# ruff: noqa: F403, F405\n\nfrom typing import TYPE_CHECKING\n\n"
        "from .._core.array.array import NDArray\nfrom .._core.lazy_modules import LazyModule, late_names\n"
        f"from . import upcalls as upcalls\n{first}\n"
        f"if TYPE_CHECKING:\n    from . import {', '.join(PARTS)}\n{late}else:\n{lazy}"
        f"    SOURCES = {{\n{sources}    }}\n    __getattr__ = late_names(SOURCES, globals())\n\n"
        f"__all__ = [\n{listed}]\n"
    )


def package_stub(path: Path) -> str:
    """The text of nd4py/__init__.pyi: the functions of `api`, and the names that `path`, the package itself, adds."""
    text = path.read_text(encoding="utf-8")
    constants = {
        name: "None" if value == "None" else "str" if value[0] == '"' else "float"
        for name, value in re.findall(r"^((?!_[a-z]|__all__)\w+) = (None|\".*\"|\d+\.\d+)$", text, re.M)
    }
    for names in re.findall(r"^from math import (.*)$", text, re.M):
        constants |= dict.fromkeys(names.split(", "), "float")
    listed = "".join(f"{name}: {constants[name]}\n" for name in sorted(constants))
    late = re.findall(r'^(\w+) = _LazyModule\("nd4py\.\1"', text, re.M)
    parts = "".join(f"from nd4py import {name} as {name}\n" for name in (*late, "lib", *PARTS))
    return f"{HEADER.format('nd4py/__init__.py')}{parts}from nd4py.api import *\n\n{listed}"
