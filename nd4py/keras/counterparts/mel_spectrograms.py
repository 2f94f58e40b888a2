"""How loud the bands of the mel scale are at each time of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy

from nd4py import api as nd

WINDOWS = {"hann": (0.5, 0.5), "hamming": (0.54, 0.46)}  # a - b * cos(2 pi i / n)


@lru_cache(maxsize=16)
def bands(n_bins: int, n_bands: int, rate: int, low: float, high: float) -> numpy.ndarray:
    """(n_bins, n_bands): triangles over frequencies that lie at equal distances on the mel scale, 1127 ln(1 + f / 700).

    Davis & Mermelstein 1980, doi 10.1109/TASSP.1980.1163420
    """

    def mel(frequency: numpy.ndarray) -> numpy.ndarray:
        return numpy.asarray(1127.0 * numpy.log1p(frequency / 700.0))

    places = mel(numpy.linspace(0, rate / 2, n_bins))[:, None]
    edges = numpy.linspace(mel(numpy.asarray(low)), mel(numpy.asarray(high)), n_bands + 2)
    before, center, behind = edges[:-2], edges[1:-1], edges[2:]
    rows = numpy.minimum((places - before) / (center - before), (behind - places) / (behind - center))
    rows = numpy.maximum(rows, 0)
    rows[0] = 0  # the constant part is none that is heard
    return rows


def mel_spectrogram(
    x: nd.NDArray, *, fft_length: int, length: int, step: int, window: str, rate: int, n_bands: int, low: float,
    high: float, exponent: float, decibels: Sequence[float],
) -> nd.NDArray:  # fmt: skip
    """(batch, samples) as (batch, bands, times).

    length: of the window, in the middle of `fft_length` samples    step: samples from one time to the next
    exponent: of the magnitudes    decibels: the least power, that of 0 decibels, and how far below the loudest number
    the others may lie; empty for powers as they are
    Raises ValueError for a window that is longer than what is transformed, or half of that than the recording.
    """
    if length > fft_length or fft_length // 2 >= x.shape[1]:
        raise ValueError(f"{x.shape[1]} samples do not hold a window of {length} in {fft_length} samples")
    x, dtype = x.astype(nd.float64), x.dtype
    around = nd.pad(x, [(0, 0), (fft_length // 2, fft_length // 2)], mode="reflect")
    starts = numpy.arange(0, around.shape[1] - fft_length + 1, step)
    frames = nd.take(around, nd.asarray(starts[:, None] + numpy.arange(fft_length)).reshape(-1), axis=1)
    frames = frames.reshape((x.shape[0], starts.size, fft_length))
    a, b = WINDOWS[window]
    shape, front = numpy.zeros(fft_length), (fft_length - length) // 2
    shape[front : front + length] = a - b * numpy.cos(2 * numpy.pi * numpy.arange(length) / length)
    loud = nd.abs(nd.fft.rfft(frames * nd.asarray(shape))) ** exponent
    y = nd.matmul(loud, nd.asarray(bands(loud.shape[-1], n_bands, rate, low, high)))
    if decibels:
        least, reference, range_db = decibels
        y = 10.0 * nd.log10(nd.maximum(y, least)) - 10.0 * float(numpy.log10(max(abs(reference), least)))
        y = nd.maximum(y, nd.max(y) - range_db)
    return nd.swapaxes(y, 1, 2).astype(dtype)
