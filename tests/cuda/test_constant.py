"""Slots for small records on a device: found again, given up in order, and waited for by other streams."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py.cuda.constant import SlotTable
from nd4py.cuda.current import set_stream


def table(n_slots=3):
    """(slots, the copies they make: (address, record))."""
    copies = []
    return SlotTable(0, 1000, n_slots, 16, lambda place, record: copies.append((place, record))), copies


def names(calls):
    return [call[0] for call in calls if call[0].startswith("event")]


@pytest.fixture
def stream(stub):
    """Gives this thread's work on device 0 to a stream of that number; back to the default one afterwards."""
    stub.is_recording = True
    yield lambda number: set_stream(0, number)
    set_stream(0, 0)
    stub.events.clear()


def test_a_record_is_copied_once(stub):
    slots, copies = table()
    assert [slots.find(b"a"), slots.find(b"b"), slots.find(b"a")] == [0, 1, 0]
    assert copies == [(1000, b"a"), (1016, b"b")]
    assert slots.place(b"b") == 1016
    assert slots.statistics() == (3, 2, 2, 2, 0)
    assert slots.statistics().hit_rate == 0.5


def test_the_record_used_longest_ago_is_given_up(stub):
    slots, copies = table(2)
    slots.find(b"a"), slots.find(b"b"), slots.find(b"a")
    assert slots.find(b"c") == 1
    assert slots.find(b"a") == 0
    assert slots.find(b"b") == 1
    assert slots.statistics().evicted == 2
    assert len(copies) == 4


def test_another_stream_waits_for_the_copy_once(stub, stream):
    slots, _ = table()
    slots.find(b"a")
    assert names(stub.calls) == []
    stream(5)
    slots.find(b"a")
    assert names(stub.calls) == ["event_create", "event_record", "event_wait"]
    assert stub.calls[-1][2] == 5
    slots.find(b"a")
    stream(6)
    slots.find(b"a")
    assert names(stub.calls) == ["event_create", "event_record", "event_wait", "event_wait"]


def test_a_slot_is_overwritten_after_its_readers(stub, stream):
    slots, _ = table(1)
    slots.find(b"a")
    stream(5)
    slots.find(b"a")
    stub.calls.clear()
    stream(7)
    assert slots.find(b"b") == 0
    records = {call[2] for call in stub.calls if call[0] == "event_record"}
    waits = [call[2] for call in stub.calls if call[0] == "event_wait"]
    assert records == {0, 5}
    assert waits == [7, 7]


def test_a_stream_that_ended_is_not_asked_any_more(stub):
    x = nd.ones(4, dtype="float32", device="cuda:0")
    with nd.cuda.Stream(0) as stream:
        with stream.scope():
            x * 3.0
        ended = stream.handle
    with nd.cuda.Stream(0) as other:
        stub.is_recording = True
        with other.scope():
            x * 3.0
        assert ended not in [call[2] for call in stub.calls if call[0] == "event_record"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(keys=st.lists(st.integers(0, 9), max_size=60), n_slots=st.integers(1, 5))
def test_any_series_finds_what_was_copied_last(stub, keys, n_slots):
    memory = {}
    slots = SlotTable(0, 0, n_slots, 1, memory.__setitem__)
    for key in keys:
        record = bytes([key])
        assert memory[slots.place(record)] == record
    assert len(memory) <= n_slots
    found = slots.statistics()
    assert found.hits + found.misses == len(keys)
