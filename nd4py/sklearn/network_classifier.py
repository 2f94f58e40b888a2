"""NetworkClassifier: a network that says classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target, unique_labels
from sklearn.utils.validation import _check_sample_weight

from nd4py import nn

from .network_estimator import NetworkEstimator


class NetworkClassifier(ClassifierMixin, NetworkEstimator):
    """A network that says which class an example belongs to, or which of several labels it has.

    layers: a sequence of sizes of hidden layers, of layers of `nn`, or of both; an output layer with an output for each
        class follows unless the last layer has a loss
    activation: of the hidden layers that are given by their sizes, and of layers that name none
    updater: None for `nn.Adam()`
    epochs: how often `fit` goes through the examples, at most
    batch_size: examples in a step of training
    shuffle: whether each epoch has the examples in another order
    loss: of the output layer that follows; None for cross entropy
    class_weight: what the examples of each class count: a dict, "balanced" so that all classes count alike, or None
        for 1; in `fit`, times the weights of the examples
    input_type: what the columns of a row are, such as `nn.InputType.convolutional(28, 28, 1)`; None for plain numbers
    early_stopping: keep a share of the examples of each class apart, stop when their loss becomes no better, and go
        back to the parameters that were the best
    validation_fraction: that share
    n_iter_no_change: epochs without a better loss after which training stops
    settings: a dict of other settings of the network, such as {"l2": 1e-4, "dropout": 0.2}
    dtype: of the network; None for float32 where the features are float32, else float64
    random_state: None, a seed, or a `numpy.random.RandomState`: of weights, dropout, order and the share kept apart
    After `fit` there are `classes_`, `n_features_in_`, `network_` (the `nn.MultiLayerNetwork`), `loss_curve_` (the mean
    loss of each epoch) and `n_iter_` (the epochs).  Targets of shape (n, n_labels) of 0 and 1 are labels of which an
    example may have several.  Raises nothing; `fit` checks the settings.

    >>> from nd4py.sklearn import NetworkClassifier
    >>> x, y = nd.asarray([[-2.0], [-1.0], [1.0], [2.0]] * 8), ["no", "no", "yes", "yes"] * 8
    >>> found = NetworkClassifier([8], random_state=0).fit(x, y)
    >>> print(*found.predict([[-1.5], [1.5]]))
    no yes
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
        class_weight: Any = None,
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
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803 - scikit-learn's name
        """Train a new network.

        X: features (n, n_features)
        y: classes (n,), numbers or texts; or labels (n, n_labels) of 0 and 1
        sample_weight: (n,), what each example counts; None for 1
        Returns the estimator.  Raises ValueError for arguments and settings that do not fit.
        """
        x, y = self._rows_and_targets(X, y, reset=True)
        self._note_classes(y, None)
        weights = self._weights(self._with_class_weight(sample_weight, x, y), x)
        targets = self._targets(y, x.dtype)
        self._new_network(x, targets.shape[1])
        return self._fit_network(x, targets, weights, strata=None if self._is_multilabel else y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """One epoch more with these examples; the first call makes the network.

        X: features (n, n_features)
        y: classes (n,), or labels (n, n_labels) of 0 and 1
        classes: in the first call all classes that will come
        sample_weight: (n,), what each example counts; None for 1
        Returns the estimator.  Raises ValueError for arguments that do not fit, and for classes not told before.
        """
        is_first = not hasattr(self, "network_")
        x, y = self._rows_and_targets(X, y, reset=is_first)
        if is_first:
            self._note_classes(y, classes)
        elif classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
            told, given = self.classes_.tolist(), np.asarray(classes).tolist()
            raise ValueError(f"partial_fit: classes {given} are not those told before, {told}")
        weights = self._weights(sample_weight, x)
        targets = self._targets(y, x.dtype)
        if is_first:
            self._new_network(x, targets.shape[1])
        self._fit_epoch(x, targets, weights)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:  # noqa: N803 - scikit-learn's name
        """The probability of each class, in the order of `classes_`.

        X: features (n, n_features)
        Returns an array (n, n_classes).  Raises ValueError for another number of features, NotFittedError before `fit`.
        """
        found = self._outputs(X)
        return np.ones_like(found) if len(self.classes_) == 1 and not self._is_multilabel else found

    def predict(self, X: Any) -> np.ndarray:  # noqa: N803 - scikit-learn's name
        """The class of each example, or its labels.

        X: features (n, n_features)
        Returns an array (n,), or (n, n_labels) of 0 and 1.  Raises as `predict_proba`.
        """
        probabilities = self.predict_proba(X)
        if self._is_multilabel:
            return (probabilities > 0.5).astype(np.int64)
        found: np.ndarray = self.classes_[np.argmax(probabilities, axis=1)]
        return found

    def _with_class_weight(self, sample_weight: Any, x: np.ndarray, y: np.ndarray) -> Any:
        """What each example counts, its class included; None for 1."""
        if self.class_weight is None:
            return sample_weight
        own = 1.0 if sample_weight is None else _check_sample_weight(sample_weight, x, ensure_non_negative=True)
        return own * compute_sample_weight(self.class_weight, y)

    def _note_classes(self, y: np.ndarray, classes: Any) -> None:
        check_classification_targets(y)
        self._is_multilabel = type_of_target(y) == "multilabel-indicator"
        self.classes_ = (
            np.arange(y.shape[1]) if self._is_multilabel else unique_labels(y if classes is None else classes)
        )

    def _targets(self, y: np.ndarray, dtype: Any) -> np.ndarray:
        """A column for each class, 1 where it is the right one."""
        if self._is_multilabel:
            if y.ndim != 2 or y.shape[1] != len(self.classes_):
                raise ValueError(f"y must have {len(self.classes_)} labels an example, given shape {y.shape}")
            return y.astype(dtype)
        y = column_or_1d(y, warn=True)
        places = np.minimum(np.searchsorted(self.classes_, y), len(self.classes_) - 1)
        if (unknown := y[self.classes_[places] != y]).size:
            raise ValueError(f"y has the class {unknown.tolist()[0]!r}, known are {self.classes_.tolist()}")
        return np.eye(len(self.classes_), dtype=dtype)[places]

    def _output_layer(self, n_outputs: int) -> nn.Layer:
        # Of a single class the softmax would always be 1, so that nothing could be learnt.
        activation, usual = ("sigmoid", "xent") if self._is_multilabel or n_outputs == 1 else ("softmax", "mcxent")
        return nn.OutputLayer(n_outputs, activation, loss=usual if self.loss is None else self.loss)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
