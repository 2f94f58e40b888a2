from typing import Any, TypeVar

_Result = TypeVar("_Result")

def call(op: int, operands: tuple[Any, ...], params: tuple[Any, ...], out: _Result | None) -> _Result: ...
