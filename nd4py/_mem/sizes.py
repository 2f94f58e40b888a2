"""Numbers of bytes as people write them."""

import re
from pathlib import Path

__all__ = ["byte_count", "human", "physical_memory"]

UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
PATTERN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([KMGT]?)(?:I?B)?|(%))", re.IGNORECASE)
CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def byte_count(value, name, whole=None):
    """The bytes that `value` says: a number, or text such as "512M", "2G" (powers of 1024) or, of `whole`, "50%".

    name: of the setting, for errors    whole: a function that gives 100%; None allows no percentages
    Raises ValueError for negative numbers and other text, TypeError for other types.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(f"{name}: a number of bytes or text such as '2G', given {value!r}")
    if isinstance(value, int):
        if value < 0:
            raise ValueError(f"{name}: must not be negative, given {value}")
        return value
    found = PATTERN.fullmatch(value.strip())
    if found is None or (found[3] and whole is None):
        wanted = "bytes, '512M', '2G'" + (" or '50%'" if whole else "")
        raise ValueError(f"{name}: {wanted}, given {value!r}")
    number = float(found[1])
    return int(number / 100 * whole()) if found[3] else int(number * 2 ** UNITS[found[2].upper()])


def human(n_bytes: float) -> str:
    """`n_bytes` with a unit: "640 B", "1.5 KiB", "12.0 GiB"."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n_bytes < 1024 or unit == "GiB":
            return f"{n_bytes} B" if unit == "B" else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1024
    raise AssertionError


def physical_memory():
    """Bytes of memory this process may use: what the machine has, or what its control group allows if less."""
    with open("/proc/meminfo") as lines:
        total = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemTotal"))
    limits = [path.read_text().strip() for path in map(Path, CGROUP_LIMITS) if path.exists()]
    return min([total, *(int(limit) for limit in limits if limit.isdigit())])
