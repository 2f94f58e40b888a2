"""Small records that kernels read again and again, kept on the device: an array of slots, the least recently used one
given up for a new record.

Reductions find the record of their lines (`Tad`) in a `__constant__` array, which belongs to one module on one device,
so each of them has slots of its own.  Scalars that operations meet are kept the same way in ordinary memory.

A record is copied on the stream that needs it first.  Other streams wait for that copy before they use it, once, and
before a slot is given to another record its stream waits for all others that used it.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from .current import bound_device, stream_of
from .driver import DEFAULT_STREAM, Address, Event
from .drivers import driver


class SlotStatistics(NamedTuple):
    """n_slots: there are    n_used: hold a record    hits, misses: records found, and copied    evicted: given up"""

    n_slots: int
    n_used: int
    hits: int
    misses: int
    evicted: int

    @property
    def hit_rate(self) -> float:
        """Fraction of records found in place, 0.0 before the first."""
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 0.0


@dataclass
class Slot:
    """number: in the array    stream: that copied the record    event: recorded after the copy, made when another
    stream needs it    others: streams besides that may read it"""

    number: int
    stream: int
    event: Event | None = None
    others: set[int] = field(default_factory=set)


class SlotTable:
    """An array of `n_slots` records of `slot_bytes` at `address` on a device.

    copy(address, record) copies a record on this thread's stream.
    """

    def __init__(
        self, device: int, address: Address, n_slots: int, slot_bytes: int, copy: Callable[[Address, bytes], None]
    ) -> None:
        self.device, self.address, self.n_slots, self.slot_bytes, self.copy = device, address, n_slots, slot_bytes, copy
        self.slots: OrderedDict[bytes, Slot] = OrderedDict()
        self.hits = self.misses = self.evicted = 0

    def find(self, record: bytes) -> int:
        """The number of the slot that holds `record`, for work given to this thread's stream next."""
        stream = stream_of(self.device)
        slot = self.slots.get(record)
        if slot is None:
            return self.fill(record, stream)
        self.hits += 1
        self.slots.move_to_end(record)
        if stream != slot.stream and stream not in slot.others:
            if slot.event is None:
                slot.event = self.mark(slot.stream)
            driver().event_wait(slot.event, stream)
            slot.others.add(stream)
        return slot.number

    def fill(self, record: bytes, stream: int) -> int:
        """Copy a record into a free slot, or into the one that was not used for the longest time."""
        self.misses += 1
        number = len(self.slots)
        if number == self.n_slots:
            _, given_up = self.slots.popitem(last=False)
            self.evicted += 1
            self.wait_for_readers(given_up, stream)
            number = given_up.number
        self.copy(self.address + number * self.slot_bytes, record)
        self.slots[record] = Slot(number, stream)
        return number

    def wait_for_readers(self, slot: Slot, stream: int) -> None:
        """Let `stream` wait until no other one reads a slot any more."""
        for reader in {slot.stream, *slot.others} - {stream}:
            event = self.mark(reader)
            driver().event_wait(event, stream)
            driver().event_destroy(event)
        if slot.event is not None:
            driver().event_destroy(slot.event)

    def retire_stream(self, stream: int) -> None:
        """A stream ended, after all its work: its records are there for everybody, and it reads none any more."""
        for slot in self.slots.values():
            slot.others.discard(stream)
            if slot.stream == stream:
                slot.stream = DEFAULT_STREAM

    def mark(self, stream: int) -> Event:
        """An event recorded on a stream now."""
        bound_device(self.device)
        event = driver().event_create()
        driver().event_record(event, stream)
        return event

    def place(self, record: bytes) -> Address:
        """The address of a record, for work given to this thread's stream next."""
        return self.address + self.find(record) * self.slot_bytes

    def statistics(self) -> SlotStatistics:
        """How the slots were used."""
        return SlotStatistics(self.n_slots, len(self.slots), self.hits, self.misses, self.evicted)
