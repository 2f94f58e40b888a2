"""The upcalls that this layer fills in."""

from nd4py._core.lazy.lazy_backend cimport finish_readers
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.dispatch cimport dispatch
from nd4py._exec.conversion cimport item
from nd4py._exec.indexing.assignment cimport store_directly

import importlib

from .._core.interop.buffers import to_bytes, to_dlpack
from .._core.upcalls import fill
from .indexing import assignment, host_indexing, indexing
from .conversion import astype, copy, tolist
from .dispatch.dispatch import call
from .lazy.materialize import leave_to_readers
from .device.placement import to_device
from .reductions import argreduce, reduce


cdef object first_product(object left, object right):
    """left @ right, with what computes it, which takes the place of this function."""
    importlib.import_module(f"{__package__}.drivers.matmul")
    return upcalls.matmul(left, right)


cdef object first_inplace_product(object left, object right):
    """The same of left @= right."""
    importlib.import_module(f"{__package__}.drivers.matmul")
    return upcalls.inplace_matmul(left, right)


def first_record(name: str) -> Callable[..., NDArray]:
    """What records an operation on the tape, and first loads what all of them take the place of."""
    def record(*arguments):
        rows = importlib.import_module(f"{__package__}.autodiff.row_gradients")
        views = importlib.import_module(f"{__package__}.autodiff.view_gradients")
        upcalls.record_cast, upcalls.record_reduction = views.record_cast, rows.record_reduction
        upcalls.record_row, upcalls.record_view = rows.record_row, views.record_view
        return getattr(upcalls, name)(*arguments)

    return record


def fill_in() -> None:
    """Let arrays call them."""
    upcalls.binary, upcalls.unary, upcalls.inplace = dispatch.binary, dispatch.unary, dispatch.inplace
    upcalls.matmul, upcalls.inplace_matmul = first_product, first_inplace_product
    upcalls.call, upcalls.reduce, upcalls.argreduce = call, reduce, argreduce
    upcalls.finish_readers, upcalls.leave_to_readers = finish_readers, leave_to_readers
    upcalls.item, upcalls.store_directly = item, store_directly
    upcalls.assign, upcalls.astype, upcalls.copy, upcalls.tolist = assignment.assign, astype, copy, tolist
    upcalls.to_bytes, upcalls.to_device, upcalls.to_dlpack = to_bytes, to_device, to_dlpack
    upcalls.record_cast, upcalls.record_reduction = first_record("record_cast"), first_record("record_reduction")
    upcalls.record_row, upcalls.record_view = first_record("record_row"), first_record("record_view")
    upcalls.getitem, upcalls.setitem = host_indexing.getitem, host_indexing.setitem
    fill(on_devices=True, getitem=indexing.getitem, setitem=indexing.setitem)
