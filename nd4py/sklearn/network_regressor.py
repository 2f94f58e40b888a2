"""NetworkRegressor: a network that says numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from nd4py import nn

from .network_estimator import NetworkEstimator


class NetworkRegressor(RegressorMixin, NetworkEstimator):
    """A network that says one number of an example, or several.

    layers: a sequence of sizes of hidden layers, of layers of `nn`, or of both; an output layer with an output for each
        number follows unless the last layer has a loss
    activation: of the hidden layers that are given by their sizes, and of layers that name none
    updater: None for `nn.Adam()`
    epochs: how often `fit` goes through the examples, at most
    batch_size: examples in a step of training
    shuffle: whether each epoch has the examples in another order
    loss: of the output layer that follows; None for squared errors
    input_type: what the columns of a row are, such as `nn.InputType.convolutional(28, 28, 1)`; None for plain numbers
    early_stopping: keep a share of the examples apart, stop when their loss becomes no better, and go back to the
        parameters that were the best
    validation_fraction: that share
    n_iter_no_change: epochs without a better loss after which training stops
    settings: a dict of other settings of the network, such as {"l2": 1e-4, "dropout": 0.2}
    dtype: of the network; None for float32 where the features are float32, else float64
    random_state: None, a seed, or a `numpy.random.RandomState`: of weights, dropout, order and the share kept apart
    After `fit` there are `n_features_in_`, `network_` (the `nn.MultiLayerNetwork`), `loss_curve_` (the mean loss of
    each epoch) and `n_iter_` (the epochs).  Raises nothing; `fit` checks the settings.  Scale the numbers to learn to
    about 1, as with `sklearn.compose.TransformedTargetRegressor`.

    >>> from nd4py.sklearn import NetworkRegressor
    >>> x = nd.linspace(-1, 1, 64)[:, None]
    >>> found = NetworkRegressor([16], updater=nn.Adam(0.01), random_state=0).fit(x, 3 * x[:, 0])
    >>> bool(found.score(x, 3 * x[:, 0]) > 0.99)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803 - scikit-learn's name
        """Train a new network.

        X: features (n, n_features)
        y: numbers (n,) or (n, n_outputs)
        sample_weight: (n,), what each example counts; None for 1
        Returns the estimator.  Raises ValueError for arguments and settings that do not fit.
        """
        x, targets = self._checked(X, y, reset=True)
        weights = self._weights(sample_weight, x)
        self._new_network(x, targets.shape[1])
        return self._fit_network(x, targets, weights)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803 - scikit-learn's name
        """One epoch more with these examples; the first call makes the network.

        X: features (n, n_features)
        y: numbers (n,) or (n, n_outputs)
        sample_weight: (n,), what each example counts; None for 1
        Returns the estimator.  Raises ValueError for arguments that do not fit.
        """
        is_first = not hasattr(self, "network_")
        x, targets = self._checked(X, y, reset=is_first)
        weights = self._weights(sample_weight, x)
        if is_first:
            self._new_network(x, targets.shape[1])
        self._fit_epoch(x, targets, weights)
        return self

    def predict(self, X: Any) -> np.ndarray:  # noqa: N803 - scikit-learn's name
        """The numbers of each example.

        X: features (n, n_features)
        Returns an array (n,), or (n, n_outputs) where y had two axes.  Raises ValueError for another number of
        features, NotFittedError before `fit`.
        """
        found = self._outputs(X)
        return found[:, 0] if self._is_flat else found

    def _checked(self, x: Any, y: Any, *, reset: bool) -> tuple[np.ndarray, np.ndarray]:
        x, y = self._rows_and_targets(x, y, reset=reset, is_numeric=True)
        if reset:
            self._is_flat = y.ndim == 1
        return x, y.reshape((len(y), -1)).astype(x.dtype)

    def _output_layer(self, n_outputs: int) -> nn.Layer:
        return nn.OutputLayer(n_outputs, "identity", loss="mse" if self.loss is None else self.loss)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
