"""Upcalls: functions of higher layers that arrays call.

They are filled in when nd4py is imported: in `_exec/upcalls` and `api/upcalls`, for devices in `_exec/device_functions`
and `cuda/upcalls`.

Design: a member for each, so that a name that is not there is an error where it is compiled or filled in, and one that
is not filled in an error of the import.  Modules of one layer call each other directly, but where that makes a cycle of
imports.  The functions that are methods too stay a dictionary, as which they are at hand: a method names its own once,
a member would name it twice more.  Rejected: strings for all, which fail at the call that misses them.
"""

from cython cimport auto_pickle


@auto_pickle(False)
cdef class MemoryUpcalls:
    """What depends on where the elements are."""


@auto_pickle(False)
cdef class Upcalls(MemoryUpcalls):
    """What arrays call, those of the host where it depends on that."""


@auto_pickle(False)
cdef class DeviceUpcalls(MemoryUpcalls):
    """What arrays on devices call, and others where they meet one."""


cdef object no_binary(int op, object left, object right):
    return None


cdef object no_unary(int op, object x):
    return None


cdef Upcalls upcalls = Upcalls()
cdef DeviceUpcalls device_upcalls = DeviceUpcalls()
device_upcalls.binary, device_upcalls.inplace = no_binary, no_binary       # until a family of devices is known
device_upcalls.unary = no_unary


def fill(bint on_devices=False, **functions: Any) -> None:
    """Give arrays functions that they call.  Raises AttributeError for a name that none has."""
    for name, function in functions.items():
        setattr(device_upcalls if on_devices else upcalls, name, function)


def check_filled(bint on_devices=False) -> None:
    """Raises NotImplementedError where a function was not filled in."""
    table = device_upcalls if on_devices else upcalls
    missing = [name for name in dir(table) if not name.startswith("_") and getattr(table, name) is None]
    if missing:
        raise NotImplementedError(f"upcalls: arrays lack {', '.join(missing)}")
