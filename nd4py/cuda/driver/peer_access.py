"""Peer access: kernels on one device that use the memory of others."""

from __future__ import annotations

from .driver_choice import driver

__all__ = ["allow_cross_device_access"]


def allow_cross_device_access(allowed: bool) -> int:
    """Let kernels of each device read the memory of all others that they can reach, or no more.

    allowed: True lets devices that are linked read each other's memory, False ends that.
    Copies between devices work either way, through the host where they must.  Returns how many pairs were changed.
    Raises TypeError for anything but True and False.

    >>> n_pairs = nd.cuda.allow_cross_device_access(True)  # where the devices are linked
    """
    if not isinstance(allowed, bool):
        raise TypeError(f"allow_cross_device_access: True or False, given {allowed!r}")
    used = driver()
    devices = range(used.device_count())
    pairs = [(a, b) for a in devices for b in devices if a != b and used.can_access_peer(a, b)]
    for device, peer in pairs:
        used.enable_peer(device, peer, allowed)
    return len(pairs)
