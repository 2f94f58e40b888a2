"""The models of a server: which files they come from, in which state they are, and how they change.

Design: a model is read and computes an example before it takes the place of the one before, so a damaged file, or one
that is half written, changes no answer.  Whoever replaces a file should write another one and rename it; what is
written in place is read when it has not changed between two looks.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from nd4py import api as nd
from nd4py.parallel import ModelServer

from .http_errors import HttpError, shown
from .serve_settings import Settings
from .served_models import LOADERS, ServedModel, read_model

LOG = logging.getLogger("nd4py.serve")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
# A model that answers an example faster is not worth a change of threads, which takes 0.1 ms; requests that come
# meanwhile wait as long (asv_bench/serving_over_http.py).
QUICK_SECONDS = 500e-6
WARM_UPS, WARM_UP_SECONDS = 20, 0.1
LOADING, READY, UNAVAILABLE = "LOADING", "READY", "UNAVAILABLE"
Stamp = tuple[int, int, int] | None


@dataclass
class Entry:
    """A model of a server.

    state: "LOADING", "READY" or "UNAVAILABLE"    reason: why it is not ready, or why its file's last change is not used
    stamp: of the file that was read last    seen: of the file at the last look
    is_wanted: whether changes of its file are followed; not after somebody has unloaded it
    """

    name: str
    path: Path
    state: str = LOADING
    reason: str = ""
    model: ServedModel | None = None
    stamp: Stamp = None
    seen: Stamp = None
    is_wanted: bool = True


class ModelRepository:
    """Loads models from files into a ModelServer, and follows what becomes of the files.

    files: by the names of the models    folder: whose files are models with the names of the files, None for none
    Raises ValueError for names that do not fit into addresses, NotADirectoryError.
    """

    def __init__(self, files: Mapping[str, Path], folder: Path | None, settings: Settings):
        self.server = ModelServer(settings.threads, memory_limit=settings.memory_limit, processes=settings.processes)
        self._settings, self._folder = settings, folder
        self._entries = {name: Entry(checked_name(name), Path(path)) for name, path in files.items()}
        self._named = frozenset(self._entries)
        self._lock = Lock()  # one change at a time
        self._told: set[Path] = set()
        if folder is not None:
            if not folder.is_dir():
                raise NotADirectoryError(f"serve: {folder} is no folder{_what_to_do(folder)}")
            self._find_files()

    def entry(self, name: str) -> Entry:
        """A model, in whatever state.  Raises HttpError for an unknown one."""
        try:
            return self._entries[name]
        except KeyError:
            known = ", ".join(self._entries) or "none"
            raise HttpError(404, f"there is no model {shown(name)}; models: {known[:500]}") from None

    def ready(self, name: str) -> ServedModel:
        """A model that answers.  Raises HttpError for others."""
        entry = self.entry(name)
        if entry.model is None:
            if entry.state == LOADING:
                raise HttpError(503, f"model {name!r} is being loaded", [(b"retry-after", b"1")])
            raise HttpError(400, f"model {name!r} is not loaded: {entry.reason}")
        return entry.model

    def entries(self) -> list[Entry]:
        """All models."""
        return list(self._entries.values())

    def lacking(self) -> list[str]:
        """The names of models that somebody asked for by name, and that do not answer."""
        return [name for name in self._named if self._entries[name].model is None and self._entries[name].is_wanted]

    def load_all(self) -> None:
        """Load what is wanted, for the first time."""
        for entry in self.entries():
            if entry.is_wanted and entry.model is None:
                self._load(entry)

    def load(self, name: str) -> None:
        """Load a model, or load it again.  Raises HttpError where that is not possible."""
        self._find_files()
        entry = self.entry(name)
        entry.is_wanted = True
        if not self._load(entry):
            raise HttpError(400, f"model {name!r} cannot be loaded: {entry.reason}")

    def unload(self, name: str) -> None:
        """Answer no more requests for a model until it is loaded again.  Raises HttpError for an unknown one."""
        entry = self.entry(name)
        with self._lock:
            entry.is_wanted = False
            self._take_away(entry, "it was unloaded")

    def follow_files(self) -> None:
        """Load models whose files are new or have changed, and take those away whose files are gone."""
        self._find_files()
        for entry in self.entries():
            stamp, before = stamp_of(entry.path), entry.seen
            entry.seen = stamp
            if stamp is None:
                self._forget(entry)
            elif entry.is_wanted and stamp != entry.stamp and stamp == before:
                self._load(entry)

    def close(self, *, wait: bool) -> None:
        """End the server of the models."""
        self.server.close(wait=wait)

    def _find_files(self) -> None:
        if self._folder is None:
            return
        for path in sorted(self._folder.iterdir()):
            if path.name.startswith(".") or path in self._told or not path.is_file():
                continue
            known = self._entries.get(path.stem)
            if path.suffix not in LOADERS:
                self._tell(path, f"not a kind of file that is served; known: {', '.join(LOADERS)}")
            elif not NAME.fullmatch(path.stem):
                self._tell(path, "the name does not fit into an address; use letters, digits and . _ -")
            elif known is None:
                self._entries[path.stem] = Entry(path.stem, path)
            elif known.path != path:
                self._tell(path, f"there is a model {path.stem!r} already, from {known.path.name}")

    def _tell(self, path: Path, what: str) -> None:
        self._told.add(path)
        LOG.warning("%s: %s", path, what)

    def _forget(self, entry: Entry) -> None:
        if entry.name in self._named:  # somebody asked for it: its file may come back
            entry.reason = f"{entry.path.name} is gone"
            return
        with self._lock:
            self._take_away(entry, f"{entry.path.name} is gone")
            self._entries.pop(entry.name, None)

    def _take_away(self, entry: Entry, reason: str) -> None:
        entry.model, entry.state, entry.reason = None, UNAVAILABLE, reason
        if entry.name in self.server.names:
            self.server.remove(entry.name)

    def _load(self, entry: Entry) -> bool:
        """Whether the model could be loaded."""
        with self._lock:
            entry.stamp = entry.seen = stamp_of(entry.path)
            try:
                model = read_model(entry.name, entry.path)
                if self._settings.warm_up:
                    n_elements = quick_elements(model)
                    if self._settings.processes is None:  # which are there so that this one computes nothing
                        model = replace(model, quick_elements=n_elements)
                self._serve(model)
            except Exception as error:  # of whatever is wrong with a file: the server goes on
                told = f"{type(error).__name__}: {error}"
                LOG.error("model %s: %s", entry.name, told)
                entry.reason = told.replace(str(entry.path), entry.path.name)  # clients need not know the folders
                entry.state = UNAVAILABLE if entry.model is None else READY
                return False
            entry.model, entry.state, entry.reason = model, READY, ""
            LOG.info("model %s: loaded from %s", entry.name, entry.path)
            return True

    def _serve(self, model: ServedModel) -> None:
        if model.name in self.server.names:
            try:
                self.server.update_model(model.name, model.source)
                return
            except ValueError:  # it has other inputs or outputs
                self.server.remove(model.name)
        self.server.add(model.name, model.source, mode=model.mode, **self._settings.of_models())


def checked_name(name: Any) -> str:
    """The name of a model.  Raises ValueError for what does not fit into an address."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(f"serve: names of models are letters, digits and . _ -, at most 128, got {name!r}")
    return name


def stamp_of(path: Path) -> Stamp:
    """What changes when a file does; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def quick_elements(model: ServedModel) -> int:
    """Compute an example, a few times.  Returns how many elements it has if that was quick, else 0.

    Raises what the model raises; but one of the ONNX format may not take zeros of any size.
    """
    example, seconds = model.example(), list[float]()
    try:
        inputs, masks = model.source.checked(example)
        # Small networks are captured as graphs when they have computed a few batches.
        while len(seconds) < WARM_UPS and sum(seconds) < WARM_UP_SECONDS:
            start = time.perf_counter()
            with nd.threads(1):
                model.source.outputs(inputs, masks)
            seconds.append(time.perf_counter() - start)
    except Exception as error:
        if model.mode != "sequential":
            raise
        LOG.warning("model %s: no example could be computed to warm up: %s", model.name, error)
        return 0
    return sum(x.size for x in example) if min(seconds) < QUICK_SECONDS else 0


def _what_to_do(path: Path) -> str:
    """How a single file is served, where it is one."""
    return f"; serve a single file by --model {path.stem}={path}" if path.is_file() else ""
