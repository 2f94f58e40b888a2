"""Arrays without arithmetic: memory layouts, views, plans and the thread gate."""

import os

# libgomp reads how long its waiting threads spin once, when it is loaded with the first extension below.  Its default,
# 300,000 turns, burns a core for milliseconds: beside another busy process a training step became 18 times slower, and
# a caller spinning at the end of a region kept the core from the very thread it had woken.  1,000 turns, 75 us, bridge
# the gaps inside a training step; 300 left both threads on one core for whole bursts.
waiting = {} if {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys() else {"GOMP_SPINCOUNT": "1000"}
os.environ |= waiting

from . import threads  # noqa: E402

for name in waiting:
    del os.environ[name]
