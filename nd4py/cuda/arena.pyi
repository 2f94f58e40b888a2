from .array import DeviceArray

class ReleasedDeviceArray: ...
class DeviceBlock: ...
class Ownership: ...

class DeviceArena:
    id: str
    device_number: int
    current_size: int
    host_offset: int
    cycle_allocations: int
    last_cycle_allocations: int
    max_cycle_allocations: int
    spilled_size: int
    number_of_external_allocations: int
    pinned_size: int
    number_of_pinned_allocations: int
    generation_id: int
    cycles_count: int
    is_open: bool

def remains(released: DeviceArray) -> tuple[int, tuple[int, ...], object]: ...
def forget_arenas() -> None: ...
