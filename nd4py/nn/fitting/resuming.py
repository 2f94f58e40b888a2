"""Checkpoints: networks in a folder with their place in a run of training, from the newest of which training goes on.

A checkpoint is the file of a network (see `networks.archive`) with one entry more, training.json:

    epochs, batches, seconds, data, history    the place, see `TrainingRun.state`
    score, batch_size       `score_value` and `last_batch_size`
    random                  the state of the generator behind the functions of `nd4py.random`
    listeners               the states of the listeners that have `state()` and `set_state(state)`, by their classes
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nd4py import api as nd
from nd4py.api.files.replacing import partial_name

from ..networks.archive import Archive, open_archive
from .training_run import TrainingRun

NAME = re.compile(r"checkpoint_(\d{1,9})_\w+\.zip")


def checkpoint_name(number: int, model: Any) -> str:
    """The name of a checkpoint's file."""
    return f"checkpoint_{number}_{type(model).__name__}.zip"


def checkpoints_in(folder: str | os.PathLike[str]) -> dict[int, Path]:
    """The checkpoints of a folder by their numbers, in their order; none where there is no such folder.

    Raises ValueError for a file, TypeError for what is no path.
    """
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(f"the folder of checkpoints must be a path, given {folder!r}")
    folder = Path(folder)
    if folder.is_file():
        raise ValueError(f"checkpoints are in a folder, that of a train.CheckpointListener, given the file {folder}")
    if not folder.is_dir():
        return {}
    found = {int(match[1]): path for path in folder.iterdir() if (match := NAME.fullmatch(path.name))}
    return dict(sorted(found.items()))


def remove_remains(folder: Path) -> None:
    """Delete what a process that was killed has left of checkpoints it did not complete."""
    for path in folder.glob(partial_name("checkpoint_*")):
        path.unlink(missing_ok=True)


def write_checkpoint(model: Any, path: Path, run: TrainingRun) -> None:
    """Write a network and its place in a run, at a safe point; a file that was there is replaced when it is complete.

    Raises ValueError for several averages of weights among the listeners, TypeError for a state that JSON cannot hold,
    OSError where the file cannot be written.
    """
    averages = list(_averages(model))
    if len(averages) > 1:
        raise ValueError("a checkpoint holds one average of weights, and the listeners have several")
    state = run.state() | {
        "score": model.score_value,
        "batch_size": model.last_batch_size,
        "random": nd.random.get_state(),
        "listeners": [[type(each).__name__, each.state()] for each in _stateful(model)],
    }
    model.save(path, average=averages[0] if averages else None, training=json.dumps(state))


def go_on_from(model: Any, path: Path, run: TrainingRun, take_over: Callable[..., object]) -> None:
    """Take over a network and its place in a run from a checkpoint: all of the network, or nothing.

    take_over: takes the network over from the opened file
    Raises ValueError for a file that is damaged, no checkpoint, or one of another network; OSError as `open` does.
    """
    with open_archive(path) as archive:
        text = archive.training()
        if text is None:
            raise ValueError(f"{path} is a network without a place in its training; checkpoints have one")
        try:
            state = json.loads(text)
            own = {"score_value": float(state["score"]), "last_batch_size": int(state["batch_size"])}
            listeners, random = list(state["listeners"]), state["random"]
        except (ValueError, TypeError, KeyError) as error:
            raise archive.damaged(f"training.json cannot be read ({error!r})") from None
        _check_configuration(model, archive, path)
        take_over(archive, **own)
        run.go_on(state)
        run.resumed_from = path.parent
        _restore_listeners(model, listeners)
        for average in _averages(model):
            _restore_average(average, archive)
    nd.random.set_state(random)


def _check_configuration(model: Any, archive: Archive, path: Path) -> None:
    saved, own = (_without_none(json.loads(text)) for text in (archive.configuration(), model.configuration.to_json()))
    if saved != own:
        differing = sorted(key for key in {*saved, *own} if saved.get(key) != own.get(key))
        raise ValueError(
            f"{path} is a checkpoint of another network: its {', '.join(differing)} differ; go on with a network of "
            "the same configuration, or load the file and train that network"
        )


def _without_none(settings: Any) -> Any:
    """Settings without those that are None, which a file of an older version does not know."""
    if isinstance(settings, dict):
        return {name: _without_none(value) for name, value in settings.items() if value is not None}
    return [_without_none(each) for each in settings] if isinstance(settings, list) else settings


def _stateful(model: Any) -> Iterator[Any]:
    for each in model.listeners:
        if callable(getattr(each, "state", None)) and callable(getattr(each, "set_state", None)):
            yield each


def _restore_listeners(model: Any, saved: list[Any]) -> None:
    """Give listeners the states of those of the same class, in their order."""
    for listener in _stateful(model):
        for place, (name, state) in enumerate(saved):
            if name == type(listener).__name__:
                listener.set_state(state)
                del saved[place]
                break


def _averages(model: Any) -> Iterator[Any]:
    """Listeners that are averages of weights, as `save` takes them."""
    for each in model.listeners:
        if all(hasattr(each, name) for name in ("to_json", "values", "n_averaged")):
            yield each


def _restore_average(average: Any, archive: Archive) -> None:
    if (text := archive.average()) is not None:
        described = json.loads(text)
        values = None
        if described["size"]:
            values = archive.average_values(described["size"], described["dtype"]).copy()
        vars(average).update(values=values, n_averaged=described["n_averaged"])
