"""The array API's inspection of the namespace: its devices, dtypes and capabilities."""

from __future__ import annotations

from ..._core.dtype import ALL_DTYPES, DType, dtype_of
from ..._core.layout.shape import MAX_DIMENSIONS
from ..._exec.device.placement import check_device, default_device, devices
from ..._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT, DEFAULT_INT
from ..creation.data_types import Kind, isdtype

__all__ = ["NamespaceInfo", "__array_namespace_info__"]

STANDARD = tuple(dtype for dtype in ALL_DTYPES if dtype.name not in ("float16", "bfloat16"))


class NamespaceInfo:
    """The inspection API of the array API standard, as `__array_namespace_info__()` returns it.  Raises nothing.

    >>> nd.__array_namespace_info__().default_device()
    'cpu'
    """

    def capabilities(self) -> dict[str, bool | int]:
        """What indexing and shapes may be: masks, shapes that depend on data, how many dimensions.  Raises nothing."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MAX_DIMENSIONS}

    def default_device(self) -> str:
        """The device of arrays made without `device=`.  Raises nothing."""
        return default_device()

    def devices(self) -> tuple[str, ...]:
        """The devices there are, "cpu" first.  Looking for others imports CuPy where it is installed.

        Raises nothing.
        """
        return devices()

    def default_dtypes(self, *, device: str | None = None) -> dict[str, DType]:
        """The dtypes that functions choose when none is given, by kind.  Raises ValueError for an unknown device."""
        check_device(device)
        return {
            "real floating": dtype_of(DEFAULT_FLOAT),
            "complex floating": dtype_of(DEFAULT_COMPLEX),
            "integral": dtype_of(DEFAULT_INT),
            "indexing": dtype_of(DEFAULT_INT),
        }

    def dtypes(self, *, device: str | None = None, kind: Kind | None = None) -> dict[str, DType]:
        """The standard's dtypes of a kind (see `isdtype`), or all, by name; nd4py has float16 and bfloat16 besides.

        Raises ValueError for an unknown device or kind.
        """
        check_device(device)
        return {dtype.name: dtype for dtype in STANDARD if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807 - the array API's name
    """Devices, dtypes and capabilities of this namespace.

    Returns a `NamespaceInfo`, whose methods answer.  Raises nothing.

    >>> nd.__array_namespace_info__().capabilities()["data-dependent shapes"]
    True
    """
    return NamespaceInfo()
