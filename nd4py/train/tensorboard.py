"""TensorBoardListener: scores, statistics, the graph and pictures of filters in event files."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, having, whole
from nd4py.api.files.event_files import EventFile, GraphNode

from .listeners import TrainingListener, check_told, checked_frequency

MOST_FILTERS = 64  # in a picture
FILTER_PIXELS = 24  # that a side of a filter has at least, in whole pixels for each weight


class TensorBoardListener(TrainingListener):
    """Writes what training does for TensorBoard: `tensorboard --logdir folder`.

    folder: of the event files, made if need be; each listener writes a file of its own, in all its trainings.  One that
        goes on from a checkpoint takes back what others say of later iterations
    frequency: iterations between two scores    histograms: whether parameters are written at the ends of epochs
    bins: of a histogram
    statistics: iterations between two histograms of gradients, updates and outputs of layers; None for none.  Such an
        iteration takes longer than others
    graph: whether the layers are written, with their parameters and what each reads; not where the folder has event
        files already
    images: whether pictures of the filters of convolutions are written, at the ends of epochs
    The tags are "score", and "epoch/score", "epoch/validation_score", "parameters/0_W", "filters/0_W" and so on at the
    ends of epochs, "gradients/0_W", "updates/0_W" and, of layers without a loss, "activations/0" with `statistics`, and
    then too "ratios/0_W": the logarithm, to base 10, of the mean magnitude of the update over that of the parameter,
    which near -3 is usual; the steps are iterations.  Arrays that are not finite are left out.
    Raises ValueError for a frequency or number of bins below 1, OSError where the folder cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> watching = train.TensorBoardListener("runs", statistics=10)
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), listeners=[watching])
    >>> import os
    >>> [name.startswith("events.out.tfevents") for name in os.listdir("runs")]
    [True]
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        frequency: int = 1,
        histograms: bool = True,
        bins: int = 30,
        statistics: int | None = None,
        graph: bool = True,
        images: bool = True,
    ) -> None:
        self._folder = Path(folder)
        self._every = checked_frequency(frequency, "TensorBoardListener: frequency")
        self._n_bins = checked_frequency(bins, "TensorBoardListener: bins")
        who = "TensorBoardListener: statistics"
        self._every_statistics = None if statistics is None else checked_frequency(statistics, who)
        self._has_histograms, self._has_graph, self._has_images = bool(histograms), bool(graph), bool(images)
        self._file: EventFile | None = None
        self._path: Path | None = None  # of the file, also when it is closed
        self._is_wanted = False  # statistics of the step that comes next
        self._last = 0  # iteration
        self._step = 0  # that statistics are of, 0 before it
        self._before: dict[str, Any] = {}  # parameters before the step

    def __getstate__(self) -> dict[str, Any]:
        """All but the file: a copy writes one of its own."""
        return vars(self) | {"_file": None, "_path": None}

    @property
    def on_forward_pass(self) -> Any:
        """Takes the outputs of layers, in the iterations that want them: others are computed without keeping them.

        Raises AttributeError in all others, so that a network finds no such method.
        """
        if not self._is_wanted:
            raise AttributeError("on_forward_pass")
        return self._note_activations

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        self._last, self._before, self._step = model.iteration_count - 1, {}, 0
        self._look_ahead(model.iteration_count)
        is_new = not any(self._folder.glob("events.out.tfevents.*"))
        if run.resumed_from is not None:
            self._opened().begin_again(model.iteration_count + 1)
        if self._has_graph and is_new and hasattr(model, "stages"):
            self._opened().add_graph(graph_nodes(model))

    def on_gradient_calculation(self, model: Any, gradient: Any) -> None:
        """Before every update, with the gradient as one vector laid out like `params()`.

        Raises TypeError for anything but a network and an array.
        """
        having("on_gradient_calculation: model", model, "a network", "iteration_count", "slots")
        array("on_gradient_calculation: gradient", gradient)
        if self._is_wanted and self._is_first(model):
            with nd.scope_out_of_workspaces():
                self._before = {name: values.copy() for name, values in model.param_table().items()}
                for slot in model.slots:
                    self._add_histogram(f"gradients/{slot.key}", gradient[slot.elements], model.iteration_count + 1)

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "score_value")
        if whole("iteration_done: iteration", iteration) % self._every == 0:
            self._opened().add_scalar("score", model.score_value, iteration)
        if self._before:
            self._note_updates(model.param_table(), iteration)
        self._before, self._step = {}, 0
        self._look_ahead(iteration)

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if run.n_batches:
            return
        file, history, step = self._opened(), run.history, model.iteration_count
        file.add_scalar("epoch/score", history.scores[-1], step)
        if history.validation_scores:
            file.add_scalar("epoch/validation_score", history.validation_scores[-1], step)
        for name, values in model.param_table().items():
            if self._has_histograms:
                self._add_histogram(f"parameters/{name}", values, step)
            if self._has_images and values.ndim == 4 and is_finite(values):
                file.add_image(f"filters/{name}", picture_of_filters(values), step)
        file.flush()

    def on_fit_end(self, model: Any, run: Any) -> None:
        check_told("on_fit_end", model, run)
        file, self._file, self._is_wanted = self._file, None, False
        if file is not None:
            file.close()

    def _look_ahead(self, iteration: int) -> None:
        every, after = self._every_statistics, iteration + max(1, iteration - self._last)  # a round as long as the last
        self._is_wanted, self._last = every is not None and after // every > iteration // every, iteration

    def _is_first(self, model: Any) -> bool:
        """Whether the step is the first of those between two calls of `iteration_done`: workers may do several."""
        step = model.iteration_count + 1
        self._step = self._step or step
        return self._step == step

    def _note_activations(self, model: Any, activations: Mapping[str, Any]) -> None:
        if not self._is_first(model):
            return
        with_loss = {stage.name for stage in model.stages if hasattr(stage.layer, "example_scores")}
        with nd.scope_out_of_workspaces():
            for name, values in activations.items():
                if name not in with_loss:  # what a loss is computed from is the output of the layer before
                    self._add_histogram(f"activations/{name}", values, model.iteration_count + 1)

    def _note_updates(self, params: Mapping[str, Any], iteration: int) -> None:
        with nd.scope_out_of_workspaces():
            for name, values in params.items():
                before = self._before[name]
                update = values - before
                self._add_histogram(f"updates/{name}", update, iteration)
                sizes = [float(nd.mean(nd.abs(nd.astype(each, "float64")))) for each in (update, before)]
                if all(0 < size < math.inf for size in sizes):
                    self._opened().add_scalar(f"ratios/{name}", math.log10(sizes[0] / sizes[1]), iteration)

    def _add_histogram(self, tag: str, values: Any, step: int) -> None:
        if is_finite(values):
            self._opened().add_histogram(tag, values, step, self._n_bins)

    def _opened(self) -> EventFile:
        if self._file is None:
            self._file = EventFile(self._folder, self._path)
            self._path = self._file.path
        return self._file


def is_finite(values: Any) -> bool:
    """Whether there are elements, all of them finite."""
    return bool(values.size and nd.all(nd.isfinite(values)))


def graph_nodes(model: Any) -> list[GraphNode]:
    """The inputs and layers of a network, by names that TensorBoard takes; each layer is a box with its parameters."""
    nodes = [GraphNode(node_name(name), "Input", (), shape_of(kind)) for name, kind in model.input_types.items()]
    outputs = [*nodes]  # by the numbers that stages have for what they read
    for stage in model.stages:
        kind = type(stage.layer).__name__
        short = kind.removesuffix("Layer")  # boxes have room for some fifteen letters
        box = node_name(f"{stage.name}_{short}")
        shapes = {slot.parameter.name: slot.parameter.shape for slot in model.slots if slot.layer == stage.index}
        parameters = [GraphNode(f"{box}/{node_name(name)}", "Parameter", (), shape) for name, shape in shapes.items()]
        reads = [node.name for node in (*(outputs[source] for source in stage.sources), *parameters)]
        outputs.append(GraphNode(f"{box}/{short}", kind, reads, shape_of(stage.output)))
        nodes += [*parameters, outputs[-1]]
    return nodes


def node_name(name: str) -> str:
    """A name with the characters that names of nodes may have."""
    name = re.sub(r"[^A-Za-z0-9_.\\/-]", "_", name)
    return name if name[0].isalnum() else f"n{name}"


def shape_of(kind: Any) -> list[int]:
    """The sizes of a batch of that type."""
    return [-1, *(-1 if size is None else size for size in kind.shape)]


def picture_of_filters(weights: Any) -> Any:
    """Filters side by side, dark for the least weight and bright for the greatest: (height, width, 1 or 3) uint8.

    weights: (filters, channels, height, width), finite; of three channels colours, of others the first channel
    """
    weights = nd.astype(nd.asarray(weights, device="cpu"), "float64")
    filters = weights[:MOST_FILTERS] if weights.shape[1] == 3 else weights[:MOST_FILTERS, :1]
    low, span = nd.min(filters), nd.max(filters) - nd.min(filters)
    shades = nd.astype(nd.round((filters - low) / nd.where(span == 0, 1.0, span) * 255), "uint8")
    n, channels, height, width = shades.shape
    scale = max(1, -(-FILTER_PIXELS // max(height, width)))
    shades = nd.repeat(nd.repeat(shades, scale, axis=2), scale, axis=3)
    n_columns = math.ceil(math.sqrt(n))
    n_rows = -(-n // n_columns)
    height, width = height * scale + 1, width * scale + 1  # with a line between two
    picture = nd.zeros((n_rows * height - 1, n_columns * width - 1, channels), dtype="uint8")
    for i in range(n):
        top, left = i // n_columns * height, i % n_columns * width
        picture[top : top + height - 1, left : left + width - 1] = nd.permute_dims(shades[i], (1, 2, 0))
    return picture
