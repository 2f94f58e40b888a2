"""Windows over images: sizes, frames and strides as ONNX gives them, for any number of axes."""

from __future__ import annotations

from typing import Any


def frames(
    sizes: Any, kernel: Any, strides: Any, dilations: Any, pads: Any, auto_pad: str, *, is_ceiling: bool = False
) -> tuple[list[tuple[int, int]], list[int]]:
    """How much is put before and behind each axis, and how many windows there are along it.

    With `is_ceiling` the last windows may reach over the frame, if they begin before its end.
    """
    pairs, counts = [], []
    for i, (size, n, stride, dilation) in enumerate(zip(sizes, kernel, strides, dilations, strict=True)):
        span = (n - 1) * dilation + 1
        if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            count = -(-size // stride)
            both = max((count - 1) * stride + span - size, 0)
            before = both // 2 if auto_pad == "SAME_UPPER" else both - both // 2
            pair = (before, both - before)
        else:
            pair = (0, 0) if auto_pad == "VALID" or pads is None else (pads[i], pads[len(kernel) + i])
            room = size + sum(pair) - span
            if room < 0:
                raise ValueError(f"a window of {span} does not fit into {size} elements with a frame of {pair}")
            count = room // stride + 1
            if is_ceiling and room % stride and count * stride < size + pair[0]:
                count += 1
        pairs.append(pair)
        counts.append(count)
    return pairs, counts


def flat(pairs: list[tuple[int, int]]) -> list[int]:
    """(before, behind) for each axis in one row, as the functions of images take them."""
    return [width for pair in pairs for width in pair]
