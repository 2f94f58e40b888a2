"""The records of reductions, in the constant memory of their modules."""

from functools import partial

from .constant import SlotStatistics, SlotTable
from .drivers import at_change
from .kernels import Kernels
from .modules import loaded_modules
from .transfer import write_record

TABLE = "nd_tads"  # the array of records in kernels/reduce.cu

tables: dict[tuple[int, str], SlotTable] = {}  # by device and digest of the module


def slots_of(device: int, kernels: Kernels, record_bytes: int) -> SlotTable:
    """The slots for records in the constant memory of a module on a device."""
    key = (device, kernels.module.digest)
    if key not in tables:
        address, n_bytes = loaded_modules.variable(device, kernels, TABLE)
        tables[key] = SlotTable(device, address, n_bytes // record_bytes, record_bytes, partial(copy_record, device))
    return tables[key]


def copy_record(device: int, place: int, record: bytes) -> None:
    """Copy a record to a device on this thread's stream."""
    write_record(place, record, device)


def record_tables(device: int) -> list[SlotTable]:
    """The slots of all modules on a device."""
    return [table for (at, _), table in tables.items() if at == device]


def record_statistics(device: int) -> SlotStatistics:
    """How the slots for records were used on a device, over all modules."""
    found = [table.statistics() for table in record_tables(device)]
    return SlotStatistics(*map(sum, zip(*found, strict=True))) if found else SlotStatistics(0, 0, 0, 0, 0)


at_change.append(tables.clear)
