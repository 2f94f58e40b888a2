"""NetworkTransformer: features that a network learns by making its input again."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from nd4py import nn
from nd4py.nn.numbers import whole

from .network_estimator import NetworkEstimator


class NetworkTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NetworkEstimator):
    """An autoencoder: a network that learns to make its input again, and gives the outputs of one of its layers.

    layers: a sequence of sizes of hidden layers, of layers of `nn`, or of both; an output layer as wide as the input
        follows unless the last layer has a loss
    layer: the number of the layer whose outputs are the new features; None for the one with the fewest
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
    After `fit` there are `n_features_in_`, `network_` (the `nn.MultiLayerNetwork`), `layer_` (the number of the layer),
    `loss_curve_` (the mean loss of each epoch) and `n_iter_` (the epochs).  Raises nothing; `fit` checks the settings.

    >>> from nd4py.sklearn import NetworkTransformer
    >>> x = nd.random.Generator(0).normal(size=(64, 6))
    >>> NetworkTransformer([4, 2, 4], epochs=5, random_state=0).fit_transform(x).shape
    (64, 2)
    """

    def __init__(
        self,
        layers: Any = (100, 10, 100),
        *,
        layer: Any = None,
        activation: Any = "tanh",
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
        super().__init__(
            layers,
            activation=activation,
            updater=updater,
            epochs=epochs,
            batch_size=batch_size,
            shuffle=shuffle,
            loss=loss,
            input_type=input_type,
            early_stopping=early_stopping,
            validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change,
            settings=settings,
            dtype=dtype,
            random_state=random_state,
        )
        self.layer = layer

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803 - scikit-learn's name
        """Train a new network to make the features again.

        X: features (n, n_features)
        y: not used; pipelines give it
        sample_weight: (n,), what each example counts; None for 1
        Returns the estimator.  Raises ValueError for arguments and settings that do not fit.
        """
        x = self._rows(X, reset=True)
        weights = self._weights(sample_weight, x)
        self._make(x)
        return self._fit_network(x, x, weights)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """One epoch more with these examples; the first call makes the network.

        X: features (n, n_features)
        y: not used; pipelines give it
        sample_weight: (n,), what each example counts; None for 1
        Returns the estimator.  Raises ValueError for arguments that do not fit.
        """
        is_first = not hasattr(self, "network_")
        x = self._rows(X, reset=is_first)
        weights = self._weights(sample_weight, x)
        if is_first:
            self._make(x)
        self._fit_epoch(x, x, weights)
        return self

    def transform(self, X: Any) -> np.ndarray:  # noqa: N803 - scikit-learn's name
        """The outputs of the layer for each example.

        X: features (n, n_features)
        Returns an array (n, size of the layer).  Raises ValueError for another number of features, NotFittedError
        before `fit`.
        """
        check_is_fitted(self)
        return self._outputs(X, self.layer_)

    @property
    def _n_features_out(self) -> int:
        """How many features there are, for `get_feature_names_out`."""
        return self.network_.stages[self.layer_].output.size

    def _make(self, x: np.ndarray) -> None:
        """Make the network, and choose the layer.  Raises ValueError for a number of no layer."""
        self._new_network(x, x.shape[1])
        sizes = [stage.output.size for stage in self.network_.stages]
        self.layer_ = sizes.index(min(sizes)) if self.layer is None else whole(self.layer, "layer", least=0)
        if self.layer_ >= len(sizes):
            raise ValueError(f"layer: layers are 0 to {len(sizes) - 1}, given {self.layer_}")

    def _output_layer(self, n_outputs: int) -> nn.Layer:
        return nn.OutputLayer(n_outputs, "identity", loss="mse" if self.loss is None else self.loss)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
