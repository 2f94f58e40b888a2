"""What this build and this process use."""

import platform

from .._core.threads import available_cores, thread_count, threads
from .._spec.dtypes import DTYPES
from .._spec.ops import OPS
from .._spec.render import table_hash
from ..cpu.blas import loaded_library
from ..cpu.isa import active, select, supported

__all__ = ["config", "select_instruction_set", "show_config", "thread_count", "threads"]

select_instruction_set = select


def config() -> dict[str, str | int]:
    """A dict of what is in use: instruction sets, threads, BLAS, table, platform."""
    return {
        "instruction set": active(),
        "usable instruction sets": ", ".join(supported()),
        "threads": thread_count(),
        "cores": available_cores(),
        "BLAS": loaded_library(),
        "operations": len(OPS),
        "dtypes": len(DTYPES),
        "table": table_hash(),
        "Python": platform.python_version(),
        "platform": platform.platform(),
    }


def show_config() -> None:
    """Print what is in use, for people and bug reports."""
    rows = config()
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"{name:{width}}  {value}")
