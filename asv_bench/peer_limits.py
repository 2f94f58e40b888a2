"""The limits of this machine, measured in the run that compares libraries: bytes and arithmetic per second.

Design: a row of work cannot take less than its bytes need to pass through the memory that holds them, nor less than
its operations at the FMA peak.  A probe in C (`peer_limits.c`, compiled for this processor when it is first needed)
reads and writes as many bytes as the row, in blocks of the same sizes, and takes turns with the libraries: what the
neighbours leave of the bandwidth varies within a run.
"""

import ctypes
import os
import shlex
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np
from peer_timing import warm_up

MIB = 1 << 20
MIN_BYTES = 32 * MIB  # moved by one timed call
N_TRIES = 25  # of what is measured once for a run; the best counts, nothing but waiting can make it slower
FMA_STEPS = 200_000
N_CHAINS = 16  # as in peer_limits.c
SHOWN = (MIB // 2, 8 * MIB, 120 * MIB)  # blocks whose bandwidth is printed: of a level-2 cache, a last cache, memory


@cache
def library():
    """The compiled probes.  Raises SystemExit where they cannot be compiled."""
    source = Path(__file__).with_suffix(".c")
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-fopenmp", "-shared", "-fPIC"]
    flags = [flag for flag in flags if "vector" not in flag or os.uname().machine == "x86_64"]
    with tempfile.TemporaryDirectory(prefix="peer_limits_") as folder:
        target = Path(folder) / "probes.so"
        try:
            subprocess.run([*compiler, *flags, str(source), "-o", str(target)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(f"peers: {source.name} cannot be compiled ({error}); name a C compiler in CC") from error
        return ctypes.CDLL(str(target))  # mapped, so the file may go


class Probe:
    """A turn of the machine itself: as many bytes as a row of work reads and writes, and nothing else."""

    name = "limit"

    def __init__(self, bytes_in, bytes_out, n_threads, past_caches):
        self.n_threads, self.past_caches = n_threads, past_caches
        self.n_in, self.n_out = (-(-n // library().probe_width() // n_threads) for n in (bytes_in, bytes_out))
        self.n_rounds = -(-MIN_BYTES // max(bytes_in + bytes_out, 1))
        self.source, self.target = (aligned(n * n_threads * library().probe_width()) for n in (self.n_in, self.n_out))
        # Memory takes lines of zeros nearly twice as fast as others (measured on an EPYC of Zen 5).
        random = np.random.default_rng(1).random(self.source.size // 4, np.float32)
        self.source[: 4 * random.size] = random.view(np.uint8)
        self.seconds()

    def seconds(self):
        """Seconds of one pass over the bytes, after as long a warming up as the libraries have."""
        warm_up(self.move)
        start = time.perf_counter()
        self.move(self.n_rounds)
        return (time.perf_counter() - start) / self.n_rounds

    def move(self, n_rounds):
        """Pass over the bytes."""
        source, target = (ctypes.c_void_p(block.ctypes.data) for block in (self.source, self.target))
        sizes = ctypes.c_ssize_t(self.n_in), ctypes.c_ssize_t(self.n_out)
        library().probe_move(source, target, *sizes, n_rounds, self.n_threads, self.past_caches)


def probes(bytes_in, bytes_out, n_threads):
    """The probes of a row: written through the caches and past them; the faster one counts."""
    return [Probe(bytes_in, bytes_out, n_threads, past_caches) for past_caches in ((0, 1) if bytes_out else (0,))]


def described(n_threads):
    """The limits of `n_threads` threads in words."""
    rates = []
    for size in SHOWN:
        pair = probes(size // 2, size // 2, n_threads)
        rates.append(size / min(probe.seconds() for probe in pair for _ in range(N_TRIES)) * 1e-9)
    peaks = [operations_per_second(itemsize, n_threads) * 1e-9 for itemsize in (4, 8)]
    return (
        f"{n_threads} thread{'s' if n_threads > 1 else ''}: copies of {', '.join(f'{n / MIB:g}' for n in SHOWN)} MiB "
        f"(read and written) {', '.join(f'{rate:.0f}' for rate in rates)} GB/s; "
        f"FMA {peaks[0]:.0f} GFLOP/s in float32, {peaks[1]:.0f} in float64"
    )


def aligned(n_bytes):
    """A zeroed buffer that starts at a multiple of 4096 bytes; NumPy asks for huge pages where it is large."""
    buffer = np.empty(n_bytes + 4096, np.uint8)
    buffer[:] = 0
    return buffer[-buffer.ctypes.data % 4096 :][:n_bytes]


@cache
@cache
def operations_per_second(itemsize, n_threads):
    """Multiplications and additions of floats of 4 or 8 bytes per second."""
    width = library().probe_width()
    sums = aligned(width * n_threads)
    run = {4: library().probe_fma_float, 8: library().probe_fma_double}[itemsize]

    def compute(n_times):
        run(ctypes.c_void_p(sums.ctypes.data), ctypes.c_ssize_t(n_times * FMA_STEPS), n_threads)

    warm_up(compute)
    times = []
    for _ in range(N_TRIES):
        start = time.perf_counter()
        compute(1)
        times.append(time.perf_counter() - start)
    return 2 * N_CHAINS * FMA_STEPS * n_threads * (width // itemsize) / min(times)
