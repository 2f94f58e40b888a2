"""DaskInference: the outputs of a network for the partitions of a dask collection.

Design: the network is a task like another, so each worker is given it once, keeps it as long as the collection is
computed, and gets it again when it comes late.  Outputs are a dask array and nothing is computed until somebody asks,
by whichever scheduler they like.
"""

from nd4py import api as nd
from nd4py.api.arguments import items
from nd4py.api.unknown_settings import TellingArguments
from nd4py.data.optional_packages import optional
from nd4py.nn import Snapshot
from nd4py.nn.networks.frames import framed

from ..service_settings import at_least
from .inside_tasks import Pickled, shared_cores, unpacked


class DaskInference(TellingArguments):
    """Computes the outputs of `network`, as it is now, wherever the parts of the data are.

    batch_size: rows computed at a time; None takes each part as a whole

    Raises TypeError for anything but a network, ValueError for a number that is too small.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> inference = parallel.DaskInference(net, batch_size=128)
    >>> [y.shape for y in inference.output([nd.ones((3, 4)), nd.ones((200, 4))])]
    [(3, 2), (200, 2)]
    """

    def __init__(self, network, *, batch_size=None):
        self.batch_size = None if batch_size is None else at_least(1, batch_size, "DaskInference: batch_size")
        self._snapshot = Snapshot(network)

    def output(self, data):
        """The outputs for rows of inputs, of a network with one input.

        data: a dask array of rows, of which only the first axis has several chunks or is cut into one; a dask DataFrame
            whose columns are the inputs; a dask bag of rows; or a list of arrays, which are computed here at once
        Returns a dask array whose chunks are nd4py arrays, one for each part, with unknown lengths where those of the
        parts are; a tuple of them where the network has several outputs; for a list a list of what the network returns.
        Raises TypeError for data of another kind, ValueError for rows that do not fit, ImportError where Dask is
        missing.
        """
        if hasattr(data, "shape") and not hasattr(data, "__dask_graph__"):
            raise TypeError(
                f"DaskInference.output: data must be a dask array, dataframe or bag, or a list of parts, given "
                f"{type(data).__name__}; dask.array.from_array(x, chunks=) makes one of it"
            )
        if not hasattr(data, "__dask_graph__"):
            parts = items("DaskInference.output: data", data)
            return [_given(outputs_of(self._snapshot, self.batch_size, part)) for part in parts]
        delayed = optional("dask", "DaskInference", "dask").delayed
        model = delayed(unpacked, pure=False)(Pickled(self._snapshot))
        likes = self._likes(data)
        if hasattr(data, "chunks") and len(likes) == 1:
            return self._blockwise(model, data, *likes)
        lengths, parts = self._parts(data)
        found = [delayed(outputs_of, pure=False)(model, self.batch_size, part) for part in parts]
        return _given(
            tuple(self._joined([each[number] for each in found], lengths, like) for number, like in enumerate(likes))
        )

    def _blockwise(self, model, data, like):
        """One output for a dask array, as a layer that Dask joins with what comes before and after into one task."""
        inputs = whole_rows(data)
        rows, outputs = tuple(range(data.ndim)), (0, *range(data.ndim, data.ndim + like.ndim - 1))
        return optional("dask.array", "DaskInference", "dask").blockwise(
            only_output, outputs, model, None, self.batch_size, None, inputs, rows,
            new_axes=dict(zip(outputs[1:], like.shape[1:], strict=True)), meta=like, dtype=like.dtype,
        )  # fmt: skip

    def _parts(self, data):
        """How many rows each part has, nan where nobody knows, and the parts."""
        if hasattr(data, "chunks"):
            return data.chunks[0], whole_rows(data).to_delayed().ravel().tolist()
        parts = list(data.to_delayed())
        return [float("nan")] * len(parts), parts

    def _likes(self, data):
        """Outputs without rows, of the shapes and dtypes that there will be."""
        if hasattr(data, "chunks"):
            row_shape, dtype = data.shape[1:], str(data.dtype)
        elif hasattr(data, "columns"):
            row_shape, dtype = (len(data.columns),), "float64"
        else:
            row_shape, dtype = shape_of_inputs(self._snapshot), "float64"
        return [y[:0] for y in outputs_of(self._snapshot, None, nd.zeros((1, *row_shape), dtype=dtype))]

    def _joined(self, parts, lengths, like):
        array = optional("dask.array", "DaskInference", "dask")
        chunks = [
            array.from_delayed(part, shape=(length, *like.shape[1:]), meta=like)
            for part, length in zip(parts, lengths, strict=True)
        ]
        return array.concatenate(chunks, allow_unknown_chunksizes=True)


def whole_rows(data):
    """A dask array of which only the first axis is cut."""
    return data.rechunk(dict.fromkeys(range(1, data.ndim), -1))


def outputs_of(snapshot, batch_size, part):
    """The outputs of a network for one part, batch by batch, as a tuple of arrays."""
    rows = _rows(snapshot, part)
    size = max(1, batch_size or rows.shape[0])
    starts = range(0, max(1, rows.shape[0]), size)
    with shared_cores():
        batches = [snapshot.outputs(*snapshot.checked(rows[start : start + size])) for start in starts]
    return batches[0] if len(batches) == 1 else tuple(nd.concat(list(each)) for each in zip(*batches, strict=True))


def only_output(snapshot, batch_size, part):
    """The output of a network that has one.

    part: the rows of a part, in lists of one for each axis that is not cut
    """
    while isinstance(part, list):
        (part,) = part
    return outputs_of(snapshot, batch_size, part)[0]


def _rows(snapshot, part):
    """The array of a part: a table, the items of a bag, or an array already.  Raises TypeError, ValueError."""
    if hasattr(part, "shape"):
        rows = nd.asarray(framed(part))
        if rows.ndim == 0:
            raise ValueError(f"DaskInference: a part is an array of rows, given one number, {rows}")
        return rows
    found = [nd.asarray(row) for row in items("DaskInference: a part", part)]
    return nd.stack(found) if found else nd.zeros((0, *shape_of_inputs(snapshot)))


def shape_of_inputs(snapshot):
    """The shape of a row, as the network has it.  Raises ValueError for sequences of any length."""
    (input_type,) = snapshot.input_types.values()
    if None in input_type.shape:
        raise ValueError(
            f"DaskInference: inputs are {input_type}, and how long those of a bag are is not known; give a dask array"
        )
    return input_type.shape


def _given(outputs):
    """One output alone, several as a tuple."""
    return outputs[0] if len(outputs) == 1 else outputs
