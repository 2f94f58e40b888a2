"""The configuration of this build and of this process."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from ..._core.lazy_modules import LazyModule
from ..._core.threads.threads import available_cores, thread_count, threads
from ..._core.whole_numbers import named
from ..._exec.device.placement import explanation, helpers_in_use
from ..._spec.dtypes import DTYPES
from ..._spec.ops import OPS
from ...cpu.isa.isa import active, select, supported

if TYPE_CHECKING:
    from ..._spec.render import row_render
    from ...cpu.matmul import blas
    from ...cpu.onednn import onednn
else:
    row_render = LazyModule("nd4py._spec.render.row_render", globals())
    blas = LazyModule("nd4py.cpu.matmul.blas", globals())
    onednn = LazyModule("nd4py.cpu.onednn.onednn", globals())

__all__ = ["config", "helpers", "select_instruction_set", "show_config", "thread_count", "threads"]

select_instruction_set = select


def config() -> dict[str, str | int]:
    """The configuration in use as a dict: instruction sets, threads, BLAS, table, platform.  Raises nothing.

    >>> "BLAS" in nd.config()
    True
    """
    return {
        "instruction set": active(),
        "usable instruction sets": ", ".join(supported()),
        "threads": thread_count(),
        "cores": available_cores(),
        "BLAS": blas.loaded_library(),
        "helpers": ", ".join([onednn.active_helpers(), *helpers_in_use()]),
        "device": explanation(),
        "operations": len(OPS),
        "dtypes": len(DTYPES),
        "table": row_render.table_hash(),
        "Python": platform.python_version(),
        "platform": platform.platform(),
    }


def helpers(wanted: bool) -> bool:
    """Allow or forbid helpers, libraries such as oneDNN for operations they do faster; allowed unless ND4PY_HELPERS=0.

    wanted: True allows them, False forbids them.
    Holds for all threads from the next call on.  Returns whether they were allowed before.  A helper's results are as
    accurate as the built-in path's, but their last bits may depend on the number of threads.
    Raises TypeError for anything but True and False.

    >>> before = nd.helpers(False)  # convolutions without oneDNN
    >>> nd.helpers(before)
    False
    """
    return onednn.helpers(wanted)


def show_config(mode: str = "stdout") -> dict[str, str | int] | None:
    """Print the configuration in use, for example for bug reports; mode="dicts" returns it as `config` does instead.

    Raises ValueError for another mode.
    Returns None, or a dict.

    >>> settings = nd.show_config(mode="dicts")
    >>> isinstance(settings, dict)
    True
    """
    rows = config()
    if named("show_config: mode", mode, ("stdout", "dicts")) == "dicts":
        return rows
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"{name:{width}}  {value}")
    return None
