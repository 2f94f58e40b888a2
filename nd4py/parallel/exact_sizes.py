"""Which batches give each of their rows the bits that the row has alone.

Design: kernels choose their order of adding by the size of a product, so the last bits of a row may depend on how many
rows are computed with it, and where it stands among them.  No rule says for which sizes: they follow from the kernels
of this machine.  So each size is tried before it is used, on random rows, which differ in some layer if the order of
adding does; until then, and where they differ, requests are computed one by one.  Rejected: padding every batch to one
size, which makes a single row as slow as a full batch.
"""

from typing import Any

from nd4py import api as nd

LEAST_ROWS_TRIED = 16  # of random rows: few rows of a small layer could agree by chance
MOST_SIGNATURES = 256  # of sequences of many lengths; those met later are computed one by one


class ExactSizes:
    """The sizes of batches that change no bit of the answer to a request padded to `least_rows` rows.

    least_rows: of a batch, filled up with zeros
    What is found holds for all networks of a configuration: kernels are chosen by shapes and not by parameters.
    """

    def __init__(self, least_rows):
        self._least_rows = least_rows
        self._found: dict[Any, dict[int, bool]] = {}

    def is_exact(self, signature, n_rows):
        """Whether a batch of so many rows keeps the bits of each; None where that was not tried."""
        if n_rows == 1:
            return self._least_rows == 1
        of_signature = self._found.get(signature)
        if of_signature is None:
            return False if len(self._found) >= MOST_SIGNATURES else None
        return of_signature.get(n_rows)

    def try_size(self, snapshot, request, n_rows):
        """Try batches of so many rows like those of a request on a network."""
        n_batches = max(1, LEAST_ROWS_TRIED // n_rows)
        try:
            is_exact = all(self._agrees(snapshot, request, n_rows, seed) for seed in range(n_batches))
        except Exception:  # a layer of somebody else does not take such rows
            is_exact = False
        self._found.setdefault(request.signature, {})[n_rows] = is_exact

    def _agrees(self, snapshot, request, n_rows, seed):
        """Whether each row of a random batch has its bits in every layer."""
        inputs, masks = random_rows(snapshot, request, n_rows, seed)
        together = snapshot.activations(inputs, masks)
        if any(y.ndim == 0 or y.shape[0] != n_rows for y in together):
            return False  # a layer makes something else than rows of rows
        for row in range(n_rows):
            alone = snapshot.activations(*padded(rows_of(inputs, masks, row, row + 1), self._least_rows))
            if any(y[row].tobytes() != z[0].tobytes() for y, z in zip(together, alone, strict=True)):
                return False
        return True


def random_rows(snapshot, request, n_rows, seed):
    """Normal numbers; indices and masks are those of the request, again and again."""
    rng = nd.random.Generator(seed)
    which = nd.arange(n_rows) % request.n_rows
    inputs = tuple(
        nd.take(x, nd.asarray(which, device=x.device), axis=0)
        if number in snapshot.index_inputs
        else nd.asarray(rng.normal(size=(n_rows, *x.shape[1:])), dtype=x.dtype, device=x.device)
        for number, x in enumerate(request.inputs)
    )
    masks = request.masks and tuple(
        None if mask is None else nd.take(mask, nd.asarray(which, device=mask.device), axis=0) for mask in request.masks
    )
    return inputs, masks


def rows_of(inputs, masks, start, stop):
    """Some rows of a batch."""
    return tuple(x[start:stop] for x in inputs), masks and tuple(mask and mask[start:stop] for mask in masks)


def joined(requests):
    """The rows of several requests, and of their masks, one after another."""
    inputs = tuple(nd.concat(list(parts)) for parts in zip(*[each.inputs for each in requests], strict=True))
    if requests[0].masks is None:
        return inputs, None
    masks = zip(*[each.masks for each in requests], strict=True)
    return inputs, tuple(None if parts[0] is None else nd.concat(list(parts)) for parts in masks)


def padded(batch, n_rows):
    """The inputs and masks of a batch filled up to so many rows: with zeros, also valid indices, and masks of ones."""
    inputs, masks = batch
    missing = n_rows - inputs[0].shape[0]
    if missing <= 0:
        return inputs, masks
    filled = tuple(_filled(x, missing, nd.zeros) for x in inputs)
    return filled, masks and tuple(None if mask is None else _filled(mask, missing, nd.ones) for mask in masks)


def _filled(x, missing, made):
    return nd.concat([x, made((missing, *x.shape[1:]), dtype=x.dtype, device=x.device)])
