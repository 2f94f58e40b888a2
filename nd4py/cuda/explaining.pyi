from typing import Any

from nd4py.cuda.array import DeviceArray

def pending_program(x: DeviceArray) -> dict[str, Any] | None: ...
