"""Argument structs of kernels in ctypes, made from the files of kernels/cuda.

Design: C's own text is the description.  The kernels and the Cython modules include it as it is, and its comments say
what each field means; Python's structs are made of it, and a test lets a compiler compare the offsets of all fields.
"""

from __future__ import annotations

import re
from pathlib import Path

LICENCE = '"""Argument structs of kernels, in ctypes.  Made from the files of kernels/cuda by the build."""\n'
TYPES = {
    "long long": "Wide",
    "unsigned long long": "ctypes.c_ulonglong",
    "unsigned int": "ctypes.c_uint",
    "int": "ctypes.c_int",
    "double": "ctypes.c_double",
}
STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.M | re.S)
CONSTANT = re.compile(r"^#define ND_(\w+) (\d+)", re.M)
FIELD = re.compile(
    r"^(?:const )?(?P<type>(?:unsigned )?(?:long long|int|char)|\w+)(?P<first> ?\*+ ?| )(?P<names>[\w*\[\], ]+)$"
)


def texts(folder: Path) -> tuple[str, ...]:
    """The texts of kernels/cuda with structs: the header of those that several files share, then the kernels'."""
    paths = [folder / "launch_arguments.cuh", *sorted(folder.glob("*.cu"))]
    return tuple(path.read_text(encoding="utf-8") for path in paths)


def structs(header: str, *kernels: str) -> str:
    """The text of nd4py/cuda/launch/kernel_arguments.py for the text of the header, and of the files of kernels."""
    constants = "".join(f"{name} = {value}\n" for name, value in CONSTANT.findall(header))
    classes = "".join(
        f"\n\nclass {name}(ctypes.Structure):\n    _fields_ = [\n{''.join(fields(body))}    ]\n"
        for name, body in [*STRUCT.findall(header), *arguments_of("\n".join(kernels))]
        if name != "Divisor"  # which has a method
    )
    return (
        f"{LICENCE}\nimport ctypes\n\nfrom .divisor import Divisor as Divisor\n\n{constants}\n"
        f"Wide = ctypes.c_longlong\nAddress = ctypes.c_void_p\n{classes}"
    )


def arguments_of(text: str) -> list[tuple[str, str]]:
    """The structs of kernels' arguments in a file of kernels, which has others too."""
    return [(name, body) for name, body in STRUCT.findall(text) if name.endswith("Arguments")]


def fields(body: str) -> list[str]:
    """A line for each field of a struct.  Raises ValueError for a declaration that cannot be read."""
    lines = []
    for declaration in re.sub(r"//[^\n]*", "", body).split(";"):
        if not (text := " ".join(declaration.split())):
            continue
        match = FIELD.match(text)
        if match is None:
            raise ValueError(f"kernels/cuda: cannot read the field {text!r} of a struct")
        for name in match["names"].split(","):
            is_address = "*" in match["first"] or "*" in name
            name, *sizes = re.findall(r"\w+", name)
            type_ = "Address" if is_address else TYPES.get(match["type"], match["type"])
            lines.append(f'        ("{name}", {array_of(type_, sizes)}),\n')
    return lines


def array_of(type_: str, sizes: list[str]) -> str:
    """A type in ctypes, or the array of it with these sizes, the innermost last."""
    for number, size in enumerate(reversed(sizes)):
        type_ = f"{f'({type_})' if number else type_} * {size.removeprefix('ND_')}"
    return type_
