# Made from nd4py/_exec/device/row_promotion.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from typing import Any

def computed_row(op: int, operands: tuple[Any, ...], backend: Any) -> tuple[int, tuple[Any, ...], int]: ...
