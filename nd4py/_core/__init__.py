"""Arrays without arithmetic: memory layouts, views, plans and the thread gate."""

import os

# libgomp reads how long its waiting threads spin once, when it is loaded with the first extension below.  Its default
# keeps a core busy for milliseconds: two processes on two cores then slow each other down twentyfold.  About a tenth of
# a millisecond still bridges the gaps inside a training step.
waiting = {} if {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys() else {"GOMP_SPINCOUNT": "5000"}
os.environ |= waiting

from . import threads  # noqa: E402

for name in waiting:
    del os.environ[name]
