from typing import Any

from nd4py._core.array import NDArray

class Layout:
    view: tuple[Any, ...]
    arrays: tuple[NDArray, ...]
    axes: tuple[int, ...]
    names: tuple[int, ...]
    where: int
    is_unique: bool
    def __init__(
        self,
        view: tuple[Any, ...],
        arrays: tuple[NDArray, ...],
        axes: tuple[int, ...],
        names: tuple[int, ...],
        where: int,
        is_unique: bool = False,
    ) -> None: ...
    def of(self, x: NDArray) -> NDArray: ...

def parse(x: NDArray, key: Any) -> Layout: ...
def as_index(item: Any) -> NDArray: ...
def is_whole_mask(x: NDArray, key: Any) -> bool: ...
