"""Scalars that operations met, as elements in the memory of each device."""

from functools import partial

from .constant import SlotStatistics, SlotTable
from .driver import Address
from .drivers import at_change
from .scratch import Scratch
from .transfer import write_record

N_SCALARS, SCALAR_BYTES = 4096, 16

tables: dict[int, tuple[SlotTable, Scratch]] = {}


def place_of_scalar(device: int, element: bytes) -> Address:
    """The address of one element on a device, for work given to this thread's stream next."""
    if device not in tables:
        room = Scratch(device, N_SCALARS * SCALAR_BYTES)
        copy = partial(copy_element, device)
        tables[device] = SlotTable(device, room.address, N_SCALARS, SCALAR_BYTES, copy), room
    return tables[device][0].place(element)


def copy_element(device: int, place: Address, element: bytes) -> None:
    """Copy an element to a device on this thread's stream."""
    write_record(place, element, device)


def scalar_tables(device: int) -> list[SlotTable]:
    """The slots of a device; none before the first scalar."""
    return [tables[device][0]] if device in tables else []


def scalar_statistics(device: int) -> SlotStatistics:
    """How the slots for scalars were used on a device."""
    return tables[device][0].statistics() if device in tables else SlotStatistics(N_SCALARS, 0, 0, 0, 0)


at_change.append(tables.clear)
