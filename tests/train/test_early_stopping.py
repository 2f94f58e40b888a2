"""Early stopping: conditions, savers, score calculators, the trainer, and the listener of `fit`."""

import logging
import math
import time

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train
from nd4py.parallel import ParallelWrapper

X, LABELS = cases.small_batch()


class Scripted(train.ScoreCalculator):
    """Scores that are written down."""

    def __init__(self, scores, minimize=True):
        self.scores, self.minimize, self.seen = list(scores), minimize, []

    def score(self, network):
        self.seen.append(np.array(network.params()))
        return self.scores[len(self.seen) - 1]


def result_of(scores, *conditions, net=None, minimize=True, **settings):
    calculator = Scripted(scores, minimize)
    epochs = [each for each in conditions if isinstance(each, train.EpochTerminationCondition)]
    iterations = [each for each in conditions if isinstance(each, train.IterationTerminationCondition)]
    configuration = train.EarlyStoppingConfiguration(
        score_calculator=calculator, epoch_conditions=epochs, iteration_conditions=iterations, **settings
    )
    net = cases.small_network() if net is None else net
    found = train.EarlyStoppingTrainer(configuration, net, X, LABELS, batch_size=3).fit()
    return found, calculator, net


@pytest.mark.parametrize("saver", [train.InMemoryModelSaver, None])
def test_the_best_model_is_given_back(saver, tmp_path):
    saver = train.LocalFileModelSaver(tmp_path / "models") if saver is None else saver()
    scores = [0.5, 0.3, 0.4, 0.6]
    found, calculator, net = result_of(
        scores, train.MaxEpochsTerminationCondition(4), model_saver=saver, save_last_model=True
    )
    assert isinstance(found, train.EarlyStoppingResult)
    assert (found.termination_reason, found.total_epochs) == ("EpochTerminationCondition", 4)
    assert found.termination_details == "MaxEpochsTerminationCondition(max_epochs=4)"
    assert found.scores == dict(enumerate(scores))
    assert (found.best_model_epoch, found.best_model_score) == (1, 0.3)
    assert (np.asarray(found.best_model.params()) == calculator.seen[1]).all()
    assert found.best_model.epoch_count == 2
    assert (np.asarray(saver.latest().params()) == np.asarray(net.params())).all()
    assert net.listeners == []


def test_higher_scores_can_be_better():
    found, calculator, _ = result_of([0.5, 0.7, 0.6], train.MaxEpochsTerminationCondition(3), minimize=False)
    assert (found.best_model_epoch, found.best_model_score) == (1, 0.7)
    assert (np.asarray(found.best_model.params()) == calculator.seen[1]).all()
    found, *_ = result_of([0.5, 0.7, 0.6, 0.9], train.BestScoreEpochTerminationCondition(0.65), minimize=False)
    assert found.total_epochs == 2
    found, *_ = result_of([0.5, 0.7, 0.1, 0.9], train.BestScoreEpochTerminationCondition(0.2))
    assert found.total_epochs == 3


@pytest.mark.parametrize(
    ("scores", "least", "minimize", "n_epochs"),
    [
        ([5, 4, 4, 4, 1], 0.0, True, 4),
        ([5, 4, 3.95, 3.92, 1], 0.1, True, 4),  # from the best score, an improvement is more than the least
        ([5, 4, 3, 2, 2, 2], 0.0, True, 6),
        ([1, 2, 3, 3, 3], 0.0, False, 5),
        ([math.nan, 4, 4, 4], 0.0, True, 4),  # a first score that is NaN can be improved
        ([math.inf, math.nan, math.nan], 0.0, True, 3),
    ],
)
def test_no_improvement(scores, least, minimize, n_epochs):
    condition = train.ScoreImprovementEpochTerminationCondition(2, least)
    found, *_ = result_of(scores, condition, minimize=minimize)
    assert (found.total_epochs, found.termination_reason) == (n_epochs, "EpochTerminationCondition")
    assert found.termination_details.startswith("ScoreImprovementEpochTerminationCondition(max_no_improvement=2")


def test_scores_that_are_not_finite_are_the_worst(caplog):
    with caplog.at_level(logging.WARNING):
        found, calculator, _ = result_of([math.nan, 3.0, math.inf], train.MaxEpochsTerminationCondition(3))
    assert found.scores == {0: math.inf, 1: 3.0, 2: math.inf}
    assert (np.asarray(found.best_model.params()) == calculator.seen[1]).all()
    assert "the score is nan after epoch 0; it counts as the worst, inf" in caplog.text


def test_epochs_between_scores():
    found, *_ = result_of([3, 2, 1], train.MaxEpochsTerminationCondition(6), evaluate_every_n_epochs=2)
    assert found.scores == {0: 3, 2: 2, 4: 1}
    assert found.total_epochs == 6
    found, *_ = result_of([3, 2, 2, 2], train.ScoreImprovementEpochTerminationCondition(4), evaluate_every_n_epochs=2)
    assert found.total_epochs == 7


class Nothing(train.IterationTerminationCondition):
    """Ends after so many iterations."""

    def __init__(self, n):
        self.n = n

    def terminates(self, score):
        self.n -= 1
        return self.n <= 0


def test_iteration_conditions():
    found, calculator, net = result_of([0.5, 0.6, 0.1], Nothing(8))
    assert (found.termination_reason, found.total_epochs) == ("IterationTerminationCondition", 2)
    assert net.iteration_count == 8
    assert (np.asarray(found.best_model.params()) == calculator.seen[0]).all()
    start = time.perf_counter()
    found, *_ = result_of([1.0] * 10**6, train.MaxTimeIterationTerminationCondition(0.3))
    assert 0.3 <= time.perf_counter() - start < 20
    found, *_ = result_of([1.0], train.MaxScoreIterationTerminationCondition(1e-3))
    assert found.termination_details == "MaxScoreIterationTerminationCondition(max_score=0.001)"
    assert (found.total_epochs, found.best_model_epoch, found.best_model_score) == (0, -1, 1.0)
    for wrong in (math.nan, math.inf):
        assert train.InvalidScoreIterationTerminationCondition().terminates(wrong)
        assert train.MaxScoreIterationTerminationCondition(5).terminates(wrong)
    assert not train.InvalidScoreIterationTerminationCondition().terminates(1e30)


class Breaking:
    """Makes the parameters NaN in the second epoch, or raises."""

    def __init__(self, error=None):
        self.error = error

    def on_epoch_start(self, model):
        if model.epoch_count == 1:
            if self.error is not None:
                raise self.error
            model.params()[...] = nd.nan


def test_invalid_scores_and_errors():
    net = cases.small_network()
    net.set_listeners(Breaking())
    found, calculator, _ = result_of([0.5], train.InvalidScoreIterationTerminationCondition(), net=net)
    assert (found.termination_reason, found.total_epochs) == ("IterationTerminationCondition", 1)
    assert (np.asarray(found.best_model.params()) == calculator.seen[0]).all()
    net = cases.small_network()
    net.set_listeners(Breaking(OSError("no data")))
    found, *_ = result_of([0.5], train.MaxEpochsTerminationCondition(5), net=net)
    assert (found.termination_reason, found.termination_details) == ("Error", "OSError: no data")
    assert isinstance(found.error, OSError)
    assert found.best_model.epoch_count == 1
    configuration = train.EarlyStoppingConfiguration(
        score_calculator=Scripted([1]), epoch_conditions=[train.MaxEpochsTerminationCondition(1)]
    )
    with pytest.raises(ValueError, match="one row for each example"):
        train.EarlyStoppingTrainer(configuration, cases.small_network(), X, LABELS[:3]).fit()


def test_workers_of_a_wrapper():
    batches = data.ListDataSetIterator(data.DataSet(X, LABELS).batch_by(2))
    for conditions, n_epochs in (
        ({"epoch_conditions": [train.MaxEpochsTerminationCondition(3)]}, 3),
        ({"iteration_conditions": [Nothing(3)]}, 1),  # a round of two workers each
    ):
        net, calculator = cases.small_network(), Scripted([0.5, 0.4, 0.6])
        configuration = train.EarlyStoppingConfiguration(score_calculator=calculator, **conditions)
        with ParallelWrapper(net, workers=2) as wrapper:
            found = train.EarlyStoppingTrainer(configuration, wrapper, batches).fit()
        assert found.total_epochs == net.epoch_count == n_epochs
        assert (np.asarray(found.best_model.params()) == calculator.seen[found.best_model_epoch]).all()


def test_graphs(tmp_path):
    graph = nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(X.shape[1])}, {"out": (nn.OutputLayer(LABELS.shape[1]), "x")}, outputs="out"
    )
    found, calculator, _ = result_of(
        [3, 2, 4], train.MaxEpochsTerminationCondition(3), net=graph, model_saver=train.LocalFileModelSaver(tmp_path)
    )
    assert isinstance(found.best_model, nn.ComputationGraph)
    assert (np.asarray(found.best_model.params()) == calculator.seen[1]).all()


def test_score_calculators():
    net = cases.small_network()
    batches = data.DataSet(X, LABELS).batch_by(3)
    losses = [net.score(batch) for batch in batches]
    assert train.DataSetLossCalculator((X, LABELS)).score(net) == pytest.approx(net.score((X, LABELS)))
    assert train.DataSetLossCalculator(batches, average=False).score(net) == pytest.approx(sum(losses))
    accuracy = train.EvaluationScoreCalculator((X, LABELS))
    assert accuracy.score(net) == net.evaluate((X, LABELS)).accuracy()
    assert not accuracy.minimize
    error = train.EvaluationScoreCalculator((X, LABELS), "mean_squared_error", evaluation=train.RegressionEvaluation)
    expected = ((np.asarray(net.output(X)) - np.asarray(LABELS)) ** 2).mean()
    assert error.score(net) == pytest.approx(expected, rel=1e-5)
    assert error.minimize
    area = train.EvaluationScoreCalculator((X, LABELS), "auc", evaluation=train.ROCMultiClass)
    assert 0 <= area.score(net) <= 1
    named = train.EvaluationScoreCalculator((X, LABELS), lambda evaluation: -evaluation.f1(), minimize=True)
    assert named.score(net) == -net.evaluate((X, LABELS)).f1()
    with pytest.raises(TypeError, match="a method of Evaluation .* given 'precise'; its methods are accuracy, "):
        train.EvaluationScoreCalculator((X, LABELS), "precise")


def test_reconstruction_scores():
    x = np.random.default_rng(1).standard_normal((10, 4)).astype("float32")
    net = nn.MultiLayerNetwork(
        [nn.DenseLayer(5), nn.AutoEncoder(3), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4)
    )
    below = net.feed_forward(x)[1]
    expected = np.asarray(net.get_layer(1).reconstruct(net.layer_params(1), below) - below)
    calculator = train.ReconstructionScoreCalculator(x, 1)
    assert calculator.score(net) == pytest.approx((expected**2).mean(), rel=1e-5)
    assert train.ReconstructionScoreCalculator([x[:4], x[4:]], 1).score(net) == pytest.approx(calculator.score(net))
    graph = nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(4)}, {"a": (nn.AutoEncoder(3), "x"), "o": (nn.OutputLayer(2), "a")}, outputs="o"
    )
    assert train.ReconstructionScoreCalculator(x, "a").score(graph) > 0
    variational = nn.MultiLayerNetwork(
        [nn.VariationalAutoencoder(2, encoder_layer_sizes=(3,), decoder_layer_sizes=(3,)), nn.OutputLayer(2)],
        input_type=nn.InputType.feed_forward(4),
    )
    probability = train.ReconstructionScoreCalculator(x, 0, log_probability=True)
    assert not probability.minimize
    assert probability.score(variational) == probability.score(variational) < 0


def test_configurations_are_checked():
    calculator = Scripted([1])
    with pytest.raises(ValueError, match="no condition ends training"):
        train.EarlyStoppingConfiguration(score_calculator=calculator)
    with pytest.raises(TypeError, match="each of epoch_conditions"):
        train.EarlyStoppingConfiguration(score_calculator=calculator, epoch_conditions=[5])
    with pytest.raises(TypeError, match="a score calculator with score"):
        train.EarlyStoppingConfiguration(score_calculator=3, epoch_conditions=[])
    for make in (
        lambda: train.MaxEpochsTerminationCondition(0),
        lambda: train.MaxTimeIterationTerminationCondition(-1),
        lambda: train.ScoreImprovementEpochTerminationCondition(-1),
        lambda: train.BestScoreEpochTerminationCondition("low"),
    ):
        with pytest.raises(ValueError, match="must be a"):
            make()


class Noise:
    """Parameters that get worse from the third epoch on."""

    def on_epoch_start(self, model):
        if model.epoch_count >= 2:
            noise = np.random.default_rng(model.epoch_count).standard_normal(model.num_params())
            model.set_params(noise * 10 * model.epoch_count)


def stopped(folder=None, epochs=20, **settings):
    net, stopping = cases.small_network(), train.EarlyStopping(patience=3, **settings)
    listeners = [Noise(), stopping]
    if folder is not None:
        listeners.insert(0, train.CheckpointListener(folder))
    history = net.fit(
        X, LABELS, batch_size=3, epochs=epochs, validation_data=(X, LABELS), listeners=listeners, resume_from=folder
    )
    return net, stopping, history


def test_patience():
    net, stopping, history = stopped()
    assert len(history.epochs) == stopping.stopped_epoch == 5
    assert stopping.best_epoch == 2
    assert stopping.best_score == history.validation_scores[1]
    assert net.score((X, LABELS)) == pytest.approx(stopping.best_score, rel=1e-6)
    worse, _, _ = stopped(restore_best=False)
    assert worse.score((X, LABELS)) == pytest.approx(history.validation_scores[-1], rel=1e-6)
    net, stopping, history = stopped(epochs=4)  # too few to be stopped
    assert stopping.stopped_epoch is None
    assert net.score((X, LABELS)) == pytest.approx(history.validation_scores[1], rel=1e-6)
    assert stopped(monitor="loss")[1].best_score == stopped()[2].scores[1]


def test_patience_goes_on_from_checkpoints(tmp_path):
    expected, _, history = stopped()
    stopped(tmp_path, epochs=4)
    net, stopping, found = stopped(tmp_path)
    assert found.scores == history.scores
    assert stopping.stopped_epoch == 5
    assert (np.asarray(net.params()) == np.asarray(expected.params())).all()
    again, stopping, found = stopped(tmp_path)  # it has ended, and does not train on
    assert found.scores == history.scores
    assert (np.asarray(again.params()) == np.asarray(expected.params())).all()


def test_patience_needs_validation_data():
    with pytest.raises(ValueError, match="needs fit"):
        cases.small_network().fit(X, LABELS, listeners=[train.EarlyStopping()])
    with pytest.raises(ValueError, match='monitor is "val_loss" or "loss"'):
        train.EarlyStopping(monitor="accuracy")


@pytest.mark.parametrize(
    ("evaluation", "metrics", "minimize"),
    [
        (nn.Evaluation, ["false_positive_rate", "false_negative_rate", "false_alarm_rate"], True),
        (nn.EvaluationBinary, ["false_positive_rate", "false_alarm_rate"], True),
        (nn.Evaluation, ["accuracy", "precision", "recall", "f1", "g_measure", "matthews_correlation"], False),
        (nn.RegressionEvaluation, ["mean_squared_error", "mean_absolute_error", "relative_squared_error"], True),
        (nn.RegressionEvaluation, ["r_squared", "pearson_correlation"], False),
        (nn.ROC, ["auc", "auprc", "average_precision"], False),
        (nn.EvaluationCalibration, ["expected_calibration_error"], True),
    ],
)
def test_direction_of_metrics(evaluation, metrics, minimize):
    for metric in metrics:
        assert train.EvaluationScoreCalculator((X, LABELS), metric, evaluation=evaluation).minimize is minimize
