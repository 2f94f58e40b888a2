"""Map rows on a device.  Operands may have any layout and dtype; then there is one launch."""

from __future__ import annotations

from functools import partial

from ..._spec.op import Op
from ..allocation.ownership import overlaps, shares
from ..array.device_array import DeviceArray, empty_on_device
from ..compile.row_kernels import kernels_of_row
from ..copy.copies import Element, convert, operand, write
from ..launch.geometry import Operand, map_launch
from ..launch.submit import plan, submit


def run_row(
    row: Op, number: int, operands: tuple[Element, ...], params: tuple[float, ...], outputs: list[DeviceArray]
) -> None:
    """A map row on operands that broadcast to the outputs, computed as dtype `number`.  Raises UnsupportedOnDevice."""
    kernels = kernels_of_row(row, number)
    shape, device = outputs[0].shape, outputs[0].device_number
    result = kernels.result_number
    targets = [
        y
        if y.number == result and not any(shares(y, x) for x in outputs[:k])
        else empty_on_device(shape, result, device)
        for k, y in enumerate(outputs)
    ]
    inputs = [prepared(x, 0 if row.args[k] == "condition" else number, targets) for k, x in enumerate(operands)]
    seen = [operand(x, shape) for x in inputs]
    seen += [Operand(y.address, y.itemsize, y.strides) for y in targets]
    launch = plan(row.name, partial(map_launch, shape, seen, len(inputs), params))
    if launch is not None:
        submit(device, kernels.of(launch.variant), launch, [x for x in (*inputs, *targets) if not isinstance(x, bytes)])
    for target, y in zip(targets, outputs, strict=True):
        if target is not y:
            write(y, target)


def prepared(x: Element, number: int, targets: list[DeviceArray]) -> Element:
    """An operand of dtype `number` that no target overlaps, other than element for element."""
    if isinstance(x, bytes):
        return x
    if x.number != number or any(overlaps(x, y) for y in targets):
        return convert(x, number)
    return x
