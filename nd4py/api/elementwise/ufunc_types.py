"""What type checkers know of universal functions: their call, and the attributes that `ufunc_attributes` gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from ..._core.annotations import Axes, DTypeLike, Operand
from ..._core.array.array import NDArray

__all__: list[str] = []

Arguments = ParamSpec("Arguments")
Result_co = TypeVar("Result_co", covariant=True)


class UniversalFunction(Protocol[Arguments, Result_co]):
    """A function of elements, as NumPy's `ufunc`; `ufunc_methods` says what its methods do."""

    __name__: str
    nin: int
    nout: int
    nargs: int
    identity: Any

    def __call__(self, *args: Arguments.args, **keywords: Arguments.kwargs) -> Result_co: ...

    def reduce(
        self,
        x: Operand,
        /,
        axis: Axes = 0,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> NDArray: ...

    def accumulate(
        self, x: Operand, /, axis: int = 0, dtype: DTypeLike | None = None, out: NDArray | None = None
    ) -> NDArray: ...

    def reduceat(
        self, x: Operand, indices: Any, /, axis: int = 0, dtype: DTypeLike | None = None, out: NDArray | None = None
    ) -> NDArray: ...

    def outer(self, x1: Operand, x2: Operand, /, **keywords: Any) -> NDArray: ...

    def at(self, x: NDArray, indices: Any, values: Any = None, /) -> None: ...


def universal(function: Callable[Arguments, Result_co]) -> UniversalFunction[Arguments, Result_co]:
    """The function itself, to which `attach_methods` adds the attributes once its module is filled."""
    return cast(UniversalFunction[Arguments, Result_co], function)
