"""Schedules by name."""

from .courses import CycleSchedule, FixedSchedule, MapSchedule, OneCycleSchedule, RampSchedule, WarmupSchedule
from .decays import (
    CosineSchedule,
    ExponentialSchedule,
    InverseSchedule,
    PolySchedule,
    SigmoidSchedule,
    StepSchedule,
)

SCHEDULES: dict[str, type] = {
    schedule.__name__: schedule
    for schedule in (
        FixedSchedule,
        ExponentialSchedule,
        InverseSchedule,
        StepSchedule,
        SigmoidSchedule,
        PolySchedule,
        CosineSchedule,
        MapSchedule,
        CycleSchedule,
        OneCycleSchedule,
        RampSchedule,
        WarmupSchedule,
    )
}
