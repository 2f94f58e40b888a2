"""Arrays without arithmetic: memory layouts, views, plans and the thread gate.

The files, as the build lists them:

- annotations.py: Names for the types of arguments that many functions share.
- array/: The array: its class, its methods and operators, and what becomes of arrays without memory.
- bounded_caches.py: What is made once and found again: bounded caches.
- cache_statistics.py: How the caches do, for people and tests.
- call_site.pyx: Which line of the user's program called an operation, for those that run later.
- devices.py: Where arrays may be besides the host: the families of devices, known once they are imported, and what each
  can do.
- dtype.py: DType: the public face of a row of the dtype table.
- element_sizes.pxd: Of the elements of every dtype, by its number: bytes, and bytes of the parts of complex numbers, at
  multiples of which elements lie.
- interop/: Memory shared with other libraries without copies: DLPack, the buffer protocol, array interfaces.
- layout/: Where elements lie: shapes and strides, views, plans for walking several operands, overlap.
- lazy/: The lazy engine: operations that have been called and not yet been run, on the host and on devices alike.
- lazy_modules.py: Modules that are imported when something in them is first asked for.
- threads/: How many threads work, and how long work is interrupted.
- upcalls.pyx: Upcalls: functions of higher layers that arrays call.
- whole_numbers.py: Numbers, sequences and names that callers give, read in one place each.
- workspace_copies.pyx: Methods of arrays that copy them into another workspace, or out of all.
"""

import os
from importlib.util import find_spec

if find_spec(f"{__name__}.array.array") is None:
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

# These complete NDArray, and the gate reads the environment.
from . import workspace_copies  # noqa: E402
from .array import methods, released, workspace_methods  # noqa: E402
from .layout import subarrays  # noqa: E402
from .threads.threads import thread_count  # noqa: E402

for name in waiting:
    del os.environ[name]
