"""A run of training that tests kill and start again: `python killed_training.py KIND FOLDER [RESULT]`.

It goes on from what is in FOLDER.  RESULT is written at its end: parameters, updater state, counters, scores, and the
order in which it has seen the data.
"""

import json
import sys
from pathlib import Path

import numpy as np

import nd4py as nd
from nd4py import data, nn, parallel, train

X = np.random.default_rng(3).standard_normal((60, 6)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(60) % 3]
EPOCHS = 4


class Order:
    """Notes what each iteration has seen, and draws from the generator of `nd.random`."""

    def __init__(self):
        self.seen = []

    def state(self):
        return self.seen

    def set_state(self, state):
        self.seen = list(state)

    def on_safe_point(self, model, run):
        self.seen.append([run.n_epochs, run.n_batches, float(nd.random.random())])


class Measured:
    """Keeps the history of the training."""

    def on_fit_start(self, model, run):
        self.history = run.history


class Reshuffled:
    """An iterator without a state that draws a new order in each pass."""

    def __init__(self):
        self._generator = np.random.default_rng(5)

    def __iter__(self):
        order = self._generator.permutation(60)
        for start in range(0, 60, 8):
            rows = order[start : start + 8]
            yield X[rows], LABELS[rows]


class Placed(Reshuffled):
    """One that knows its place: the order of this pass, and how much of it is done."""

    def __init__(self):
        super().__init__()
        self._order, self._place = None, 0

    def state(self):
        order = None if self._order is None else np.asarray(self._order).tolist()
        return {"generator": self._generator.bit_generator.state, "order": order, "place": self._place}

    def set_state(self, state):
        self._generator.bit_generator.state = state["generator"]
        self._order, self._place = state["order"], state["place"]

    def __iter__(self):
        if self._order is None:
            self._order, self._place = self._generator.permutation(60), 0
        while self._place < 60:
            rows = np.asarray(self._order[self._place : self._place + 8])
            self._place += 8
            yield X[rows], LABELS[rows]
        self._order = None


class ReshuffledDataSets(Reshuffled):
    def __iter__(self):
        return (data.DataSet(*batch) for batch in super().__iter__())


class PlacedDataSets(Placed):
    def __iter__(self):
        return (data.DataSet(*batch) for batch in super().__iter__())


def dense(**settings):
    layers = [nn.DenseLayer(12, activation="tanh", dropout=0.3), nn.BatchNormalization(), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.feed_forward(6), updater=nn.Adam(0.01), seed=4, **settings
    )


def graph():
    vertices = {"hidden": (nn.DenseLayer(12, dropout=0.3), "x"), "out": (nn.OutputLayer(3), "hidden")}
    inputs = {"x": nn.InputType.feed_forward(6)}
    return nn.ComputationGraph(inputs, vertices, outputs="out", updater=nn.Nesterovs(0.05), seed=4)


def recurrent():
    layers = [nn.LSTM(5), nn.RnnOutputLayer(3)]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.recurrent(6), updater=nn.Adam(0.01), seed=4, tbptt_length=2
    )


def several():
    """A graph of two inputs."""
    inputs = {"x": nn.InputType.feed_forward(6), "z": nn.InputType.feed_forward(2)}
    vertices = {
        "both": (nn.MergeVertex(), "x", "z"),
        "hidden": (nn.DenseLayer(12, dropout=0.3), "both"),
        "out": (nn.OutputLayer(3), "hidden"),
    }
    return nn.ComputationGraph(inputs, vertices, outputs="out", updater=nn.Adam(0.01), seed=4)


def normalized_batches():
    """Batches of two inputs, prepared by a thread and normalized as they are handed out."""
    source = data.ListDataSetIterator(data.MultiDataSet([X, X[:, :2]], [LABELS]).batch_by(8))
    source.pre_processor = data.MultiNormalizer([data.NormalizerStandardize(), None]).fit(source)
    return data.AsyncDataSetIterator(source, 3)


def stopped_early():
    """Training that ends by itself, after the third epoch, with the parameters of the first."""
    stopping = train.EarlyStopping(patience=2, min_delta=10.0)
    return (X, LABELS), {"batch_size": 8, "validation_data": (X[:20], LABELS[:20]), "listeners": [stopping]}


def shared_out(workers=2, dtype="float32", **settings):
    """A wrapper, whose epochs end with a round that is not full."""
    return lambda: parallel.ParallelWrapper(dense(dtype=dtype), workers, **settings)


def in_data_sets():
    """Batches in a new order each epoch."""
    return (data.ArrayDataSetIterator(X, LABELS, 8, seed=5),), {}


THRESHOLDS = {
    "training_mode": "shared_gradients",
    "threshold_algorithm": parallel.AdaptiveThresholdAlgorithm(initial=1e-3),
}
KINDS = {
    "arrays": (dense, lambda: ((X, LABELS), {"batch_size": 8})),
    "half": (lambda: dense(dtype="float16"), lambda: ((X, LABELS), {"batch_size": 8})),
    "graph": (graph, lambda: (({"x": X}, LABELS), {"batch_size": 8, "validation_data": (X[:20], LABELS[:20])})),
    "sequences": (recurrent, lambda: ((X.reshape(12, 5, 6), LABELS.reshape(12, 5, 3)), {"batch_size": 2})),
    "list": (dense, lambda: ((data.ListDataSetIterator(data.DataSet(X, LABELS).batch_by(8)),), {})),
    "seeded": (
        dense,
        lambda: ((data.AsyncDataSetIterator(data.ArrayDataSetIterator(X, LABELS, 8, seed=5), 2),), {}),
    ),
    "several inputs": (several, lambda: ((normalized_batches(),), {})),
    "stopped early": (dense, stopped_early),
    "without state": (dense, lambda: ((Reshuffled(),), {})),
    "with state": (dense, lambda: ((Placed(),), {})),
    "workers": (shared_out(3), in_data_sets),
    "workers, averaged rarely": (shared_out(averaging_frequency=2), in_data_sets),
    "workers, own updaters": (shared_out(3, average_updaters=False), in_data_sets),
    "workers, half": (shared_out(dtype="float16"), in_data_sets),
    "workers, shared gradients": (shared_out(3, training_mode="shared_gradients"), in_data_sets),
    "workers, thresholds": (shared_out(3, **THRESHOLDS), in_data_sets),
    "workers, list": (shared_out(), lambda: ((data.DataSet(X, LABELS).batch_by(8),), {})),
    "workers, without state": (shared_out(), lambda: ((ReshuffledDataSets(),), {})),
    "workers, with state": (shared_out(), lambda: ((PlacedDataSets(),), {})),
}


def main(kind, folder, result=None):
    nd.random.seed(11)
    make, source = KINDS[kind]
    trainer, (given, options) = make(), source()
    net = getattr(trainer, "model", trainer)
    order, average = Order(), train.ExponentialMovingAverage(0.9)
    saving = train.CheckpointListener(folder, every_iterations=3, every_epochs=1, keep_last=2, keep_best=True)
    listeners = [order, average, saving, *options.pop("listeners", [])]
    measured = Measured()
    listeners.append(measured)
    if trainer is net:
        net.fit(*given, epochs=EPOCHS, listeners=listeners, resume_from=folder, verbose=False, **options)
    else:
        net.set_listeners(*listeners)
        trainer.fit(*given, epochs=EPOCHS, resume_from=folder)
    if result is not None:
        history = measured.history
        state = {"order": order.seen, "iterations": history.iterations, "scores": history.iteration_scores,
                 "epoch_scores": history.scores, "validation": history.validation_scores,
                 "best": saving.best().name, "counters": [net.iteration_count, net.epoch_count, net.loss_scale,
                                                          net.n_finite_steps, net.score_value, net.last_batch_size],
                 "random": nd.random.get_state()}  # fmt: skip
        np.savez(result, params=net.params(), updater=net.updater_state(), average=average.values)
        Path(f"{result}.json").write_text(json.dumps(state))


if __name__ == "__main__":
    main(*sys.argv[1:])
