"""Networks that are evaluated by several evaluations, on several outputs, with masks."""

import cases
import numpy as np
import pytest
from sklearn import metrics

from nd4py import data, nn

RNG = np.random.default_rng(9)
X, LABELS = cases.small_batch(40)


def test_several_evaluations_come_back_in_their_order():
    net = cases.small_network()
    found = net.evaluate([(X[:25], LABELS[:25]), (X[25:], LABELS[25:])], nn.Evaluation(), nn.ROCMultiClass())
    evaluation, roc = found
    p = np.asarray(net.output(X))
    assert evaluation.accuracy() == pytest.approx(metrics.accuracy_score(LABELS.argmax(1), p.argmax(1)))
    assert roc.auc() == pytest.approx(metrics.roc_auc_score(LABELS, p, average="macro"))
    one = nn.EvaluationCalibration()
    assert net.evaluate((X, LABELS), one) is one
    assert isinstance(net.evaluate((X, LABELS)), nn.Evaluation)
    named = net.evaluate((X, LABELS), {"1": nn.Evaluation()})
    assert named["1"].accuracy() == evaluation.accuracy()


def graph():
    rows = nn.InputType.feed_forward(4)
    vertices = {
        "hidden": (nn.DenseLayer(5, "tanh"), "x"),
        "classes": (nn.OutputLayer(3), "hidden"),
        "value": (nn.OutputLayer(2, "identity", loss="mse"), "hidden"),
    }
    return nn.ComputationGraph({"x": rows}, vertices, outputs=("classes", "value"), dtype="float64")


def test_each_output_of_a_graph_has_evaluations_of_its_own():
    net, values = graph(), RNG.normal(size=(40, 2))
    batch = data.MultiDataSet([X], [LABELS, values])
    found = net.evaluate(
        batch, {"classes": nn.Evaluation(), "value": nn.RegressionEvaluation()}, {"classes": nn.ROCMultiClass()}
    )
    classes, predicted = (np.asarray(each) for each in net.output(X))
    assert found[0]["classes"].accuracy() == pytest.approx(np.mean(classes.argmax(1) == LABELS.argmax(1)))
    assert found[0]["value"].mean_squared_error() == pytest.approx(metrics.mean_squared_error(values, predicted))
    assert found[1]["classes"].n_examples(0) == 40
    with pytest.raises(ValueError, match="unknown output 'values'. Did you mean 'value'"):
        net.evaluate(batch, {"values": nn.Evaluation()})


def test_masks_of_outputs_reach_evaluations_that_take_them():
    layers = [nn.DenseLayer(5, "tanh"), nn.OutputLayer(3, "sigmoid", loss="xent")]
    net = cases.small_network(layers=layers)
    labels, mask = RNG.integers(0, 2, (40, 3)), RNG.integers(0, 2, (40, 3))
    batch = data.DataSet(X, labels.astype(float), labels_mask=mask)
    binary, roc, regression = net.evaluate(batch, nn.EvaluationBinary(), nn.ROCBinary(), nn.RegressionEvaluation())
    p = np.asarray(net.output(X))
    for i in range(3):
        kept = mask[:, i] == 1
        assert binary.f1(i) == pytest.approx(metrics.f1_score(labels[kept, i], p[kept, i] > 0.5))
        assert roc.auc(i) == pytest.approx(metrics.roc_auc_score(labels[kept, i], p[kept, i]))
        assert regression.mean_absolute_error(i) == pytest.approx(np.mean(abs(labels[kept, i] - p[kept, i])))
    with pytest.raises(ValueError, match="a mask with a number for each output"):
        net.evaluate(batch)


def test_padding_of_sequences_does_not_count():
    net = nn.MultiLayerNetwork(
        [nn.LSTM(4), nn.RnnOutputLayer(3)], input_type=nn.InputType.recurrent(2), dtype="float64", seed=3
    )
    x, actual = RNG.normal(size=(6, 5, 2)), RNG.integers(0, 3, (6, 5))
    mask = (np.arange(5) < np.array([5, 3, 1, 4, 2, 5])[:, None]).astype(float)
    labels = np.eye(3)[actual]
    of_features, of_labels = (
        net.evaluate(data.DataSet(x, labels, **{name: mask}), nn.Evaluation(), nn.ROCMultiClass())
        for name in ("features_mask", "labels_mask")
    )
    p = np.asarray(net.output(x, mask=mask))[mask == 1]
    expected = metrics.confusion_matrix(actual[mask == 1], p.argmax(1), labels=range(3))
    assert of_features[0].confusion_matrix().tolist() == expected.tolist()
    assert of_labels[0].n_examples == of_features[1].n_examples() == mask.sum()


class Largest:
    """An evaluation of the caller's own."""

    def eval(self, labels, outputs):
        self.value = float(np.max(np.asarray(outputs)))


def test_an_evaluation_of_the_caller_s_own():
    net = cases.small_network()
    assert net.evaluate((X, LABELS), Largest()).value == pytest.approx(np.asarray(net.output(X)).max())
    with pytest.raises(TypeError, match="must be an evaluation with eval"):
        net.evaluate((X, LABELS), 3)
