"""Configuration of a workspace: policies and sizes."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from ..sizes import MOST_BYTES, byte_count, shortened

__all__ = [
    "AllocationPolicy",
    "LearningPolicy",
    "LocationPolicy",
    "MirroringPolicy",
    "ResetPolicy",
    "ReusePolicy",
    "SpillPolicy",
    "WorkspaceConfiguration",
    "WorkspaceDebugMode",
    "WorkspaceType",
]

MOST_SHARE = 1_000_000
MOST_COUNT = 2**31 - 1


class AllocationPolicy(enum.StrEnum):
    """How large the arena is made once its size is known.

    STRICT: that size    OVERALLOCATE: once, `overallocation_limit` times that size more

    >>> nd.WorkspaceConfiguration(policy_allocation="strict").policy_allocation is nd.AllocationPolicy.STRICT
    True
    """

    STRICT = "strict"
    OVERALLOCATE = "overallocate"


class SpillPolicy(enum.StrEnum):
    """Where an array goes that does not fit into the arena.

    EXTERNAL: it takes memory outside    REALLOCATE: that, and the arena grows    FAIL: WorkspaceError

    >>> nd.WorkspaceConfiguration(policy_spill="fail").policy_spill is nd.SpillPolicy.FAIL
    True
    """

    EXTERNAL = "external"
    REALLOCATE = "reallocate"
    FAIL = "fail"


class LearningPolicy(enum.StrEnum):
    """When the size of the arena is learned from what was allocated.

    FIRST_LOOP: after the first scope    OVER_TIME: after `cycles_before_initialization` scopes    NONE: never

    >>> nd.WorkspaceConfiguration(policy_learning="over_time").policy_learning is nd.LearningPolicy.OVER_TIME
    True
    """

    FIRST_LOOP = "first_loop"
    OVER_TIME = "over_time"
    NONE = "none"


class ResetPolicy(enum.StrEnum):
    """When memory is used again.

    BLOCK_LEFT: in every scope from the start    ENDOFBUFFER_REACHED: a circular arena, again when its end is reached

    >>> nd.WorkspaceConfiguration(policy_reset="block_left").policy_reset is nd.ResetPolicy.BLOCK_LEFT
    True
    """

    BLOCK_LEFT = "block_left"
    ENDOFBUFFER_REACHED = "endofbuffer_reached"


class ReusePolicy(enum.StrEnum):
    """How the memory of arrays that are freed before their scope ends is used.

    NONE: nothing, as in ND4J    WHEN_FREED: later arrays of the scope get it, so the arena need only hold the
    arrays that are alive at the same time; scopes that repeat are laid out by a plan.  Sizes are then counted in steps
    of 64 bytes, and the cycle counters give the highest offset used

    >>> nd.WorkspaceConfiguration(policy_reuse="when_freed").policy_reuse is nd.ReusePolicy.WHEN_FREED
    True
    """

    NONE = "none"
    WHEN_FREED = "when_freed"


class MirroringPolicy(enum.StrEnum):
    """Where a workspace of a GPU has memory: on host and device (FULL), or on the host alone (HOST_ONLY).

    >>> nd.WorkspaceConfiguration(policy_mirroring="host_only").policy_mirroring is nd.MirroringPolicy.HOST_ONLY
    True
    """

    FULL = "full"
    HOST_ONLY = "host_only"


class LocationPolicy(enum.StrEnum):
    """The kind of memory of the arena.

    RAM: a block of memory    MMAP: a file mapped into the process, which keeps what was written
    VIRTUAL: addresses that get memory when they are first used, so that no size need be learned (not in ND4J)

    >>> config = nd.WorkspaceConfiguration(policy_location="virtual", policy_learning="none", initial_size="1M")
    >>> config.policy_location is nd.LocationPolicy.VIRTUAL
    True
    """

    RAM = "ram"
    MMAP = "mmap"
    VIRTUAL = "virtual"


class WorkspaceType(enum.StrEnum):
    """SCOPED: emptied when its scope is left    CIRCULAR: used in turns    DUMMY: no workspace at all

    >>> with nd.workspace("step") as ws:
    ...     ws.workspace_type is nd.WorkspaceType.SCOPED
    True
    """

    SCOPED = "scoped"
    CIRCULAR = "circular"
    DUMMY = "dummy"


class WorkspaceDebugMode(enum.StrEnum):
    """For finding faults: DISABLED; SPILL_EVERYTHING keeps arrays attached but outside the arenas; BYPASS_EVERYTHING
    makes them as if there were no workspaces.

    >>> nd.workspace_manager.get_debug_mode() is nd.WorkspaceDebugMode.DISABLED
    True
    """

    DISABLED = "disabled"
    SPILL_EVERYTHING = "spill_everything"
    BYPASS_EVERYTHING = "bypass_everything"


@dataclass(frozen=True, kw_only=True)
class WorkspaceConfiguration:
    """The policies and sizes of a workspace.  Policies may be given by name, sizes as bytes or as "512M".

    policy_allocation, policy_spill, policy_learning, policy_reset, policy_mirroring, policy_location, policy_reuse: see
        their enums
    overallocation_limit: share added under OVERALLOCATE (0.3 is 30%); of a circular arena, the number of further blocks
    temp_file_path: the file of an MMAP arena; None makes a temporary one, removed with the workspace
    initial_size: bytes reserved at once; 0 waits until the size is learned, or takes the length of the file, or as
        many addresses as the machine has memory
    min_size, max_size: bounds of the arena in bytes; a max_size of 0 is none
    cycles_before_initialization: scopes that OVER_TIME watches; 0 leaves it to `initialize_workspace`
    steps_number: blocks that a circular STRICT arena of a given size is cut into; elsewhere their number follows from
        `overallocation_limit`
    Sizes are below 2**63 bytes, counts below 2**31, overallocation_limit is at most 1,000,000.
    Raises TypeError for a value of another kind, ValueError for one out of range and for settings that contradict each
    other.

    >>> config = nd.WorkspaceConfiguration(initial_size="1M", policy_spill="fail")
    >>> with nd.workspace("of one MiB", config) as ws:
    ...     x = nd.ones(100)
    ...     ws.host_offset
    800
    """

    policy_allocation: AllocationPolicy = AllocationPolicy.OVERALLOCATE
    overallocation_limit: float = 0.3
    policy_spill: SpillPolicy = SpillPolicy.EXTERNAL
    policy_learning: LearningPolicy = LearningPolicy.FIRST_LOOP
    policy_reset: ResetPolicy = ResetPolicy.BLOCK_LEFT
    policy_mirroring: MirroringPolicy = MirroringPolicy.FULL
    policy_location: LocationPolicy = LocationPolicy.RAM
    temp_file_path: str | None = None
    initial_size: int = 0
    min_size: int = 0
    max_size: int = 0
    cycles_before_initialization: int = 0
    steps_number: int = 2
    policy_reuse: ReusePolicy = ReusePolicy.NONE

    if TYPE_CHECKING:  # what is given may be of other types than what is kept

        def __init__(
            self,
            *,
            policy_allocation: AllocationPolicy | str = ...,
            overallocation_limit: float = ...,
            policy_spill: SpillPolicy | str = ...,
            policy_learning: LearningPolicy | str = ...,
            policy_reset: ResetPolicy | str = ...,
            policy_mirroring: MirroringPolicy | str = ...,
            policy_location: LocationPolicy | str = ...,
            temp_file_path: str | os.PathLike[str] | None = ...,
            initial_size: int | str = ...,
            min_size: int | str = ...,
            max_size: int | str = ...,
            cycles_before_initialization: int = ...,
            steps_number: int = ...,
            policy_reuse: ReusePolicy | str = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, enum.Enum):
                object.__setattr__(self, field.name, member_of(field.name, type(field.default), value))
            elif field.name.endswith("_size"):
                object.__setattr__(self, field.name, byte_count(value, field.name))
        object.__setattr__(self, "overallocation_limit", _share("overallocation_limit", self.overallocation_limit))
        for name in ("cycles_before_initialization", "steps_number"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        object.__setattr__(self, "temp_file_path", _path("temp_file_path", self.temp_file_path))
        if self.initial_size * (1 + self.overallocation_limit) > MOST_BYTES:
            raise ValueError(
                f"initial_size: at most {MOST_BYTES} bytes with what overallocation_limit {self.overallocation_limit} "
                f"adds, given {self.initial_size}"
            )
        if self.is_circular and self.overallocates and self.overallocation_limit < 1:
            raise ValueError(
                f"overallocation_limit: a circular workspace needs at least 1 further block, "
                f"given {self.overallocation_limit}"
            )
        if self.has_fixed_size and self.policy_learning is not LearningPolicy.NONE:
            raise ValueError(
                f"policy_learning: an arena of policy_location {str(self.policy_location)!r} has the size it is given; "
                "choose 'none'"
            )
        if self.is_circular and self.policy_reuse is not ReusePolicy.NONE:
            raise ValueError("policy_reuse: the memory of a circular workspace is used in turns; choose 'none'")
        if self.max_size and self.min_size > self.max_size:
            raise ValueError(f"min_size: at most max_size {self.max_size}, given {self.min_size}")

    @property
    def is_circular(self) -> bool:
        return self.policy_reset is ResetPolicy.ENDOFBUFFER_REACHED

    @property
    def block_count(self) -> int:
        """The scopes that have room in the arena at a time.

        A circular one that overallocates has a block and `overallocation_limit` further ones.  A strict one of a given
        size is cut into `steps_number` blocks; one that learns its size learns that of a single scope.
        """
        if not self.is_circular:
            return 1
        if self.overallocates:
            return int(self.overallocation_limit + 1)
        return max(self.steps_number, 1) if self.initial_size else 1

    @property
    def overallocates(self) -> bool:
        return self.policy_allocation is AllocationPolicy.OVERALLOCATE

    @property
    def is_mapped(self) -> bool:
        return self.policy_location is LocationPolicy.MMAP

    @property
    def has_fixed_size(self) -> bool:
        return self.policy_location is not LocationPolicy.RAM

    @property
    def workspace_type(self) -> WorkspaceType:
        return WorkspaceType.CIRCULAR if self.is_circular else WorkspaceType.SCOPED


def _share(name, value):
    """A finite number from 0 to MOST_SHARE.  Raises TypeError, ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name}: a number, given {shortened(value)}")
    if not 0 <= value <= MOST_SHARE:  # false for NaN
        is_negative = value < 0
        wanted = "must not be negative" if is_negative else f"a number from 0 to {MOST_SHARE}"
        raise ValueError(f"{name}: {wanted}, given {shortened(value)}")
    return value


def _count(name, value):
    """A whole number that a C int holds.  Raises TypeError, ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: a whole number, given {shortened(value)}")
    if not 0 <= value <= MOST_COUNT:
        wanted = "must not be negative" if value < 0 else f"at most {MOST_COUNT}"
        raise ValueError(f"{name}: {wanted}, given {shortened(value)}")
    return value


def _path(name, value):
    """The path of a file as text, or None.  Raises TypeError, ValueError."""
    if value is None:
        return None
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise TypeError(f"{name}: the path of a file or None, given {shortened(value)}")
    if not path or "\0" in path:
        raise ValueError(f"{name}: the path of a file or None, given {shortened(value)}")
    return path


def member_of(name, kind, value):
    """The member of an enum that `value` names, in any case.

    Raises TypeError for anything but a member or text, ValueError listing the names.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}: one of {', '.join(map(repr, map(str, kind)))}, given {shortened(value)}")
    try:
        return kind(value.lower())
    except ValueError:
        raise ValueError(f"{name}: one of {', '.join(map(repr, map(str, kind)))}, given {shortened(value)}") from None
