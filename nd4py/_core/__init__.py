"""Arrays without arithmetic: memory layouts, views, plans and the thread gate."""

import os
from importlib.util import find_spec

if find_spec(f"{__name__}.attachment") is None:
    raise ImportError(
        f"nd4py is not built: there are no compiled modules in {os.path.dirname(__file__)}; run `pip install .` in its "
        "sources, and start Python in another folder, or build in place with `pip install -e .`"
    )

# libgomp reads how long its waiting threads spin once, when it is loaded with the first extension below.  Its default,
# 300,000 turns, takes milliseconds of cores that others want: a training step beside two compilers took 240 ms instead
# of 13.  10,000 turns, a quarter of a millisecond, bridge the gaps between calls; beside busy
# neighbours they cost no more than 1,000.
waiting = {} if {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys() else {"GOMP_SPINCOUNT": "10000"}
os.environ |= waiting

# All but `threads` complete NDArray.
from . import attachment, methods, released, tads, threads, workspace_copies  # noqa: E402

for name in waiting:
    del os.environ[name]
