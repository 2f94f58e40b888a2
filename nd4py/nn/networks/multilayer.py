"""MultiLayerNetwork: a stack of layers."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from nd4py import api as nd

from ..evaluation import Evaluation
from ..inputs import InputType
from ..layers import Layer, OutputLayer
from ..parameters import Parameter, flatten
from ..updaters.updaters import Sgd, Updater
from .batches import batches_of, epochs_of, features_and_labels
from .configuration import NetworkConfiguration, checked, layers_of
from .memory_report import NetworkMemoryReport, memory_report
from .model import Model
from .network_graphs import NetworkGraph, most_in_output, most_in_step
from .stages import Params, Stage, build_stack
from .summary import summarize

# Spreads iterations over the seeds of the generators that dropout draws from (2**64 / golden ratio, odd).
SEED_STEP = 0x9E3779B97F4A7C15


class MultiLayerNetwork(Model):
    """Layers one after another, trained by gradient descent.

    layers: the stack; every n_in follows from `input_type` and the layers before
    updater: `Sgd()` when None    weight_init: a name or a `Distribution`
    l1, l2: regularisation of the weights, added to the score and to the gradient before the updater
    weight_decay: share of the weights taken off beside the updater, times the learning rate
    gradient_normalization, gradient_threshold: see `gradient_normalization`
    seed: of initial weights and dropout    dtype: "float32" or "float64"
    The network is made on the default device, `with nd.device("cuda:0")` on that one; `to_device` moves it.
    workspace_mode: "enabled" puts the arrays of a step into an arena that is reused, "none" into plain memory;
        results are the same.  Arrays on a device come from its own cache, whatever the mode
    params: a vector to copy the initial parameters from
    Raises ValueError naming the layer or setting that is wrong.

    >>> net = nn.MultiLayerNetwork(
    ...     [nn.DenseLayer(8, activation="tanh"), nn.OutputLayer(2)],
    ...     input_type=nn.InputType.feed_forward(2), updater=nn.Adam(0.05), seed=1,
    ... )
    >>> x = nd.asarray([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> labels = nd.one_hot([0, 1, 1, 0], 2)  # exclusive or
    >>> for _ in range(200):
    ...     score = net.fit_batch(x, labels)
    >>> nd.argmax(net.output(x), axis=1)
    array([0, 1, 1, 0], dtype=int64)
    """

    def __init__(
        self,
        layers: Iterable[Layer],
        *,
        input_type: InputType,
        updater: Updater | None = None,
        weight_init: Any = "xavier",
        l1: float = 0.0,
        l2: float = 0.0,
        weight_decay: float = 0.0,
        gradient_normalization: str | None = None,
        gradient_threshold: float = 1.0,
        seed: int = 0,
        dtype: Any = "float32",
        workspace_mode: str = "enabled",
        params: Any = None,
    ) -> None:
        configuration = NetworkConfiguration(
            layers=layers_of(layers),
            input_type=input_type,
            updater=Sgd() if updater is None else updater,
            weight_init=weight_init,
            l1=l1,
            l2=l2,
            weight_decay=weight_decay,
            gradient_normalization=gradient_normalization,
            gradient_threshold=gradient_threshold,
            seed=seed,
            dtype=dtype,
            workspace_mode=workspace_mode,
        )
        self._stages = build_stack(configuration.layers, configuration.input_type)
        super().__init__(configuration, params)

    @staticmethod
    def parameters_of(configuration: NetworkConfiguration) -> Sequence[Sequence[Parameter]]:
        return [stage.parameters for stage in build_stack(checked(configuration).layers, configuration.input_type)]

    @classmethod
    def from_configuration(cls, configuration: NetworkConfiguration, params: Any = None) -> Self:
        return cls(**checked(configuration).settings(), params=params)

    def fit(self, data: Any, epochs: int = 1) -> None:
        """Train on every batch of `data`, `epochs` times.

        data: an iterator over batches, a batch with .features and .labels, or (features, labels)
        Raises ValueError for batches that do not fit, epochs less than 1, or when `data` is used up before the last.
        """
        n_epochs, batches = epochs_of(epochs), batches_of(data)
        for epoch in range(n_epochs):
            self._tell("on_epoch_start")
            before = self.iteration_count
            for batch in self._timed(batches):
                self.fit_batch(*features_and_labels(batch))
            if self.iteration_count == before:
                raise ValueError(
                    f"fit: no batches in epoch {epoch + 1} of {n_epochs}; "
                    "give data that can be looped over once per epoch, such as a list or a DataSetIterator"
                )
            with self._lock:
                self.epoch_count += 1
            self._tell("on_epoch_end")

    def fit_batch(self, features: Any, labels: Any) -> float:
        """One step of training.  Returns the score before the step.

        The step is done as a whole or not at all, also when an error, Ctrl-C or an exception of another thread ends it:
        parameters, updater state, counters and score are those after the step, or those before it.
        Raises FloatingPointError when the score is not finite; the parameters then stay as they were.
        """
        with self._lock:
            self._finish()
            with self._scope(self._training):
                features, labels = self._batch(features, labels)
                gradient, score = self._loss_gradient(features, labels)
                gradient, score = self._regularized(self._normalized(gradient), score)
                if not math.isfinite(score):
                    raise FloatingPointError(
                        f"the score is {score} at iteration {self.iteration_count}; the parameters are as before this "
                        "step: lower the learning rate, limit gradients (gradient_normalization) or check the features"
                    )
                self._update(gradient, score_value=score, last_batch_size=features.shape[0])
            for listener in self.listeners:
                listener.iteration_done(self, self.iteration_count, self.epoch_count)
        return score

    def compute_gradient_and_score(self, features: Any, labels: Any) -> tuple[nd.NDArray, float]:
        """The gradient of the score as one vector laid out like `params()`, and the score; nothing is changed.

        L1 and L2 are part of both; gradient normalization and the updater come later and are not.
        Raises ValueError for shapes that do not fit, TypeError for an argument that cannot become an array.
        """
        with self._lock, self._scope(self._training):
            self._finish()
            gradient, score = self._regularized(*self._loss_gradient(*self._batch(features, labels)))
            return gradient.detach(), score

    def output(self, x: Any, *, train: bool = False) -> nd.NDArray:
        """The output of the last layer for a batch `x`; with `train`, dropout is applied.

        Inside `nd4py.grad` gradients flow through it to `x`; the parameters are constants there.
        Raises ValueError for a shape that the first layer does not take, TypeError for an argument that cannot become
        an array.
        """
        with self._lock:
            self._finish()
            if not train and self._graph is not None and (result := self._graph.repeated(x)) is not None:
                return result
            if not train and (result := self._quick_output(self._features(x))) is not None:
                return result
            with self._scope(self._inference, x):
                return self._run(self._stages, self._views, self._features(x), train)[-1].detach()

    def feed_forward(self, x: Any, *, train: bool = False) -> list[nd.NDArray]:
        """The batch `x` itself and the output of every layer.

        Raises ValueError for a shape that the first layer does not take, TypeError for an argument that cannot become
        an array.
        """
        with self._lock:
            self._finish()
            return self._run(self._stages, self._views, self._features(x), train)

    def score(self, data: Any) -> float:
        """Mean loss over the examples of `data` plus L1 and L2, without training; `data` as for `fit`.

        Returns a number.  Raises TypeError for anything but batches, ValueError for no examples or shapes that do not
        fit.
        """
        total, n_examples = 0.0, 0
        with self._lock:
            self._finish()
            for batch in batches_of(data):
                with self._scope(self._inference):
                    features, labels = self._batch(*features_and_labels(batch))
                    total += float(self._total_loss(self._views, features, labels, train=False))
                    n_examples += features.shape[0]
            if not n_examples:
                raise ValueError("score: no examples in data")
            return self._penalized(total / n_examples)

    def evaluate(self, data: Any) -> Evaluation:
        """Evaluate the network on all batches of `data` (as for `fit`): accuracy, confusion matrix and other metrics.

        Returns an `Evaluation`.
        Raises TypeError for anything but batches, ValueError for shapes that do not fit.
        """
        evaluation = Evaluation()
        for batch in batches_of(data):
            features, labels = features_and_labels(batch)
            evaluation.eval(labels, self.output(features))
        return evaluation

    def memory_info(self, batch_size: int, input_type: InputType | None = None) -> NetworkMemoryReport:
        """The memory that training and inference need for batches of that size; print it for a table.

        It is computed from steps on few examples, without making arrays of that size; the network is not changed.
        input_type: of the examples, None for the network's own
        Raises NotImplementedError when the layers' memory does not grow in proportion to the batch.
        """
        return memory_report(self, batch_size, input_type)

    def summary(self) -> str:
        """A table of the layers, their sizes and parameters.  Raises nothing."""
        return summarize(self._stages, self._params.nbytes)

    @property
    def stages(self) -> Sequence[Stage]:
        """The layers in their order."""
        return self._stages

    def example_labels(self, n_examples: int) -> nd.NDArray:
        """Labels that the loss takes, all ones.

        Returns an array.  Raises ValueError for a negative number, TypeError for a number that is not whole.
        """
        shape = (n_examples, *(int(n or 1) for n in self._stages[-1].output.shape))
        return self._output_layer().example_labels(shape, self._params.dtype)

    def _loss_gradient(self, features: nd.NDArray, labels: nd.NDArray) -> tuple[nd.NDArray, float]:
        """Gradient and value of the mean loss of a batch, without regularisation; for small batches by a graph."""
        if self._step_graph is None:
            self._step_graph = NetworkGraph(self._stages, self._computed_gradient, most_in_step(self._stages))
        gradient, loss = self._step_graph(features, labels) or self._computed_gradient(features, labels)
        return gradient, float(loss)

    def _computed_gradient(self, features: nd.NDArray, labels: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
        n_examples = features.shape[0]

        def mean_loss(params: Params) -> nd.NDArray:
            return self._total_loss(params, features, labels, train=True) / n_examples

        loss, gradients = nd.value_and_grad(mean_loss)(self._views)
        return flatten(gradients, self._slots), loss

    def _total_loss(self, params: Params, features: nd.NDArray, labels: nd.NDArray, *, train: bool) -> nd.NDArray:
        *below, last = self._stages
        x = self._run(below, params, features, train)[-1]
        return self._output_layer().score(params[last.index], last.prepare(x), labels)

    def _run(self, stages: Iterable[Stage], params: Params, x: nd.NDArray, train: bool) -> list[nd.NDArray]:
        """`x` and the output of each stage."""
        rng = self._rng() if train else None
        outputs = [x]
        for stage in stages:
            outputs.append(stage.forward(params, outputs[-1], train=train, rng=rng))
        return outputs

    def _quick_output(self, x: nd.NDArray) -> nd.NDArray | None:
        """The output of a small batch by a graph, or None."""
        if self._graph is None:
            self._graph = NetworkGraph(self._stages, self._computed_output, most_in_output(self.input_type))
        with nd.scope_out_of_workspaces():
            result: nd.NDArray | None = self._graph(x)
        return result

    def _computed_output(self, x: nd.NDArray) -> nd.NDArray:
        return self._run(self._stages, self._views, x, False)[-1]

    def _output_layer(self) -> OutputLayer:
        last = self._stages[-1]
        if not isinstance(last.layer, OutputLayer):
            raise ValueError(f"training needs a loss: the last layer must be an OutputLayer, but it is {last.who}")
        return last.layer

    def _batch(self, features: Any, labels: Any) -> tuple[nd.NDArray, nd.NDArray]:
        """Both arrays checked and in the network's dtype."""
        output_layer, features = self._output_layer(), self._features(features)
        if not features.shape[0]:
            raise ValueError(f"a batch needs at least one example, given features of shape {features.shape}")
        labels = nd.asarray(labels, device=self.device)
        shape = (features.shape[0], *self._stages[-1].output.shape)
        return features, output_layer.prepare_labels(labels, shape, self._params.dtype)

    def _features(self, x: Any) -> nd.NDArray:
        x, wanted = nd.asarray(x, device=self.device), self.configuration.input_type
        if not wanted.fits(x.shape):
            raise ValueError(f"{self._stages[0].who} expects {wanted}, given {x.shape}")
        return nd.astype(x, self._params.dtype, copy=False)

    def _rng(self) -> Any:
        # A generator per iteration: a network that is saved and loaded goes on with the same draws.
        return nd.random.Generator((self.configuration.seed + self.iteration_count * SEED_STEP) % 2**63)

    def _timed(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The batches, with the time each took to come noted in `last_etl_ms`."""
        source, end = iter(batches), object()
        while True:
            start = time.perf_counter()
            batch = next(source, end)
            self.last_etl_ms = 1e3 * (time.perf_counter() - start)
            if batch is end:
                return
            yield batch

    def _tell(self, event: str) -> None:
        for listener in self.listeners:
            if (react := getattr(listener, event, None)) is not None:
                react(self)
