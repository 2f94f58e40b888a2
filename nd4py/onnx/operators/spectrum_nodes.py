"""Fourier transforms; complex numbers are pairs along a last axis."""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from ..element_types import DTYPES
from .host_values import one_number, own_axis
from .operator_rows import Rows


def fourier_by_attribute(x: Any, length: Any = None, *, axis: int = 1, inverse: int = 0, onesided: int = 0) -> Any:
    """Before version 20 the axis is an attribute."""
    return transformed(x, length, axis, inverse, onesided)


def fourier(x: Any, length: Any = None, axis: Any = None, *, inverse: int = 0, onesided: int = 0) -> Any:
    return transformed(x, length, -2 if axis is None else int(one_number(axis)), inverse, onesided)


def transformed(x: Any, length: Any, axis: int, inverse: int, onesided: int) -> Any:
    """x: (..., 1) real or (..., 2) complex; of a one-sided transform the other half follows from symmetry."""
    axis = own_axis(axis, x.ndim)
    n = None if length is None else int(one_number(length))
    if onesided and inverse:  # back to real numbers
        return nd.expand_dims(nd.fft.irfft(as_complex(x), n=n, axis=axis), axis=-1).astype(x.dtype)
    if onesided:
        return as_pairs(nd.fft.rfft(x[..., 0], n=n, axis=axis), x.dtype)
    change = nd.fft.ifft if inverse else nd.fft.fft
    return as_pairs(change(as_complex(x), n=n, axis=axis), x.dtype)


def as_complex(x: Any) -> Any:
    return x[..., 0] if x.shape[-1] == 1 else x[..., 0] + x[..., 1] * 1j


def as_pairs(x: Any, dtype: Any) -> Any:
    return nd.stack([nd.real(x), nd.imag(x)], axis=-1).astype(dtype)


def short_time_fourier(
    signal: Any, frame_step: Any, window: Any = None, frame_length: Any = None, *, onesided: int = 1
) -> Any:
    """signal: (batch, length, 1 or 2), or (batch, length) as PyTorch writes it

    Returns (batch, frames, frequencies, 2).
    """
    if signal.ndim == 2:
        signal = nd.expand_dims(signal, axis=-1)
    step = int(one_number(frame_step))
    n = int(one_number(frame_length)) if frame_length is not None else window.shape[0]
    n_frames = (signal.shape[1] - n) // step + 1
    places = nd.arange(n_frames)[:, None] * step + nd.arange(n)
    frames = nd.take(signal, places, axis=1)
    if window is not None:
        frames = frames * window[:, None]
    return transformed(frames, None, 2, 0, onesided)


def mel_weight_matrix(
    n_bins: Any, dft_length: Any, sample_rate: Any, lower: Any, upper: Any, *, output_datatype: int = 1
) -> Any:
    """Triangles over the frequencies of a spectrum, equally wide on the mel scale: (dft_length // 2 + 1, bins)

    Stevens, Volkmann & Newman 1937, https://doi.org/10.1121/1.1915893
    """
    n, length, rate = (int(one_number(x)) for x in (n_bins, dft_length, sample_rate))
    low, high = (2595 * numpy.log10(1 + one_number(x) / 700) for x in (lower, upper))
    mels = numpy.arange(n + 2) * ((high - low) / (n + 2)) + low
    edges = numpy.floor((length + 1) * 700 * (10 ** (mels / 2595) - 1) / rate).astype(numpy.int64)
    weights = numpy.zeros((length // 2 + 1, n))
    for i, (start, center, end) in enumerate(zip(edges, edges[1:], edges[2:], strict=False)):
        rising, falling = numpy.arange(start, center + 1), numpy.arange(center, end)
        weights[rising, i] = (rising - start) / (center - start) if center > start else 1.0
        if end > center:
            weights[falling, i] = (end - falling) / (end - center)
    return nd.asarray(weights).astype(DTYPES[output_datatype])


OPERATORS: Rows = {
    "MelWeightMatrix": [(17, 17, mel_weight_matrix)],
    "DFT": [(17, 17, fourier_by_attribute), (20, 20, fourier)],
    "STFT": [(17, 17, short_time_fourier)],
}
