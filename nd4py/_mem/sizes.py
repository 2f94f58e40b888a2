"""Sizes in bytes as text: parsing and formatting."""

from __future__ import annotations

import os
import re
import sys
from operator import index

if sys.platform == "win32":
    import ctypes

__all__ = ["byte_count", "human", "physical_memory"]

MOST_BYTES = 2**63 - 1
MOST_DIGITS = 1000  # of a number that is worth reading
UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
PATTERN = r"(\d+(?:\.\d+)?)\s*(?:([KMGT]?)(?:I?B)?|(%))"
CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def byte_count(value, name, whole=None):
    """The bytes that `value` says: a number, or text such as "512M", "2G" (powers of 1024) or, of `whole`, "50%".

    name: of the setting, for errors    whole: a function that gives 100%; None allows no percentages
    Raises ValueError for numbers that are negative or have no 63 bits, and other text, TypeError for other types.
    """
    if hasattr(type(value), "__index__") and not isinstance(value, bool):
        value = index(value)  # NumPy's whole numbers too
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(f"{name}: a number of bytes or text such as '2G', given {value!r}")
    n_bytes = value if isinstance(value, int) else _bytes_said(value, name, whole)
    if n_bytes < 0:
        raise ValueError(f"{name}: must not be negative, given {shortened(value)}")
    if n_bytes > MOST_BYTES:
        raise ValueError(f"{name}: at most {MOST_BYTES} bytes, given {shortened(value)}")
    return n_bytes


def shortened(value: object) -> str:
    """`value` as an error shows it: of numbers with very many digits only how many."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a number of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) < 100 else f"{text[:40]}... of {len(text)} characters"


def _bytes_said(value, name, whole):
    """What the text `value` says."""
    from fractions import Fraction

    found = re.fullmatch(PATTERN, value.strip(), re.IGNORECASE)
    if found is None or (found[3] and whole is None):
        wanted = "bytes, '512M', '2G'" + (" or '50%'" if whole else "")
        raise ValueError(f"{name}: {wanted}, given {shortened(value)}")
    number = Fraction(found[1]) if len(found[1]) < MOST_DIGITS else MOST_BYTES + 1
    return int(number / 100 * whole()) if found[3] else int(number * 2 ** UNITS[found[2].upper()])


def human(n_bytes: float) -> str:
    """`n_bytes` with a unit: "640 B", "1.5 KiB", "12.0 GiB".

    Returns a str.  Raises TypeError for anything but a number of bytes below 2**63.

    >>> nd.memory.human(3 * 2**20)
    '3.0 MiB'
    """
    if not isinstance(n_bytes, int | float) or not abs(n_bytes) <= MOST_BYTES:
        raise TypeError(f"human: a number of bytes below 2**63, given {shortened(n_bytes)}")
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n_bytes < 1024 or unit == "GiB":
            return f"{n_bytes} B" if unit == "B" else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1024
    raise AssertionError


def physical_memory():
    """Bytes of memory this process may use: what the machine has, or what its control group allows if less."""
    limits = [text_of(file) for file in CGROUP_LIMITS if os.path.exists(file)]
    return min([machine_memory(), *(int(limit) for limit in limits if limit.isdigit())])


def text_of(file):
    """What a file holds, without the white space around it.  (Importing pathlib for that would take 5 ms.)"""
    with open(file) as opened:
        return opened.read().strip()


def machine_memory():
    """Bytes of memory that the machine has."""
    if sys.platform == "win32":
        status = (ctypes.c_uint64 * 8)(64)  # MEMORYSTATUSEX: its size and the load in one, then the total
        ctypes.windll.kernel32.GlobalMemoryStatusEx(status)
        return status[1]
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
