"""A good call of everything public of early stopping: `EARLY_STOPPING[label]()` is the call."""

from data_cases.data_calls import examples, prefixed
from public_calls import call, of, x

from nd4py import nn, train


def network():
    """One with a layer that can reconstruct."""
    layers = [nn.AutoEncoder(3), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4))


def configuration():
    """One that ends after two epochs."""
    return train.EarlyStoppingConfiguration(
        score_calculator=train.DataSetLossCalculator(examples()),
        epoch_conditions=[train.MaxEpochsTerminationCondition(2)],
    )


class Size(train.ScoreCalculator):
    """A calculator of one's own."""

    def score(self, network):
        return float(network.num_params())


EARLY_STOPPING = {
    "EarlyStopping": lambda: call(train.EarlyStopping, 2, monitor="loss", min_delta=0.1),
    "EarlyStopping.set_state": lambda: call(train.EarlyStopping().set_state, train.EarlyStopping().state()),
    "EarlyStoppingConfiguration": lambda: call(
        train.EarlyStoppingConfiguration,
        score_calculator=Size(),
        epoch_conditions=[train.MaxEpochsTerminationCondition(2)],
        evaluate_every_n_epochs=2,
    ),
    "EarlyStoppingTrainer": lambda: call(
        train.EarlyStoppingTrainer, configuration(), network(), examples().features, examples().labels
    ),
    "DataSetLossCalculator": lambda: call(train.DataSetLossCalculator, examples(), False),
    "EvaluationScoreCalculator": lambda: call(train.EvaluationScoreCalculator, examples(), "f1"),
    "ReconstructionScoreCalculator": lambda: call(train.ReconstructionScoreCalculator, x(6, 4), 0),
    "InMemoryModelSaver": lambda: call(train.InMemoryModelSaver),
    "LocalFileModelSaver": lambda: call(train.LocalFileModelSaver, "models"),
    "MaxEpochsTerminationCondition": lambda: call(train.MaxEpochsTerminationCondition, 3),
    "ScoreImprovementEpochTerminationCondition": lambda: call(train.ScoreImprovementEpochTerminationCondition, 3, 0.1),
    "BestScoreEpochTerminationCondition": lambda: call(train.BestScoreEpochTerminationCondition, 0.1),
    "MaxTimeIterationTerminationCondition": lambda: call(train.MaxTimeIterationTerminationCondition, 60.0),
    "MaxScoreIterationTerminationCondition": lambda: call(train.MaxScoreIterationTerminationCondition, 5.0),
}
for calculator in (
    lambda: train.DataSetLossCalculator(examples()),
    lambda: train.EvaluationScoreCalculator(examples()),
    lambda: train.ReconstructionScoreCalculator(x(6, 4)),
):
    name = type(calculator()).__name__
    EARLY_STOPPING |= prefixed(name, of(calculator, score=lambda: (network(),)))
for saver in (train.InMemoryModelSaver, lambda: train.LocalFileModelSaver("models")):
    saving = dict.fromkeys(("save_best", "save_latest"), lambda: (network(), 0.5))
    EARLY_STOPPING |= prefixed(type(saver()).__name__, of(saver, **saving))
for condition in (
    lambda: train.EpochTerminationCondition(),
    lambda: train.MaxEpochsTerminationCondition(3),
    lambda: train.ScoreImprovementEpochTerminationCondition(3),
    lambda: train.BestScoreEpochTerminationCondition(0.1),
):
    EARLY_STOPPING |= prefixed(type(condition()).__name__, of(condition, terminates=lambda: (1, 0.5, True)))
for condition in (
    train.IterationTerminationCondition,
    train.InvalidScoreIterationTerminationCondition,
    lambda: train.MaxTimeIterationTerminationCondition(60.0),
    lambda: train.MaxScoreIterationTerminationCondition(5.0),
):
    EARLY_STOPPING |= prefixed(type(condition()).__name__, of(condition, terminates=lambda: (0.5,)))
