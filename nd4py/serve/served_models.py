"""Models that are served: read from files, with what they take and return."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from nd4py import api as nd
from nd4py import keras, nn, onnx, train
from nd4py.data import CompositeNormalizer, DataSetPreProcessor, Normalizer
from nd4py.nn.networks.archive import open_archive

from .onnx_snapshots import OnnxSnapshot
from .tensor_encoding import datatype_of, layout

VERSION = "1"  # a file is one version, and files with other names are other models
WARM_UP_SIZE = 8  # of axes that may have any: as long as most windows that slide along them


class TensorSpec(NamedTuple):
    """What a model takes or returns; -1 in a shape is any size."""

    name: str
    datatype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class ServedModel:
    """A model, ready for a ModelServer.

    platform: which kind of file it came from    source: a network, or what has the methods of a Snapshot
    mode: "batched" where examples may be computed together, "sequential" where a request is computed as it is
    quick_elements: inputs of up to so many elements are computed so fast that the event loop may do it
    """

    name: str
    platform: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    source: Any
    mode: str
    version: str = VERSION
    quick_elements: int = 0
    input_numbers: dict[str, int] = field(init=False)
    output_numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        for numbers, specs in (("input_numbers", self.inputs), ("output_numbers", self.outputs)):
            object.__setattr__(self, numbers, {spec.name: number for number, spec in enumerate(specs)})

    def metadata(self) -> dict[str, Any]:
        """What the protocol says about a model."""
        described = {
            kind: [{"name": name, "datatype": datatype, "shape": shape} for name, datatype, shape in specs]
            for kind, specs in (("inputs", self.inputs), ("outputs", self.outputs))
        }
        return {"name": self.name, "versions": [self.version], "platform": self.platform, **described}

    def example(self) -> tuple[numpy.ndarray, ...]:
        """Inputs of zeros: one example."""
        return tuple(
            numpy.zeros([WARM_UP_SIZE if n < 0 and axis else abs(n) for axis, n in enumerate(spec.shape)],
                        layout(spec.datatype).dtype)
            for spec in self.inputs
        )  # fmt: skip


class NormalizedSnapshot(nn.Snapshot):
    """A network and the normalizer of its data: takes features, and returns labels, as they were before it."""

    def __init__(self, network: Any, normalizer: Normalizer) -> None:
        super().__init__(network)
        self._normalizer = normalizer

    def checked(self, inputs: Any, mask: Any = None) -> Any:
        given = inputs[0] if isinstance(inputs, tuple) else inputs
        return super().checked(self._normalizer.transform_features(nd.asarray(given)), mask)

    def outputs(self, inputs: Any, masks: Any = None) -> tuple[Any, ...]:
        return tuple(self._normalizer.revert_labels(y) for y in super().outputs(inputs, masks))


def network_model(name: str, path: Path) -> ServedModel:
    """A network that nd4py saved.  Raises as `train.load` does."""
    with open_archive(path) as archive:
        normalizer = archive.normalizer()
    network = train.load(path, load_updater=False)
    if normalizer is None:
        return model_of(name, "nd4py", network, nn.Snapshot(network))
    found = DataSetPreProcessor.from_json(normalizer)
    snapshot = NormalizedSnapshot(network, found if isinstance(found, Normalizer) else CompositeNormalizer([found]))
    if len(snapshot.input_types) != 1 or len(snapshot.output_types) != 1:
        raise ValueError(f"{path}: a network with a normalizer can be served if it has one input and one output")
    return model_of(name, "nd4py", network, snapshot)


def keras_model(name: str, path: Path) -> ServedModel:
    """A model that Keras saved.  Raises as `keras.load` does."""
    network = keras.load(path)
    return model_of(name, "keras", network, nn.Snapshot(network))


def model_of(name: str, platform: str, network: Any, snapshot: nn.Snapshot) -> ServedModel:
    """A network, served by a snapshot of it."""
    datatype = datatype_of(network.configuration.dtype)
    inputs = tuple(
        TensorSpec(input_name, "INT64" if number in snapshot.index_inputs else datatype, any_rows(kind))
        for number, (input_name, kind) in enumerate(snapshot.input_types.items())
    )
    names = getattr(network.configuration, "outputs", ("output",))
    outputs = tuple(
        TensorSpec(output_name, datatype, any_rows(kind))
        for output_name, kind in zip(names, snapshot.output_types, strict=True)
    )
    return ServedModel(name, platform, inputs, outputs, snapshot, "batched")


def any_rows(kind: nn.InputType) -> tuple[int, ...]:
    return (-1, *(-1 if n is None else n for n in kind.shape))


def onnx_model(name: str, path: Path) -> ServedModel:
    """A model of the ONNX format.  Raises as `onnx.load` does, and ValueError for what is no function of tensors."""
    model = onnx.load(path)
    if not model.inputs or any(each not in model.tensor_types for each in (*model.inputs, *model.outputs)):
        raise ValueError(f"{path}: a model needs inputs and outputs that are tensors of known types, to be served")
    inputs, outputs = (
        tuple(onnx_spec(each, *model.tensor_types[each]) for each in names) for names in (model.inputs, model.outputs)
    )
    snapshot = OnnxSnapshot(model, model.tensor_types, path.stat().st_size)  # nearly all of a file are constants
    return ServedModel(name, "onnx", inputs, outputs, snapshot, "sequential")


def onnx_spec(name: str, dtype: Any, shape: Any) -> TensorSpec:
    sizes = ("?",) if shape is None else shape
    return TensorSpec(name, datatype_of(dtype), tuple(n if isinstance(n, int) else -1 for n in sizes))


LOADERS: dict[str, Callable[[str, Path], ServedModel]] = {
    ".zip": network_model,
    ".onnx": onnx_model,
    ".keras": keras_model,
}


def read_model(name: str, path: str | os.PathLike[str]) -> ServedModel:
    """The model in a file, by the ending of the file's name.

    Raises ValueError for other endings and for damaged files, OSError for what cannot be opened,
    NotImplementedError and ImportError for what nd4py, or a package that is not there, would be needed for.
    """
    path = Path(path)
    loader = LOADERS.get(path.suffix)
    if loader is None:
        raise ValueError(f"{path}: not a kind of file that is served; known: {', '.join(LOADERS)}")
    return loader(name, path)
