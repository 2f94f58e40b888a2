"""A call of every function of the namespace that takes arrays: `CALLS[name](nd, a)`.

`a` makes an array where the caller wants it: on the host, or on a device.
"""

import numpy as np
from table import arguments_of, params_of, sample

from nd4py._spec.ops import ALL

NUMBERS = np.asarray([[3, 1, -2, 0], [4, 0, 1, 1], [-1, 5, 2, 2]], "float32")
OTHERS = np.asarray([[1, 2, 3, 4], [2, 2, 1, 0], [0, 1, 1, 5]], "float32")
SQUARE = np.asarray([[4, 1, -2], [1, 5, 0], [2, 0, 3]], "float64")
POSITIVE = SQUARE.T @ SQUARE
LINE = np.asarray([3.0, 1.0, -2.0, 4.0, 0.0, 1.0])
WHOLE = np.asarray([3, 1, 2, 4, 0, 1])
ASCENDING = np.asarray([0.0, 1.0, 2.0, 4.0])
POWERS = np.asarray([2, 1, 3, 5, 0, 4])
BYTES = np.asarray([[3, 130], [7, 255]], "uint8")
COMPLEX = np.asarray([3 + 1j, -2j, 1 - 4j])
POLYNOMIAL = np.asarray([2.0, -3.0, 1.0, 4.0])
MASK = np.asarray([[True, False, True, False], [False, False, True, True], [True, True, False, False]])
HOLES = np.asarray([[1.0, np.nan, 3.0, 2.0], [np.nan, 5.0, 6.0, 0.5]])
PLACES = np.asarray([1, 3, 0])
BLOCK = np.arange(24.0).reshape(2, 3, 4) % 7
IMAGES = np.arange(2 * 2 * 5 * 5, dtype="float32").reshape(2, 2, 5, 5) % 7
VOLUMES = np.arange(2 * 2 * 3 * 4 * 3, dtype="float32").reshape(2, 2, 3, 4, 3) % 7
CUBES = np.arange(2 * 2 * 2 * 2 * 2, dtype="float32").reshape(2, 2, 2, 2, 2) % 5 - 2
FILTERS = np.arange(3 * 2 * 3 * 3, dtype="float32").reshape(3, 2, 3, 3) % 5 - 2


def of_row(row):
    """The call of a row of the table on a few elements of the first dtype it takes of these."""
    dtype = next(name for name in ("float32", "int32", "bool") if name in row.dtypes)
    params = params_of(row) if row.family == "map" else {}
    return lambda nd, a: getattr(nd, row.name)(*[a(x) for x in sample(row, dtype, n=7)], **params)


def of_examples(row):
    """The calls of an irregular row's examples, of the first dtype it takes of these, in one tuple."""
    dtype = next(name for name in ("float32", "int32", "bool") if name in row.dtypes)

    def results(nd, a):
        calls = [arguments_of(text, row, dtype) for text in row.examples]
        return tuple(
            getattr(nd, row.name)(*[a(x) if isinstance(x, np.ndarray) else x for x in arguments], **keywords)
            for arguments, keywords in calls
        )

    return results


ROWS = {row.name: of_row(row) for row in ALL if row.family != "custom" and "_vjp_" not in row.name}
IRREGULAR = {row.name: of_examples(row) for row in ALL if row.examples}
# With operands that elementwise samples do not have.
ROWS["where"] = lambda nd, a: nd.where(a(MASK), a(NUMBERS), a(OTHERS))
ROWS["clip"] = lambda nd, a: nd.clip(a(NUMBERS), -1.0, 2.0)

MAKING = {
    "arange": lambda nd, a: nd.arange(1, 9, 2, device=a.device),
    "array": lambda nd, a: nd.array(a(NUMBERS)),
    "asarray": lambda nd, a: nd.asarray([[1.0, 2.0]], device=a.device),
    "empty": lambda nd, a: nd.zeros_like(nd.empty((2, 3), device=a.device)),
    "empty_like": lambda nd, a: nd.zeros_like(nd.empty_like(a(NUMBERS))),
    "eye": lambda nd, a: nd.eye(3, 4, k=1, device=a.device),
    "from_dlpack": lambda nd, a: nd.from_dlpack(a(NUMBERS)),
    "full": lambda nd, a: nd.full((2, 3), 7.0, device=a.device),
    "full_like": lambda nd, a: nd.full_like(a(NUMBERS), 7),
    "linspace": lambda nd, a: nd.linspace(0.0, 1.0, 5, device=a.device),
    "meshgrid": lambda nd, a: nd.meshgrid(a(LINE), a(ASCENDING)),
    "ones": lambda nd, a: nd.ones((2, 3), device=a.device),
    "ones_like": lambda nd, a: nd.ones_like(a(NUMBERS)),
    "tril": lambda nd, a: nd.tril(a(SQUARE)),
    "triu": lambda nd, a: nd.triu(a(SQUARE), k=1),
    "vander": lambda nd, a: nd.vander(a(LINE), 3),
    "diag": lambda nd, a: nd.diag(a(LINE)),
    "zeros": lambda nd, a: nd.zeros((2, 3), device=a.device),
    "zeros_like": lambda nd, a: nd.zeros_like(a(NUMBERS)),
}

MOVING = {
    "array_split": lambda nd, a: nd.array_split(a(LINE), 4),
    "ascontiguous": lambda nd, a: nd.ascontiguous(a(NUMBERS).T),
    "astype": lambda nd, a: nd.astype(a(NUMBERS), nd.int16),
    "atleast_1d": lambda nd, a: nd.atleast_1d(a(LINE)[0]),
    "atleast_2d": lambda nd, a: nd.atleast_2d(a(LINE)),
    "atleast_3d": lambda nd, a: nd.atleast_3d(a(LINE)),
    "broadcast_arrays": lambda nd, a: nd.broadcast_arrays(a(NUMBERS), a(NUMBERS[:, :1])),
    "broadcast_to": lambda nd, a: nd.broadcast_to(a(NUMBERS[:, :1]), (3, 5)),
    "concat": lambda nd, a: nd.concat([a(NUMBERS), a(OTHERS)], axis=1),
    "concatenate": lambda nd, a: nd.concatenate([a(NUMBERS), a(OTHERS)], axis=None),
    "constant": lambda nd, a: nd.constant(a(NUMBERS)),
    "diagonal": lambda nd, a: nd.diagonal(a(NUMBERS), 1),
    "expand_dims": lambda nd, a: nd.expand_dims(a(NUMBERS), (0, -1)),
    "flip": lambda nd, a: nd.flip(a(NUMBERS)),
    "fliplr": lambda nd, a: nd.fliplr(a(NUMBERS)),
    "flipud": lambda nd, a: nd.flipud(a(NUMBERS)),
    "hstack": lambda nd, a: nd.hstack([a(NUMBERS), a(OTHERS)]),
    "matrix_transpose": lambda nd, a: nd.matrix_transpose(a(NUMBERS)),
    "moveaxis": lambda nd, a: nd.moveaxis(a(NUMBERS), 0, 1),
    "pad": lambda nd, a: (nd.pad(a(NUMBERS), 1), nd.pad(a(NUMBERS), ((1, 2), (0, 3)), "reflect")),
    "permute_dims": lambda nd, a: nd.permute_dims(a(NUMBERS), (1, 0)),
    "ravel": lambda nd, a: nd.ravel(a(NUMBERS).T),
    "repeat": lambda nd, a: (nd.repeat(a(NUMBERS), 2, axis=0), nd.repeat(a(LINE), [0, 1, 2, 3, 0, 1])),
    "reshape": lambda nd, a: nd.reshape(a(NUMBERS), (2, -1)),
    "roll": lambda nd, a: nd.roll(a(NUMBERS), 2, axis=1),
    "rot90": lambda nd, a: nd.rot90(a(NUMBERS)),
    "split": lambda nd, a: nd.split(a(LINE), 3),
    "squeeze": lambda nd, a: nd.squeeze(a(NUMBERS[:, :1]), 1),
    "stack": lambda nd, a: nd.stack([a(NUMBERS), a(OTHERS)], axis=-1),
    "stop_gradient": lambda nd, a: nd.stop_gradient(a(NUMBERS)),
    "swapaxes": lambda nd, a: nd.swapaxes(a(NUMBERS), 0, 1),
    "tensor_along_dimension": lambda nd, a: nd.tensor_along_dimension(a(NUMBERS), 1, 0),
    "tensors_along_dimension": lambda nd, a: nd.tensors_along_dimension(a(NUMBERS), 0),
    "tile": lambda nd, a: nd.tile(a(NUMBERS), (2, 2)),
    "transpose": lambda nd, a: nd.transpose(a(NUMBERS)),
    "unstack": lambda nd, a: nd.unstack(a(NUMBERS)),
    "vstack": lambda nd, a: nd.vstack([a(LINE), a(LINE)]),
}

CHOOSING = {
    "allclose": lambda nd, a: nd.allclose(a(NUMBERS), a(NUMBERS)),
    "array_equal": lambda nd, a: nd.array_equal(a(NUMBERS), a(OTHERS)),
    "array_equiv": lambda nd, a: nd.array_equiv(a(NUMBERS), a(NUMBERS[:1])),
    "bincount": lambda nd, a: nd.bincount(a(WHOLE)),
    "compress": lambda nd, a: nd.compress(a(MASK[:, 0]), a(NUMBERS), axis=0),
    "digitize": lambda nd, a: nd.digitize(a(LINE), a(ASCENDING)),
    "extract": lambda nd, a: nd.extract(a(MASK), a(NUMBERS)),
    "histogram": lambda nd, a: nd.histogram(a(LINE), 3),
    "histogram2d": lambda nd, a: nd.histogram2d(a(LINE), a(LINE), 3),
    "histogram_bin_edges": lambda nd, a: nd.histogram_bin_edges(a(LINE), 3),
    "index_add": lambda nd, a: nd.index_add(a(NUMBERS), a(WHOLE[1:3]), a(OTHERS[:2])),
    "isin": lambda nd, a: nd.isin(a(NUMBERS), a(LINE[:2].astype("float32"))),
    "one_hot": lambda nd, a: nd.one_hot(a(WHOLE), 5),
    "put_along_axis": lambda nd, a: put_along_axis(nd, a),
    "unique_all": lambda nd, a: nd.unique_all(a(NUMBERS)),
    "unique_counts": lambda nd, a: nd.unique_counts(a(NUMBERS)),
    "unique_inverse": lambda nd, a: nd.unique_inverse(a(NUMBERS)),
    "unique_values": lambda nd, a: nd.unique_values(a(NUMBERS)),
}

SUMMING = {
    "amax": lambda nd, a: nd.amax(a(NUMBERS), 0),
    "amin": lambda nd, a: nd.amin(a(NUMBERS), 0),
    "average": lambda nd, a: (nd.average(a(NUMBERS), 0), nd.average(a(NUMBERS), 1, weights=a(ASCENDING))),
    "corrcoef": lambda nd, a: nd.corrcoef(a(NUMBERS)),
    "cov": lambda nd, a: nd.cov(a(NUMBERS)),
    "diff": lambda nd, a: nd.diff(a(NUMBERS), axis=0),
    "gradient": lambda nd, a: nd.gradient(a(NUMBERS)),
    "layer_norm": lambda nd, a: nd.layer_norm(a(NUMBERS)),
    "log_softmax": lambda nd, a: nd.log_softmax(a(NUMBERS), axis=0),
    "logsumexp": lambda nd, a: nd.logsumexp(a(NUMBERS), axis=1),
    "median": lambda nd, a: nd.median(a(NUMBERS), axis=0),
    "nan_to_num": lambda nd, a: nd.nan_to_num(a(HOLES)),
    "nanargmax": lambda nd, a: nd.nanargmax(a(HOLES), axis=1),
    "nanargmin": lambda nd, a: nd.nanargmin(a(HOLES), axis=1),
    "nancumprod": lambda nd, a: nd.nancumprod(a(HOLES), axis=1),
    "nancumsum": lambda nd, a: nd.nancumsum(a(HOLES), axis=1),
    "nanmean": lambda nd, a: nd.nanmean(a(HOLES), axis=0),
    "nanmedian": lambda nd, a: nd.nanmedian(a(HOLES), axis=0),
    "nanpercentile": lambda nd, a: nd.nanpercentile(a(HOLES), 30.0, axis=0),
    "nanquantile": lambda nd, a: nd.nanquantile(a(HOLES), 0.3, axis=1),
    "nanstd": lambda nd, a: nd.nanstd(a(HOLES), axis=0),
    "nanvar": lambda nd, a: nd.nanvar(a(HOLES), axis=1),
    "percentile": lambda nd, a: nd.percentile(a(NUMBERS), 30.0),
    "ptp": lambda nd, a: nd.ptp(a(NUMBERS), 1),
    "quantile": lambda nd, a: nd.quantile(a(NUMBERS), 0.3, axis=1),
    "rms_norm": lambda nd, a: nd.rms_norm(a(NUMBERS), axis=0),
    "softmax": lambda nd, a: nd.softmax(a(NUMBERS)),
    "std": lambda nd, a: nd.std(a(NUMBERS), axis=0),
    "trace": lambda nd, a: nd.trace(a(SQUARE)),
    "trapezoid": lambda nd, a: nd.trapezoid(a(NUMBERS), dx=0.5),
    "var": lambda nd, a: (nd.var(a(NUMBERS)), nd.var(a(NUMBERS), axis=1, correction=1, keepdims=True)),
}

MULTIPLYING = {
    "avg_pool2d": lambda nd, a: nd.avg_pool2d(a(IMAGES), 2),
    "avg_pool3d": lambda nd, a: nd.avg_pool3d(a(VOLUMES), 2),
    "conv2d": lambda nd, a: nd.conv2d(a(IMAGES), a(FILTERS)),
    "conv3d": lambda nd, a: nd.conv3d(a(VOLUMES), a(CUBES)),
    "conv_transpose2d": lambda nd, a: nd.conv_transpose2d(a(IMAGES), a(FILTERS[:2])),
    "conv_transpose3d": lambda nd, a: nd.conv_transpose3d(a(VOLUMES), a(CUBES)),
    "convolve": lambda nd, a: nd.convolve(a(LINE), a(ASCENDING)),
    "correlate": lambda nd, a: nd.correlate(a(LINE), a(ASCENDING)),
    "cross": lambda nd, a: nd.cross(a(SQUARE), a(POSITIVE)),
    "dot": lambda nd, a: nd.dot(a(SQUARE), a(POSITIVE)),
    "einsum": lambda nd, a: nd.einsum("ij,kj->ik", a(NUMBERS), a(OTHERS)),
    "inner": lambda nd, a: nd.inner(a(NUMBERS), a(OTHERS)),
    "interp": lambda nd, a: nd.interp(a(LINE), a(ASCENDING), a(LINE[:4])),
    "kron": lambda nd, a: nd.kron(a(NUMBERS), a(OTHERS)),
    "matmul": lambda nd, a: nd.matmul(a(SQUARE), a(POSITIVE)),
    "matvec": lambda nd, a: nd.matvec(a(SQUARE), a(POSITIVE)),
    "max_pool2d": lambda nd, a: nd.max_pool2d(a(IMAGES), 2),
    "max_pool3d": lambda nd, a: nd.max_pool3d(a(VOLUMES), 2),
    "outer": lambda nd, a: nd.outer(a(LINE), a(ASCENDING)),
    "polyval": lambda nd, a: nd.polyval(a(ASCENDING), a(LINE)),
    "tensordot": lambda nd, a: nd.tensordot(a(NUMBERS), a(OTHERS), axes=((1,), (1,))),
    "vdot": lambda nd, a: nd.vdot(a(NUMBERS), a(OTHERS)),
    "vecdot": lambda nd, a: nd.vecdot(a(NUMBERS), a(OTHERS)),
    "vecmat": lambda nd, a: nd.vecmat(a(SQUARE), a(POSITIVE)),
}

ALIASES = {
    "true_divide": "divide", "mod": "remainder", "power": "pow", "absolute": "abs", "conjugate": "conj",
    "degrees": "rad2deg", "radians": "deg2rad",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh",
    "arccosh": "acosh", "arctanh": "atanh", "bitwise_not": "bitwise_invert", "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift",
}  # fmt: skip

LINALG = {
    "cholesky": lambda nd, a: nd.linalg.cholesky(a(POSITIVE)),
    "cond": lambda nd, a: nd.linalg.cond(a(SQUARE)),
    "cross": lambda nd, a: nd.linalg.cross(a(SQUARE), a(POSITIVE)),
    "det": lambda nd, a: nd.linalg.det(a(SQUARE)),
    "diagonal": lambda nd, a: nd.linalg.diagonal(a(SQUARE)),
    "eig": lambda nd, a: nd.linalg.eig(a(SQUARE)),
    "eigh": lambda nd, a: nd.linalg.eigh(a(POSITIVE)),
    "eigvals": lambda nd, a: nd.linalg.eigvals(a(SQUARE)),
    "eigvalsh": lambda nd, a: nd.linalg.eigvalsh(a(POSITIVE)),
    "inv": lambda nd, a: nd.linalg.inv(a(SQUARE)),
    "lstsq": lambda nd, a: nd.linalg.lstsq(a(SQUARE), a(SQUARE[0])),
    "matmul": lambda nd, a: nd.linalg.matmul(a(SQUARE), a(POSITIVE)),
    "matrix_norm": lambda nd, a: (nd.linalg.matrix_norm(a(SQUARE)), nd.linalg.matrix_norm(a(SQUARE), ord=1)),
    "matrix_power": lambda nd, a: nd.linalg.matrix_power(a(SQUARE), 3),
    "matrix_rank": lambda nd, a: nd.linalg.matrix_rank(a(SQUARE)),
    "matrix_transpose": lambda nd, a: nd.linalg.matrix_transpose(a(SQUARE)),
    "multi_dot": lambda nd, a: nd.linalg.multi_dot([a(SQUARE), a(POSITIVE), a(SQUARE)]),
    "norm": lambda nd, a: nd.linalg.norm(a(LINE)),
    "outer": lambda nd, a: nd.linalg.outer(a(LINE), a(ASCENDING)),
    "pinv": lambda nd, a: nd.linalg.pinv(a(SQUARE)),
    "qr": lambda nd, a: nd.linalg.qr(a(SQUARE)),
    "slogdet": lambda nd, a: nd.linalg.slogdet(a(SQUARE)),
    "solve": lambda nd, a: nd.linalg.solve(a(SQUARE), a(SQUARE[0])),
    "svd": lambda nd, a: nd.linalg.svd(a(SQUARE)),
    "svdvals": lambda nd, a: nd.linalg.svdvals(a(SQUARE)),
    "tensordot": lambda nd, a: nd.linalg.tensordot(a(SQUARE), a(POSITIVE), axes=1),
    "trace": lambda nd, a: nd.linalg.trace(a(SQUARE)),
    "vecdot": lambda nd, a: nd.linalg.vecdot(a(SQUARE), a(POSITIVE)),
    "vector_norm": lambda nd, a: (nd.linalg.vector_norm(a(LINE)), nd.linalg.vector_norm(a(SQUARE), axis=0, ord=3)),
}


def transform(name):
    """A Fourier transform of a square: complex where the function takes complex numbers, symmetric or not."""
    return lambda nd, a: getattr(nd.fft, name)(a(SQUARE))


FFT = {
    **{
        name: transform(name)
        for name in ("fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "rfft", "rfft2", "rfftn", "irfft", "irfft2",
                     "irfftn", "hfft", "ihfft")
    },
    "fftshift": lambda nd, a: nd.fft.fftshift(a(LINE)),
    "ifftshift": lambda nd, a: nd.fft.ifftshift(a(LINE)),
    "fftfreq": lambda nd, a: nd.fft.fftfreq(6, device=a.device),
    "rfftfreq": lambda nd, a: nd.fft.rfftfreq(6, device=a.device),
}  # fmt: skip


# What stands under NumPy's names.


def written(write):
    """The array that a function wrote to."""

    def call(nd, a):
        x = a(NUMBERS)
        write(nd, a, x)
        return x

    return call


JOINING = {
    "append": lambda nd, a: nd.append(a(NUMBERS), a(OTHERS), axis=1),
    "block": lambda nd, a: nd.block([[a(NUMBERS), a(OTHERS)], [a(OTHERS), a(NUMBERS)]]),
    "column_stack": lambda nd, a: nd.column_stack([a(LINE), a(LINE)]),
    "delete": lambda nd, a: (nd.delete(a(NUMBERS), 1, axis=0), nd.delete(a(LINE), [0, 2])),
    "dsplit": lambda nd, a: nd.dsplit(a(BLOCK), 2),
    "dstack": lambda nd, a: nd.dstack([a(NUMBERS), a(OTHERS)]),
    "hsplit": lambda nd, a: nd.hsplit(a(NUMBERS), 2),
    "insert": lambda nd, a: (nd.insert(a(NUMBERS), 1, 7.0, axis=0), nd.insert(a(LINE), [0, 2], [8.0, 9.0])),
    "resize": lambda nd, a: nd.resize(a(NUMBERS), (4, 5)),
    "rollaxis": lambda nd, a: nd.rollaxis(a(BLOCK), 2),
    "row_stack": lambda nd, a: nd.row_stack([a(LINE), a(LINE)]),
    "trim_zeros": lambda nd, a: nd.trim_zeros(a(LINE)),
    "vsplit": lambda nd, a: nd.vsplit(a(NUMBERS), 3),
}

MAKING_AS_NUMPY = {
    "asanyarray": lambda nd, a: nd.asanyarray(a(NUMBERS)),
    "asarray_chkfinite": lambda nd, a: nd.asarray_chkfinite(a(NUMBERS)),
    "ascontiguousarray": lambda nd, a: nd.ascontiguousarray(a(NUMBERS)),
    "isfortran": lambda nd, a: nd.isfortran(a(NUMBERS)),
    "asfortranarray": lambda nd, a: nd.asfortranarray(a(NUMBERS)),
    "copy": lambda nd, a: nd.copy(a(NUMBERS)),
    "diagflat": lambda nd, a: nd.diagflat(a(LINE), 1),
    "require": lambda nd, a: nd.require(a(NUMBERS), None, "C"),
}

CHOOSING_AS_NUMPY = {
    "apply_along_axis": lambda nd, a: nd.apply_along_axis(nd.sum, 0, a(NUMBERS)),
    "apply_over_axes": lambda nd, a: nd.apply_over_axes(nd.sum, a(BLOCK), [0, 2]),
    "argpartition": lambda nd, a: nd.argpartition(a(NUMBERS), (0, -1)),
    "choose": lambda nd, a: nd.choose(a(PLACES % 2), [a(LINE[:3]), a(LINE[3:])]),
    "copyto": written(lambda nd, a, x: nd.copyto(x, a(OTHERS), where=a(MASK))),
    "diag_indices_from": lambda nd, a: nd.diag_indices_from(a(SQUARE)),
    "fill_diagonal": written(lambda nd, a, x: nd.fill_diagonal(x, 7)),
    "ix_": lambda nd, a: nd.ix_(a(PLACES), a(PLACES)),
    "lexsort": lambda nd, a: nd.lexsort([a(NUMBERS), a(OTHERS)]),
    "partition": lambda nd, a: nd.partition(a(NUMBERS), (0, -1)),  # all in order: what others are in is not told
    "piecewise": lambda nd, a: nd.piecewise(a(NUMBERS), [a(MASK)], [lambda x, *more, **named: x * 2, 1.0]),
    "place": written(lambda nd, a, x: nd.place(x, a(MASK), [1, 2])),
    "put": written(lambda nd, a, x: nd.put(x, [0, 5], [7, 8])),
    "putmask": written(lambda nd, a, x: nd.putmask(x, a(MASK), [7, 8])),
    "ravel_multi_index": lambda nd, a: nd.ravel_multi_index((a(PLACES), a(PLACES)), (4, 4)),
    "select": lambda nd, a: nd.select([a(MASK)], [a(NUMBERS)], 1.0),
    "sort_complex": lambda nd, a: nd.sort_complex(a(LINE)),
    "tril_indices_from": lambda nd, a: nd.tril_indices_from(a(SQUARE)),
    "triu_indices_from": lambda nd, a: nd.triu_indices_from(a(SQUARE)),
    "unravel_index": lambda nd, a: nd.unravel_index(a(PLACES), (2, 2)),
}

SUMMING_AS_NUMPY = {
    "cumsum": lambda nd, a: nd.cumsum(a(NUMBERS), 1),
    "cumprod": lambda nd, a: nd.cumprod(a(NUMBERS), 1),
}

EQUATIONS = {
    "tensorinv": lambda nd, a: nd.linalg.tensorinv(a(SQUARE), 1),
    "tensorsolve": lambda nd, a: nd.linalg.tensorsolve(a(SQUARE), a(SQUARE[0])),
}


def put_along_axis(nd, a):
    """The array that `put_along_axis` wrote to."""
    x = a(NUMBERS)
    nd.put_along_axis(x, a(WHOLE.reshape(3, 2) % 4), a(OTHERS[:, :2]), axis=1)
    return x


# NumPy's names beside the others.

ELEMENTWISE = {
    "angle": lambda nd, a: (nd.angle(a(LINE)), nd.angle(a(COMPLEX), deg=True)),
    "around": lambda nd, a: nd.around(a(NUMBERS), 1),
    "bitwise_count": lambda nd, a: nd.bitwise_count(a(WHOLE)),
    "divmod": lambda nd, a: nd.divmod(a(LINE), a(LINE + 5)),
    "fabs": lambda nd, a: nd.fabs(a(NUMBERS)),
    "fix": lambda nd, a: nd.fix(a(LINE)),
    "float_power": lambda nd, a: nd.float_power(a(LINE + 5), a(LINE)),
    "frexp": lambda nd, a: nd.frexp(a(LINE)),
    "i0": lambda nd, a: nd.i0(a(LINE)),
    "iscomplex": lambda nd, a: nd.iscomplex(a(COMPLEX)),
    "iscomplexobj": lambda nd, a: nd.iscomplexobj(a(COMPLEX)),
    "isreal": lambda nd, a: nd.isreal(a(COMPLEX)),
    "isrealobj": lambda nd, a: nd.isrealobj(a(LINE)),
    "isscalar": lambda nd, a: nd.isscalar(a(LINE)),
    "ldexp": lambda nd, a: nd.ldexp(a(LINE), a(WHOLE)),
    "modf": lambda nd, a: nd.modf(a(LINE)),
    "real_if_close": lambda nd, a: nd.real_if_close(a(COMPLEX), 100.0),
    "round": lambda nd, a: (nd.round(a(LINE)), nd.round(a(LINE), 1)),
    "spacing": lambda nd, a: nd.spacing(a(LINE)),
}

SHAPES = {
    "common_type": lambda nd, a: nd.common_type(a(LINE), a(WHOLE)),
    "iterable": lambda nd, a: nd.iterable(a(LINE)),
    "min_scalar_type": lambda nd, a: nd.min_scalar_type(a(LINE)),
    "ndim": lambda nd, a: nd.ndim(a(NUMBERS)),
    "packbits": lambda nd, a: (nd.packbits(a(WHOLE)), nd.packbits(a(BYTES), 1, "little")),
    "shape": lambda nd, a: nd.shape(a(NUMBERS)),
    "size": lambda nd, a: nd.size(a(NUMBERS), 1),
    "unpackbits": lambda nd, a: (nd.unpackbits(a(BYTES), 1), nd.unpackbits(a(BYTES), None, 20)),
}

SETS = {
    "intersect1d": lambda nd, a: nd.intersect1d(a(WHOLE), a(POWERS), return_indices=True),
    "setdiff1d": lambda nd, a: nd.setdiff1d(a(WHOLE), a(POWERS[:3])),
    "setxor1d": lambda nd, a: nd.setxor1d(a(WHOLE), a(POWERS)),
    "union1d": lambda nd, a: nd.union1d(a(WHOLE), a(POWERS)),
    "unique": lambda nd, a: (nd.unique(a(NUMBERS)), nd.unique(a(WHOLE), True, True, True), nd.unique(a(BYTES), axis=0)),
}

STATISTICS = {
    "ediff1d": lambda nd, a: nd.ediff1d(a(LINE), a(LINE[:1]), a(LINE[:2])),
    "histogramdd": lambda nd, a: nd.histogramdd((a(LINE), a(LINE)), (3, 2)),
    "poly": lambda nd, a: nd.poly(a(LINE)),
    "polyadd": lambda nd, a: nd.polyadd(a(LINE), a(POLYNOMIAL)),
    "polyder": lambda nd, a: nd.polyder(a(POLYNOMIAL), 2),
    "polydiv": lambda nd, a: nd.polydiv(a(LINE), a(POLYNOMIAL)),
    "polyfit": lambda nd, a: nd.polyfit(a(LINE), a(LINE * LINE - 3 * LINE + 0.5), 2, w=a(LINE + 5)),
    "polyint": lambda nd, a: nd.polyint(a(POLYNOMIAL), 2),
    "polymul": lambda nd, a: nd.polymul(a(LINE), a(POLYNOMIAL)),
    "polysub": lambda nd, a: nd.polysub(a(LINE), a(POLYNOMIAL)),
    "roots": lambda nd, a: nd.roots(a(POLYNOMIAL)),
    "unwrap": lambda nd, a: nd.unwrap(a(LINE * 3)),
}

NUMPY_NAMES = {**ELEMENTWISE, **SHAPES, **SETS, **STATISTICS}
# What makes or says something without an array.
WITHOUT_ARRAYS = {
    "bartlett", "base_repr", "binary_repr", "blackman", "bool_", "byte", "cdouble", "complexfloating", "csingle",
    "double", "dtype", "floating", "generic", "half", "hamming", "hanning", "inexact", "int_", "intc", "integer",
    "intp", "issubdtype", "kaiser", "long", "longlong", "ndarray", "number", "promote_types", "short", "signedinteger",
    "single", "ubyte", "uint", "uintc", "uintp", "ulong", "ulonglong", "unsignedinteger", "ushort",
}  # fmt: skip

ROWS["rint"] = lambda nd, a: nd.rint(a(LINE))

CALLS = {
    **ROWS, **IRREGULAR, **NUMPY_NAMES, **MAKING, **MOVING, **CHOOSING, **SUMMING, **MULTIPLYING,
    **{name: ROWS[row] for name, row in ALIASES.items()},
    **{f"linalg.{name}": call for name, call in LINALG.items()},
    **{f"fft.{name}": call for name, call in FFT.items()},
    **JOINING, **MAKING_AS_NUMPY, **CHOOSING_AS_NUMPY, **SUMMING_AS_NUMPY,
    **{f"linalg.{name}": call for name, call in EQUATIONS.items()},
}  # fmt: skip

# What no device computes: the call raises UnsupportedOnDevice in words.
UNSUPPORTED = {"constant"}

# Names of the namespace that take no array, or have tests of their own for devices.
NO_ARRAYS = {
    "array2string", "array_repr", "array_str", "broadcast", "c_", "diag_indices", "errstate", "flatiter",
    "format_float_positional", "format_float_scientific", "fromfile", "fromfunction", "fromiter", "fromregex",
    "fromstring", "genfromtxt", "get_printoptions", "geterr", "geterrcall", "index_exp", "lib", "loadtxt",
    "emath", "info", "polynomial",
    "mask_indices",
    "may_share_memory", "memmap", "mgrid", "ndenumerate", "ndindex", "nditer", "ogrid", "poly1d", "printoptions", "r_",
    "s_", "savetxt", "set_printoptions", "seterr", "seterrcall", "shares_memory", "testing", "tril_indices",
    "triu_indices", "vectorize", "einsum_path",
    "AllocationPolicy", "CaptureError", "CombineStatistics", "DType", "Graph", "LearningPolicy", "LocationPolicy",
    "MirroringPolicy", "NDArray", "NamespaceInfo", "OperationRecord", "OperationTotals", "PanicError",
    "PendingProgram", "Profile", "ResetPolicy", "ReusePolicy", "SpillPolicy",
    "Workspace", "WorkspaceConfiguration", "WorkspaceDebugMode", "WorkspaceError", "WorkspaceManager",
    "WorkspaceType", "__array_namespace_info__", "bfloat16", "bool", "broadcast_shapes", "can_cast", "capture",
    "combine", "combine_statistics", "complex128", "complex64", "config", "device", "e", "explain", "fft", "finfo",
    "float16", "float32", "float64", "flush", "frombuffer", "geomspace", "grad", "helpers", "identity", "iinfo",
    "indices", "inf", "int16", "int32", "int64", "int8", "isdtype", "linalg", "load", "logspace", "memory", "nan",
    "checkpoint", "custom_gradient", "hessian", "hvp", "jacobian", "jvp", "vjp",
    "euler_gamma", "newaxis", "panic", "pi", "profile", "random", "result_type", "save", "savez", "savez_compressed",
    "scope_out_of_workspaces",
    "select_instruction_set", "set_default_device", "set_panic", "show_config", "synchronize",
    "thread_count", "threads", "tri",
    "uint16", "uint32", "uint64", "uint8", "value_and_grad", "vmap", "workspace", "workspace_manager", *WITHOUT_ARRAYS,
}  # fmt: skip
