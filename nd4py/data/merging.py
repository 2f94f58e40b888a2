"""Merging arrays of examples: sequences of several lengths are padded, and masks say where."""

from nd4py import api as nd

SEQUENCE_NDIM = 3  # (n, length, size)


def merged(arrays, masks, what):
    """The rows of all `arrays`, and a mask of them, or None where none has one and all rows have one shape.

    arrays: of rows of one shape, or sequences (n, length, size) of several lengths, which are padded with zeros
    masks: one or None for each of them; rows without a mask count as there where others have one
    Raises ValueError naming `what` where the rows differ in more than their length.
    """
    lengths = _lengths(arrays, what)
    if lengths is None:
        return nd.concat(list(arrays), axis=0), _joined_masks(arrays, masks, what)
    masks = [
        nd.ones(array.shape[:2], dtype=_mask_dtype(masks), device=array.device) if mask is None else mask
        for array, mask in zip(arrays, masks, strict=True)
    ]
    if any(mask.ndim != 2 for mask in masks):
        raise ValueError(f"{what}: sequences of several lengths need masks of their steps, (n, length)")
    longest = max(lengths)
    return tuple(nd.concat([_padded(each, longest) for each in group], axis=0) for group in (arrays, masks))


def _lengths(arrays, what):
    """The lengths of sequences that need padding; None where all rows have one shape."""
    first = arrays[0].shape[1:]
    if all(array.shape[1:] == first for array in arrays):
        return None
    for position, array in enumerate(arrays):
        is_sequence = array.ndim == SEQUENCE_NDIM == len(first) + 1
        if array.shape[1:] != first and not (is_sequence and array.shape[2] == first[1]):
            raise ValueError(
                f"{what} rows have shape {first} in data set 0 but {array.shape[1:]} in data set {position}; bring "
                "them to one shape first"
            )
    return [array.shape[1] for array in arrays]


def _joined_masks(arrays, masks, what):
    given = [mask for mask in masks if mask is not None]
    if not given:
        return None
    shape = given[0].shape[1:]
    if any(mask.shape[1:] != shape for mask in given):
        raise ValueError(f"{what} masks have rows of shapes {[mask.shape[1:] for mask in given]}; give all one shape")
    return nd.concat(
        [
            nd.ones((array.shape[0], *shape), dtype=given[0].dtype, device=array.device) if mask is None else mask
            for array, mask in zip(arrays, masks, strict=True)
        ],
        axis=0,
    )


def _mask_dtype(masks):
    return next((mask.dtype for mask in masks if mask is not None), "float32")


def _padded(x, length):
    """x with zeros behind its steps, up to `length`."""
    missing = length - x.shape[1]
    if missing == 0:
        return x
    zeros = nd.zeros((x.shape[0], missing, *x.shape[2:]), dtype=x.dtype, device=x.device)
    return nd.concat([x, zeros], axis=1)
