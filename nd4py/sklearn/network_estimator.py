"""NetworkEstimator: what the estimators that train a network have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from nd4py import nn
from nd4py.api.arguments import instance, items
from nd4py.nn.numbers import whole

# Rows that predictions are computed for at a time, unless batches are larger: activations of more need much memory.
ROWS_AT_A_TIME = 1024
FLOATS = (np.float64, np.float32)  # others become the first


class NetworkEstimator(BaseEstimator, ABC):
    """The base class of estimators with a `nn.MultiLayerNetwork`.

    layers: a sequence of sizes of hidden layers, of layers of `nn`, or of both; an output layer that fits the targets
        follows unless the last layer has a loss
    activation: of the hidden layers that are given by their sizes, and of layers that name none
    updater: None for `nn.Adam()`
    epochs: how often `fit` goes through the examples, at most
    batch_size: examples in a step of training
    shuffle: whether each epoch has the examples in another order
    loss: of the output layer that follows; None for the one that is usual for the targets
    input_type: what the columns of a row are, such as `nn.InputType.convolutional(28, 28, 1)`; None for plain numbers
    early_stopping: keep a share of the examples apart, stop when their loss becomes no better, and go back to the
        parameters that were the best
    validation_fraction: that share
    n_iter_no_change: epochs without a better loss after which training stops
    settings: a dict of other settings of the network, such as {"l2": 1e-4, "dropout": 0.2}
    dtype: of the network; None for float32 where the features are float32, else float64
    random_state: None, a seed, or a `numpy.random.RandomState`: of weights, dropout, order and the share kept apart
    """

    def __init__(
        self,
        layers: Any = (100,),
        *,
        activation: Any = "relu",
        updater: Any = None,
        epochs: int = 100,
        batch_size: int = 32,
        shuffle: bool = True,
        loss: Any = None,
        input_type: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        settings: Any = None,
        dtype: Any = None,
        random_state: Any = None,
    ) -> None:
        self.layers = layers
        self.activation = activation
        self.updater = updater
        self.epochs = epochs
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.loss = loss
        self.input_type = input_type
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.settings = settings
        self.dtype = dtype
        self.random_state = random_state

    @abstractmethod
    def _output_layer(self, n_outputs: int) -> nn.Layer:
        """The layer that follows where the last one given has no loss."""

    def _rows(self, x: Any, *, reset: bool) -> np.ndarray:
        """The features, checked by scikit-learn, which notes their number and names with `reset`."""
        rows: np.ndarray = validate_data(self, x, reset=reset, dtype=FLOATS)
        return rows

    def _rows_and_targets(self, x: Any, y: Any, *, reset: bool, is_numeric: bool = False) -> tuple[Any, Any]:
        """The features and the targets, checked by scikit-learn."""
        return validate_data(self, x, y, reset=reset, dtype=FLOATS, multi_output=True, y_numeric=is_numeric)

    def _weights(self, sample_weight: Any, x: np.ndarray) -> np.ndarray | None:
        """Weights of the examples, divided by their mean.  Raises ValueError for those that do not fit."""
        if sample_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, x, ensure_non_negative=True)
        if not weights.any():
            raise ValueError(f"{type(self).__name__}: sample_weight needs a weight above 0, all are 0")
        return weights / weights.mean()

    def _new_network(self, x: np.ndarray, n_outputs: int) -> None:
        """Make the network for these features.  Raises ValueError or TypeError for a setting that is wrong."""
        given = items("layers", self.layers)
        layers = [nn.DenseLayer(int(each)) if isinstance(each, Integral) else each for each in given]
        if not (layers and isinstance(layers[-1], nn.ScoredLayer)):
            layers.append(self._output_layer(n_outputs))
        settings = {} if self.settings is None else dict(instance("settings", self.settings, Mapping))
        self._random_state = check_random_state(self.random_state)
        self.network_ = nn.MultiLayerNetwork(
            layers,
            input_type=self._type_of_rows(),
            updater=nn.Adam() if self.updater is None else self.updater,
            seed=int(self._random_state.randint(2**31 - 1)),
            dtype=str(x.dtype) if self.dtype is None else self.dtype,
            **{"activation": self.activation, **settings},
        )
        found = self.network_.stages[-1].output.size
        if found != n_outputs:
            raise ValueError(f"{type(self).__name__}: the last layer has {found} outputs, the targets {n_outputs}")
        self.loss_curve_: list[float] = []
        self.n_iter_ = 0

    def _type_of_rows(self) -> nn.InputType:
        """The input type, of which a row of features is one example."""
        n_features = self.n_features_in_
        if self.input_type is None:
            return nn.InputType.feed_forward(n_features)
        given = instance("input_type", self.input_type, nn.InputType)
        if None in given.shape or given.size != n_features:
            raise ValueError(f"{type(self).__name__}: input_type {given} is no row of {n_features} features")
        return given

    def _fit_network(self, x: np.ndarray, targets: np.ndarray, weights: np.ndarray | None, strata: Any = None) -> Self:
        """Train a network that was just made, to the last epoch or until the examples kept apart say stop."""
        n_epochs = whole(self.epochs, "epochs")
        if not self.early_stopping:
            for _ in range(n_epochs):
                self._fit_epoch(x, targets, weights)
            return self
        patience = whole(self.n_iter_no_change, "n_iter_no_change")
        rows, kept = train_test_split(
            np.arange(len(x)), test_size=self.validation_fraction, random_state=self._random_state, stratify=strata
        )
        own = None if weights is None else weights[rows]
        apart = None if weights is None else weights[kept]
        best, best_params, n_worse = np.inf, self.network_.params().copy(), 0
        for _ in range(n_epochs):
            self._fit_epoch(x[rows], targets[rows], own)
            loss = self._loss_of(x[kept], targets[kept], apart)
            n_worse = 0 if loss < best else n_worse + 1
            if loss < best:
                best, best_params = loss, self.network_.params().copy()
            if n_worse >= patience:
                break
        self.network_.set_params(best_params)
        return self

    def _fit_epoch(self, x: np.ndarray, targets: np.ndarray, weights: np.ndarray | None) -> None:
        """One pass through the examples."""
        n_examples, size = len(x), whole(self.batch_size, "batch_size")
        order = self._random_state.permutation(n_examples) if self.shuffle else np.arange(n_examples)
        total = 0.0
        for start in range(0, n_examples, size):
            rows = order[start : start + size]
            mask = None if weights is None else weights[rows]
            total += len(rows) * self.network_.fit_batch(self._batch(x[rows]), targets[rows], None, mask)
        self.loss_curve_.append(total / n_examples)
        self.n_iter_ += 1

    def _loss_of(self, x: np.ndarray, targets: np.ndarray, weights: np.ndarray | None) -> float:
        """The mean loss of examples that are not trained on."""
        losses = np.concatenate(
            [
                np.asarray(self.network_.score_examples((self._batch(x[part]), targets[part])))
                for part in self._parts(len(x))
            ]
        )
        return float(np.average(losses, weights=weights) if weights is None or weights.any() else np.inf)

    def _batch(self, x: np.ndarray) -> np.ndarray:
        """Rows in the shape that the network's input has."""
        sizes = (n for n in self.network_.input_type.shape if n is not None)  # `_type_of_rows` lets no other in
        return x.reshape((len(x), *sizes))

    def _parts(self, n_rows: int) -> list[slice]:
        size = max(ROWS_AT_A_TIME, self.batch_size)
        return [slice(start, start + size) for start in range(0, n_rows, size)]

    def _outputs(self, x: Any, layer: int = -1) -> np.ndarray:
        """The outputs of a layer for rows that are not checked yet: an array (n, size of the layer)."""
        check_is_fitted(self)
        rows = self._rows(x, reset=False)
        n_layers = len(self.network_.stages)
        found = []
        for part in self._parts(len(rows)):
            batch = self._batch(rows[part])
            is_last = layer % n_layers == n_layers - 1
            made = self.network_.output(batch) if is_last else self.network_.feed_forward_to_layer(layer, batch)[-1]
            found.append(np.asarray(made).reshape((len(batch), -1)))
        return np.concatenate(found)
