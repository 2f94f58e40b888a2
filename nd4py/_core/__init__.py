"""Arrays without arithmetic: memory layouts, views, plans and the thread gate."""

import os

# libgomp reads how long its waiting threads spin once, when it is loaded with the first extension below.  Its default,
# 300,000 turns, takes milliseconds of cores that others want: a training step beside two compilers took 240 ms instead
# of 13.  10,000 turns, a quarter of a millisecond, bridge the gaps between calls; beside busy
# neighbours they cost no more than 1,000.
waiting = {} if {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys() else {"GOMP_SPINCOUNT": "10000"}
os.environ |= waiting

from . import attachment, methods, released, tads, threads  # noqa: E402 - all but the last complete NDArray

for name in waiting:
    del os.environ[name]
