"""Memory of simulated devices: every allocation a mapping of its own between two stretches that must not be touched."""

import ctypes
import mmap

PAGE = mmap.PAGESIZE
GUARD = 1 << 20  # bytes before and behind an allocation that are a fault
FAR = 1 << 36  # the same of a sparse allocation: what a place that lost its upper half is away
READ_WRITE, NOTHING, PRIVATE_ANONYMOUS, NO_RESERVE = 3, 0, 0x22, 0x4000
POISON = 0xFF  # NaN as a float, -1 as an integer
BEHIND = 0xA5  # what arithmetic changes, so that it is not written back as it was

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


class GuardedBlock:
    """`n_bytes` at `address`, filled with poison, that end where the guard begins but for what alignment leaves.

    Reading or writing the guard is a fault; writing the bytes up to it is found by `is_intact`.
    """

    guard, options = GUARD, PRIVATE_ANONYMOUS

    def __init__(self, n_bytes, alignment, device):
        self.n_bytes, self.device = n_bytes, device
        rounded = (n_bytes + alignment - 1) // alignment * alignment
        n_pages = (rounded + PAGE - 1) // PAGE
        self._map_bytes = n_pages * PAGE + 2 * self.guard
        self._map = _libc.mmap(None, self._map_bytes, READ_WRITE, self.options, -1, 0)
        if self._map in (None, ctypes.c_void_p(-1).value):
            raise MemoryError(f"the host has no {n_bytes} bytes left for a simulated device")
        end = self._map + self.guard + n_pages * PAGE
        _libc.mprotect(self._map, self.guard, NOTHING)
        _libc.mprotect(end, self.guard, NOTHING)
        self.address, self._slack = end - rounded, rounded - n_bytes
        self.poison()
        ctypes.memset(self.address + n_bytes, BEHIND, self._slack)

    def poison(self):
        ctypes.memset(self.address, POISON, self.n_bytes)

    def is_intact(self):
        """Whether nothing was written between the last byte and the guard page."""
        slack = ctypes.string_at(self.address + self.n_bytes, self._slack)
        return slack == bytes([BEHIND]) * self._slack

    def release(self):
        _libc.munmap(self._map, self._map_bytes)


class SparseBlock(GuardedBlock):
    """The same of zeros, between far guards: memory is taken where it is touched."""

    guard, options = FAR, PRIVATE_ANONYMOUS | NO_RESERVE

    def poison(self):
        """Billions of bytes stay untouched."""
