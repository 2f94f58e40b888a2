"""Linear algebra, in the main namespace and in `linalg`, and `fft`."""

from .entry import Entry, matrix, numbers, of, positive, square, vector

TRANSFORM = "(x, /, *, n=None, axis=-1, norm='backward')"
TRANSFORM_N = "(x, /, *, s=None, axes=None, norm='backward')"
FREQUENCIES = "(n, /, *, d=1.0, dtype=None, device=None)"
SHIFT = "(x, /, *, axes=None)"
PRODUCT = "(x1, x2, /)"
ALONG_AXIS = "(x1, x2, /, *, axis=-1)"


def main(name, signature, category, result, sample):
    return Entry(name, signature, category, result, sample)


def linalg(name, signature, category, result, sample, **keywords):
    return Entry(name, signature, category, result, sample, where="linalg", **keywords)


def fft(name, signature, category, result, sample):
    return Entry(name, signature, category, result, sample, where="fft")


def triple(xp, dtype):
    return numbers(xp, dtype, [[1, 2, 3], [4, 0, 1]])


def frequencies(xp, dtype):
    return [6], {"dtype": getattr(xp, dtype)}


PRODUCTS = (
    ("matmul", PRODUCT, "numeric", "same", of(square, square)),
    ("matrix_transpose", "(x, /)", "all", "same", of(matrix)),
    ("tensordot", "(x1, x2, /, *, axes=2)", "numeric", "same", of(square, square, axes=1)),
    ("vecdot", ALONG_AXIS, "numeric", "same", of(matrix, triple)),
)

LINEAR_ALGEBRA = tuple(main(*product) for product in PRODUCTS)

LINALG = (
    *(linalg(*product) for product in PRODUCTS),
    linalg("cholesky", "(x, /, *, upper=False)", "floating", "same", of(positive)),
    linalg("cross", ALONG_AXIS, "numeric", "same", of(triple, triple)),
    linalg("det", "(x, /)", "floating", "same", of(square)),
    linalg("diagonal", "(x, /, *, offset=0)", "all", "same", of(matrix)),
    linalg(
        "eig",
        "(x, /)",
        "floating",
        ("complex", "complex"),
        of(square),
        fields=("eigenvalues", "eigenvectors"),
    ),
    linalg(
        "eigh",
        "(x, /)",
        "floating",
        ("real part", "same"),
        of(positive),
        fields=("eigenvalues", "eigenvectors"),
    ),
    linalg("eigvals", "(x, /)", "floating", "complex", of(square)),
    linalg("eigvalsh", "(x, /)", "floating", "real part", of(positive)),
    linalg("inv", "(x, /)", "floating", "same", of(square)),
    linalg("matrix_norm", "(x, /, *, keepdims=False, ord='fro')", "floating", "real part", of(matrix)),
    linalg("matrix_power", "(x, n, /)", "floating", "same", of(square, 3)),
    linalg("matrix_rank", "(x, /, *, rtol=None)", "floating", "index", of(matrix)),
    linalg("outer", PRODUCT, "numeric", "same", of(vector, vector)),
    linalg("pinv", "(x, /, *, rtol=None)", "floating", "same", of(matrix)),
    linalg("qr", "(x, /, *, mode='reduced')", "floating", ("same", "same"), of(square), fields=("Q", "R")),
    linalg("slogdet", "(x, /)", "floating", ("same", "real part"), of(square), fields=("sign", "logabsdet")),
    linalg("solve", PRODUCT, "floating", "same", of(square, square)),
    linalg(
        "svd",
        "(x, /, *, full_matrices=True)",
        "floating",
        ("same", "real part", "same"),
        of(matrix),
        fields=("U", "S", "Vh"),
    ),
    linalg("svdvals", "(x, /)", "floating", "real part", of(matrix)),
    linalg("trace", "(x, /, *, offset=0, dtype=None)", "numeric", "accumulated", of(square)),
    linalg("vector_norm", "(x, /, *, axis=None, keepdims=False, ord=2)", "floating", "real part", of(matrix)),
)

FFT = (
    fft("fft", TRANSFORM, "complex floating", "same", of(vector)),
    fft("ifft", TRANSFORM, "complex floating", "same", of(vector)),
    fft("fftn", TRANSFORM_N, "complex floating", "same", of(matrix)),
    fft("ifftn", TRANSFORM_N, "complex floating", "same", of(matrix)),
    fft("rfft", TRANSFORM, "real floating", "complex", of(vector)),
    fft("irfft", TRANSFORM, "complex floating", "real part", of(vector)),
    fft("rfftn", TRANSFORM_N, "real floating", "complex", of(matrix)),
    fft("irfftn", TRANSFORM_N, "complex floating", "real part", of(matrix)),
    fft("hfft", TRANSFORM, "complex floating", "real part", of(vector)),
    fft("ihfft", TRANSFORM, "real floating", "complex", of(vector)),
    fft("fftfreq", FREQUENCIES, "real floating", "same", frequencies),
    fft("rfftfreq", FREQUENCIES, "real floating", "same", frequencies),
    fft("fftshift", SHIFT, "floating", "same", of(matrix)),
    fft("ifftshift", SHIFT, "floating", "same", of(matrix)),
)
