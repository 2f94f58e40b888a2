"""Networks as estimators: scikit-learn's own checks, and pipelines, searches, files and weights."""

import io
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from nd4py import nn

pytest.importorskip("sklearn", minversion="1.6")

import joblib
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from nd4py.sklearn import NetworkClassifier, NetworkRegressor, NetworkTransformer

IRIS, KINDS = load_iris(return_X_y=True)
FAST = nn.Adam(0.02)
CHECKED = [NetworkClassifier(epochs=60), NetworkRegressor(epochs=60), NetworkTransformer(epochs=20)]
LINE = np.linspace(-1, 1, 60)[:, None]


@pytest.mark.filterwarnings("ignore")  # the checks give what scikit-learn warns of
@parametrize_with_checks(CHECKED)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


def classifier(**settings):
    return NetworkClassifier(**{"layers": [16], "updater": FAST, "epochs": 30, "random_state": 0} | settings)


def test_a_pipeline_is_cross_validated_and_cloned():
    model = make_pipeline(StandardScaler(), classifier())
    assert cross_val_score(model, IRIS, KINDS, cv=3).min() > 0.9
    first, second = (clone(model).fit(IRIS, KINDS).predict_proba(IRIS) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_search_tries_layers_and_updaters():
    grid = {"layers": [[4], (8, nn.DropoutLayer(0.1))], "updater": [nn.Sgd(1e-6), FAST]}
    search = GridSearchCV(classifier(), grid, cv=2).fit(IRIS, KINDS)
    assert search.best_params_["updater"] == FAST
    assert search.best_score_ > 0.9


@pytest.mark.parametrize("keep", ["joblib", "pickle"])
def test_a_file_keeps_an_estimator(keep):
    model = classifier().fit(IRIS, KINDS)
    if keep == "joblib":
        file = io.BytesIO()
        joblib.dump(model, file)
        file.seek(0)
        copy = joblib.load(file)
    else:
        copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(IRIS), model.predict_proba(IRIS))
    copy.partial_fit(IRIS, KINDS)  # goes on as the first would
    model.partial_fit(IRIS, KINDS)
    np.testing.assert_array_equal(copy.predict_proba(IRIS), model.predict_proba(IRIS))


def test_sizes_and_layers_make_the_same_network():
    by_sizes = classifier(layers=(8, 4), activation="tanh").fit(IRIS, KINDS)
    layers = [nn.DenseLayer(8, "tanh"), nn.DenseLayer(4), nn.OutputLayer(3, loss="mcxent")]
    by_layers = classifier(layers=layers, activation="tanh").fit(IRIS, KINDS)
    np.testing.assert_array_equal(by_sizes.predict_proba(IRIS), by_layers.predict_proba(IRIS))
    assert by_sizes.network_.num_params() == 4 * 8 + 8 + 8 * 4 + 4 + 4 * 3 + 3


def test_rows_become_images():
    rows = np.random.default_rng(0).normal(size=(40, 36)).astype("float32")
    darker = rows[:, :18].sum(axis=1) < rows[:, 18:].sum(axis=1)
    layers = [nn.ConvolutionLayer(3, 4), 8]
    model = classifier(layers=layers, input_type=nn.InputType.convolutional(6, 6, 1), epochs=60).fit(rows, darker)
    assert model.score(rows, darker) > 0.9
    assert model.network_.params().dtype == "float32"
    assert model.classes_.dtype == bool


def test_weights_are_as_examples_that_come_twice():
    weights = np.where(LINE[:, 0] > 0, 3, np.arange(60) % 2)
    model = NetworkRegressor([8], updater=FAST, batch_size=200, epochs=40, random_state=0)
    weighted = clone(model).fit(LINE, LINE[:, 0] ** 2, sample_weight=weights).predict(LINE)
    repeated = clone(model).fit(np.repeat(LINE, weights, axis=0), np.repeat(LINE[:, 0] ** 2, weights)).predict(LINE)
    plain = clone(model).fit(LINE, LINE[:, 0] ** 2).predict(LINE)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-6)
    assert np.abs(weighted - plain).max() > 1e-3


@pytest.mark.parametrize(
    "weights, message", [(np.zeros(60), "all are 0|non-zero"), (-np.ones(60), "[Nn]egative"), ([1], "shape")]
)
def test_weights_that_do_not_fit_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        NetworkRegressor([4], epochs=1).fit(LINE, LINE[:, 0], sample_weight=weights)


def test_early_stopping_goes_back_to_the_best_epoch():
    noise = np.random.default_rng(1).integers(0, 2, 80)  # nothing to learn: the loss of what is kept apart rises
    x = np.random.default_rng(2).normal(size=(80, 20))
    settings = {"layers": [64], "validation_fraction": 0.25, "n_iter_no_change": 5, "epochs": 500}
    model = classifier(early_stopping=True, **settings).fit(x, noise)
    assert 5 < model.n_iter_ < 500
    best = model.n_iter_ - 5
    shorter = classifier(early_stopping=True, **settings | {"epochs": best}).fit(x, noise)
    np.testing.assert_array_equal(model.predict_proba(x), shorter.predict_proba(x))


def test_early_stopping_with_weights():
    model = classifier(early_stopping=True, epochs=20).fit(IRIS, KINDS, sample_weight=np.ones(150))
    assert model.score(IRIS, KINDS) > 0.9


def test_partial_fit_goes_on_and_knows_its_classes():
    model = classifier(layers=[16])
    for _ in range(20):
        for part in (KINDS < 2, KINDS > 0):
            model.partial_fit(IRIS[part], KINDS[part], classes=[0, 1, 2])
    assert model.n_iter_ == len(model.loss_curve_) == 40
    assert model.predict_proba(IRIS).shape == (150, 3)
    with pytest.raises(ValueError, match="has the class 3, known are"):
        model.partial_fit(IRIS, KINDS + 1)
    with pytest.raises(ValueError, match="not those told before"):
        model.partial_fit(IRIS, KINDS, classes=[0, 1])


def test_regression_goes_on_by_parts_and_scales_its_targets():
    model = NetworkRegressor([16], updater=FAST, random_state=0)
    for _ in range(60):
        model.partial_fit(LINE, np.hstack([LINE, -LINE]))
    assert model.predict(LINE).shape == (60, 2)
    assert model.score(LINE, np.hstack([LINE, -LINE])) > 0.99
    large = TransformedTargetRegressor(
        NetworkRegressor([16], updater=FAST, random_state=0), transformer=StandardScaler()
    )
    assert large.fit(LINE, 1e6 * LINE[:, 0]).score(LINE, 1e6 * LINE[:, 0]) > 0.99


def test_several_labels_of_an_example():
    x, labels = make_multilabel_classification(n_samples=200, n_features=10, n_classes=4, random_state=0)
    model = make_pipeline(StandardScaler(), classifier(epochs=120)).fit(x, labels)
    assert model.predict(x).shape == labels.shape
    assert (model.predict(x) == labels).mean() > 0.9
    assert not np.allclose(model.predict_proba(x).sum(axis=1), 1)


def test_the_transformer_gives_a_layer():
    model = NetworkTransformer([5, 2, 5], updater=FAST, epochs=40, random_state=0)
    scaled = StandardScaler().fit_transform(IRIS)
    features = model.fit_transform(scaled)
    assert features.shape == (150, 2)
    assert list(model.get_feature_names_out()) == ["networktransformer0", "networktransformer1"]
    made_again = np.asarray(model.network_.output(scaled))
    assert ((made_again - scaled) ** 2).mean() < 0.15
    assert clone(model).set_params(layer=0, epochs=1).fit_transform(scaled).shape == (150, 5)
    assert clone(model).set_params(epochs=1).partial_fit(scaled).partial_fit(scaled).n_iter_ == 2


@pytest.mark.parametrize(
    "settings, error, message",
    [
        ({"layers": [nn.OutputLayer(2)]}, ValueError, "the last layer has 2 outputs, the targets 3"),
        ({"layers": [0]}, ValueError, "at least 1"),
        ({"layers": ["wide"]}, TypeError, "Layer"),
        ({"epochs": 0}, ValueError, "epochs must be a whole number"),
        ({"batch_size": 1.5}, ValueError, "batch_size must be a whole number"),
        ({"settings": {"no_such": 1}}, TypeError, "no_such"),
        ({"settings": 3}, TypeError, "settings must be a Mapping"),
        ({"input_type": nn.InputType.feed_forward(3)}, ValueError, "no row of 4 features"),
        ({"input_type": nn.InputType.recurrent(4)}, ValueError, "no row of 4 features"),
        ({"early_stopping": True, "validation_fraction": 2.0}, ValueError, "test_size"),
        ({"early_stopping": True, "n_iter_no_change": 0}, ValueError, "n_iter_no_change must be"),
        ({"loss": "no_such"}, ValueError, "no_such"),
    ],
)
def test_wrong_settings_are_told_by_fit(settings, error, message):
    with pytest.raises(error, match=message):
        classifier(**settings).fit(IRIS, KINDS)


def test_the_layer_of_a_transformer_exists():
    with pytest.raises(ValueError, match="layers are 0 to 1, given 7"):
        NetworkTransformer([2], layer=7, epochs=1).fit(IRIS)
    with pytest.raises(NotFittedError):
        NetworkTransformer([2]).transform(IRIS)


def test_without_scikit_learn_the_error_says_what_to_install():
    program = """
import sys
sys.modules["sklearn"] = None
import nd4py as nd
try:
    nd.sklearn.NetworkClassifier
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, timeout=100)
    assert done.stdout.strip() == "nd4py.sklearn needs scikit-learn: pip install 'nd4py[sklearn]'", done.stderr


@pytest.mark.parametrize("weights", ["balanced", {"rare": 9.0}, {"often": 0.5, "rare": 4.5}])
def test_weights_of_classes_are_as_weights_of_their_examples(weights):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(100, 3))
    y = np.where(np.arange(100) % 10 == 0, "rare", "often")
    each = {"often": 1.0, **({"often": 100 / 180, "rare": 100 / 20} if weights == "balanced" else weights)}
    example_weight = np.asarray([each[name] for name in y])
    settings = {"layers": (4,), "epochs": 4, "random_state": 1}
    own = rng.uniform(0.5, 1.5, 100)
    for given in (None, own):
        one = NetworkClassifier(class_weight=weights, **settings).fit(x, y, given)
        other = NetworkClassifier(**settings).fit(x, y, example_weight if given is None else example_weight * given)
        np.testing.assert_allclose(one.predict_proba(x), other.predict_proba(x), rtol=1e-9)
    assert (one.predict(x) == "rare").sum() >= (NetworkClassifier(**settings).fit(x, y, own).predict(x) == "rare").sum()


def test_a_single_class_is_always_predicted():
    x = np.random.default_rng(3).normal(size=(20, 3))
    model = NetworkClassifier((4,), epochs=2).fit(x, ["only"] * 20)
    assert set(model.predict(x)) == {"only"}
    assert np.array_equal(model.predict_proba(x), np.ones((20, 1)))
