"""scikit-learn with `array_api_dispatch`: estimators and metrics keep our arrays."""

import numpy as np
import pytest
from compare import assert_same

import nd4py as nd

sklearn = pytest.importorskip("sklearn")

from sklearn import datasets, metrics  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: E402
from sklearn.kernel_approximation import Nystroem  # noqa: E402
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge, RidgeClassifier, RidgeCV  # noqa: E402
from sklearn.mixture import GaussianMixture  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_predict, train_test_split  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import (  # noqa: E402
    Binarizer,
    KernelCenterer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    StandardScaler,
)

X, Y = datasets.load_wine(return_X_y=True)
X = (X - X.mean(0)) / X.std(0)


@pytest.fixture(autouse=True)
def dispatch():
    with sklearn.config_context(array_api_dispatch=True):
        yield


def both(work):
    """The results of the work on NumPy's arrays and on ours."""
    return work(nd.asarray(X), nd.asarray(Y)), work(X, Y)


@pytest.mark.parametrize(
    "estimator",
    [
        StandardScaler(),
        MinMaxScaler(),
        MaxAbsScaler(),
        Normalizer("l2"),
        Binarizer(threshold=0.1),
        PolynomialFeatures(degree=2),
        PCA(n_components=3, svd_solver="full"),
        PCA(n_components=3, svd_solver="covariance_eigh", whiten=True),
        PCA(n_components=3, svd_solver="randomized", power_iteration_normalizer="QR", random_state=0),
        Nystroem(n_components=5, random_state=0, kernel="linear"),
        make_pipeline(StandardScaler(), PCA(n_components=2, svd_solver="full")),
    ],
    ids=str,
)
def test_transformers(estimator):
    got, want = both(lambda x, y: sklearn.base.clone(estimator).fit_transform(x))
    if "PCA" in str(estimator):  # the signs of components are free
        got, want = abs(got), abs(want)
    assert_same(got, want, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "estimator",
    [
        Ridge(solver="svd"),
        RidgeCV(),
        PoissonRegressor(solver="lbfgs"),
    ],
    ids=str,
)
def test_regressors(estimator):
    got, want = both(lambda x, y: sklearn.base.clone(estimator).fit(x, y.astype("float64")).predict(x))
    assert_same(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "estimator",
    [
        RidgeClassifier(solver="svd"),
        LinearDiscriminantAnalysis(solver="svd"),
        GaussianNB(),
        LogisticRegression(solver="lbfgs"),
        GaussianMixture(3, init_params="random", random_state=0, covariance_type="diag"),
    ],
    ids=str,
)
def test_classifiers(estimator):
    got, want = both(lambda x, y: sklearn.base.clone(estimator).fit(x, y).predict(x))
    agreement = np.mean(np.asarray(got) == want)
    assert isinstance(got, nd.NDArray)
    assert agreement == 1.0


def test_label_encoder_and_kernel_centerer():
    assert_same(*both(lambda x, y: LabelEncoder().fit_transform(y)))
    assert_same(*both(lambda x, y: KernelCenterer().fit_transform(x @ x.T)), rtol=1e-6, atol=1e-6)


def test_model_selection():
    got, want = both(lambda x, y: train_test_split(x, y, stratify=y, random_state=0))
    assert_same(got, want)
    got, want = both(lambda x, y: cross_val_predict(GaussianNB(), x, y, cv=3))
    assert_same(got, want)
    got, want = both(
        lambda x, y: (
            GridSearchCV(Ridge(solver="svd"), {"alpha": [0.1, 1.0, 10.0]}, cv=3).fit(x, y.astype("float64")).best_score_
        )
    )
    assert_same(got, want)


CLASSIFICATION = [
    metrics.accuracy_score,
    metrics.balanced_accuracy_score,
    metrics.zero_one_loss,
    metrics.cohen_kappa_score,
    metrics.confusion_matrix,
    metrics.hamming_loss,
    metrics.matthews_corrcoef,
    lambda y, guess: metrics.f1_score(y, guess, average="macro"),
    lambda y, guess: metrics.precision_score(y, guess, average="weighted"),
    lambda y, guess: metrics.recall_score(y, guess, average="micro"),
    lambda y, guess: metrics.jaccard_score(y, guess, average="macro"),
]


@pytest.mark.parametrize("metric", CLASSIFICATION, ids=lambda f: f.__name__)
def test_classification_metrics(metric):
    guess = np.where(np.arange(Y.size) % 7 == 0, 0, Y)
    assert_same(metric(nd.asarray(Y), nd.asarray(guess)), metric(Y, guess), is_ours=False)


REGRESSION = [
    metrics.mean_squared_error,
    metrics.mean_absolute_error,
    metrics.root_mean_squared_error,
    metrics.mean_absolute_percentage_error,
    metrics.mean_squared_log_error,
    metrics.max_error,
    metrics.median_absolute_error,
    metrics.r2_score,
    metrics.explained_variance_score,
    metrics.d2_tweedie_score,
    metrics.mean_pinball_loss,
]


@pytest.mark.parametrize("metric", REGRESSION, ids=lambda f: f.__name__)
def test_regression_metrics(metric):
    labels, guess = np.abs(X[:, 0]) + 0.5, np.abs(X[:, 0] + 0.1 * X[:, 1]) + 0.4
    assert_same(metric(nd.asarray(labels), nd.asarray(guess)), metric(labels, guess), is_ours=False)


def test_curves():
    is_first, score = (Y == 0).astype("int64"), X[:, 0]
    for curve in (metrics.roc_curve, metrics.roc_auc_score):
        assert_same(curve(nd.asarray(is_first), nd.asarray(score)), curve(is_first, score), is_ours=False)


@pytest.mark.parametrize("name", ["cosine", "euclidean", "linear", "rbf", "polynomial", "sigmoid", "chi2", "manhattan"])
def test_pairwise(name):
    kind = "pairwise_distances" if name in ("cosine", "euclidean", "manhattan") else "pairwise_kernels"
    x = np.abs(X)
    got = getattr(metrics.pairwise, kind)(nd.asarray(x), metric=name)
    assert_same(got, getattr(metrics.pairwise, kind)(x, metric=name), atol=1e-6)


def test_estimators_that_coerce():
    """These call NumPy inside: they take our arrays and give NumPy's."""
    from sklearn.cluster import KMeans
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    with sklearn.config_context(array_api_dispatch=False):
        for estimator in (SVC(), KNeighborsClassifier(), RandomForestClassifier(random_state=0), KMeans(3, n_init=1)):
            estimator.random_state = 0
            got, want = both(lambda x, y, estimator=estimator: sklearn.base.clone(estimator).fit(x, y).predict(x))
            assert_same(got, want, is_ours=False)
