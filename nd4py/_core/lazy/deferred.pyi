# Made from nd4py/_core/lazy/deferred.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from collections.abc import Iterator
from nd4py._core.annotations import Axes, DTypeLike, Operand, Shape
from nd4py._core.array.array import NDArray
from nd4py._core.dtype import DType
from typing import Any, ClassVar

class DeferredArray:
    __hash__: ClassVar[None]  # type: ignore[assignment, unused-ignore]
    __array_priority__: ClassVar[float]
    def __init__(self) -> None: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def dtype(self) -> DType: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def device(self) -> str: ...
    def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
    def block(self) -> NDArray: ...
    def astype(
        self,
        dtype: DTypeLike,
        order: Any = "K",
        casting: Any = "unsafe",
        subok: Any = True,
        copy: bool = True,
    ) -> DeferredArray: ...
    def clip(
        self,
        min: Operand | None = None,
        max: Operand | None = None,
        out: Any = None,
        *,
        a_min: Operand | None = None,
        a_max: Operand | None = None,
        dtype: DTypeLike | None = None,
        casting: str | None = None,
    ) -> DeferredArray: ...
    def conj(self) -> DeferredArray: ...
    def round(self, decimals: int = 0, out: Any = None) -> DeferredArray: ...
    def all(
        self,
        axis: Axes = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        where: Any = True,
    ) -> DeferredArray: ...
    def any(
        self,
        axis: Axes = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        where: Any = True,
    ) -> DeferredArray: ...
    def max(
        self,
        axis: Axes = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> DeferredArray: ...
    def mean(
        self,
        axis: Axes = None,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        where: Any = True,
    ) -> DeferredArray: ...
    def min(
        self,
        axis: Axes = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> DeferredArray: ...
    def prod(
        self,
        axis: Axes = None,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> DeferredArray: ...
    def sum(
        self,
        axis: Axes = None,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> DeferredArray: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[DeferredArray]: ...
    def __contains__(self, value: object) -> bool: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __format__(self, specification: str, /) -> str: ...
    def __round__(self, n_digits: int | None = None) -> Any: ...
    def __complex__(self) -> complex: ...
    def __copy__(self) -> DeferredArray: ...
    def __deepcopy__(self, memo: object) -> DeferredArray: ...
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any: ...
    def __array_function__(self, function: Any, types: Any, args: Any, keywords: Any) -> Any: ...
