"""Table of device functions, by the names of `nd4py._exec.dispatch.by_backend`.  Each takes what the host's takes.

Made by the build (nd4py/_spec/render/driver_tables.py) from what files list in `__all__`.
"""

from collections.abc import Callable
from typing import Any

from .array.device_views import diagonal_view
from .conv.windows import (
    average_pooling,
    average_pooling_gradient,
    convolution,
    convolution_input_gradient,
    convolution_weight_gradient,
    maximum_pooling,
    maximum_pooling_gradient,
)
from .index.gathering import add_at, add_slices, flat_positions, put_slices, selected, take_along_last, write_selected
from .linalg.factorizing import (
    cholesky,
    determinants,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    fourier_transforms,
    inverse,
    logarithms_of_determinants,
    qr,
    solve,
    svd,
    svdvals,
)
from .random.device_random import random_stream
from .reduce.normalizing import log_softmax, softmax, standardize
from .scan.scan_gradients import scan_gradient
from .sort.device_sort import argsort, search, sorted_lines, topk

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add_at": add_at,
    "add_slices": add_slices,
    "argsort": argsort,
    "average_pooling": average_pooling,
    "average_pooling_gradient": average_pooling_gradient,
    "cholesky": cholesky,
    "convolution": convolution,
    "convolution_input_gradient": convolution_input_gradient,
    "convolution_weight_gradient": convolution_weight_gradient,
    "determinants": determinants,
    "diagonal_view": diagonal_view,
    "eig": eig,
    "eigh": eigh,
    "eigvals": eigvals,
    "eigvalsh": eigvalsh,
    "flat_positions": flat_positions,
    "fourier_transforms": fourier_transforms,
    "inverse": inverse,
    "log_softmax": log_softmax,
    "logarithms_of_determinants": logarithms_of_determinants,
    "maximum_pooling": maximum_pooling,
    "maximum_pooling_gradient": maximum_pooling_gradient,
    "put_slices": put_slices,
    "qr": qr,
    "random_stream": random_stream,
    "scan_gradient": scan_gradient,
    "search": search,
    "selected": selected,
    "softmax": softmax,
    "solve": solve,
    "sorted_lines": sorted_lines,
    "standardize": standardize,
    "svd": svd,
    "svdvals": svdvals,
    "take_along_last": take_along_last,
    "topk": topk,
    "write_selected": write_selected,
}
