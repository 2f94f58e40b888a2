"""Kernels compiled when nd4py was built (kernels/pack.py), found by the digest of their module.

A pack is a zip file whose members are fat binaries, named by digest: machine code for several generations of devices,
and PTX for later ones.  A digest is that of everything a module is made from, so a pack of other sources is never
wrong, only of no use.
"""

from __future__ import annotations

import zipfile
from functools import cache
from pathlib import Path

OLDEST = (8, 0)  # compute capability of the first devices that packs hold machine code for

used = 0  # modules that came from the pack


def pack_path() -> Path:
    """Where the pack of this installation is, if there is one."""
    return Path(__file__).parents[1] / "kernels.zip"


@cache
def opened(path: Path) -> zipfile.ZipFile | None:
    """The pack at a path; None where there is none, or it is no zip file."""
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile):
        return None


def load(digest: str, capability: tuple[int, int]) -> bytes | None:
    """The fat binary of a module; None where the pack has none, a damaged one, or none for devices that old."""
    global used
    pack = opened(pack_path()) if capability >= OLDEST else None
    if pack is None:
        return None
    try:
        code = pack.read(digest)
    except (KeyError, OSError, zipfile.BadZipFile):
        return None
    used += 1
    return code
