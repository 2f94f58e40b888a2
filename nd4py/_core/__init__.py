"""Arrays without arithmetic: memory layouts, views, plans and the thread gate.

The files, as the build lists them:

- annotations.py: Names for the types of arguments that many functions share.
- array/: The array: its class, methods and operators, and arrays whose memory was released.
- bounded_caches.py: Bounded caches.
- cache_statistics.py: Statistics of caches: hits, misses and entries.
- devices.py: Backends: what a family of devices has to offer, and the families that are known.
- dtype.py: DType: the public face of a row of the dtype table.
- element_sizes.pxd: Of the elements of every dtype, by its number: bytes, and bytes of the parts of complex numbers, at
  multiples of which elements lie.
- graphs/: Graphs: the launches of a function, recorded once and then repeated without Python.
- interop/: Memory shared with other libraries without copies: DLPack, the buffer protocol, array interfaces.
- layout/: Memory layouts: shapes and strides, views, plans for walking several operands, overlap.
- lazy/: The lazy engine: deferred operations, on the host and on devices alike.
- lazy_modules.py: Lazy imports: modules that are imported when something in them is first used.
- observing/: Observing: who is told of every operation that runs.
- public_types.pyx: Types as users know them: under the names that errors, `repr` and pickles have, and with the methods
  and properties that are written in other files.
- threads/: Threads: how many work, and how work is interrupted.
- upcalls.pyx: Upcalls: functions of higher layers that arrays call.
- whole_numbers.py: Checks of arguments: numbers, sequences and names.
- workspace_copies.pyx: Methods that copy arrays into another workspace, or out of all.
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
from .array import methods, numpy_methods, released, workspace_methods  # noqa: E402
from .layout import subarrays  # noqa: E402
from .threads.threads import thread_count  # noqa: E402

for name in waiting:
    del os.environ[name]
