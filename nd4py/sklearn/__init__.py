"""Networks as estimators of scikit-learn.

The files, as the build lists them:

- network_classifier.py: NetworkClassifier: a network that says classes.
- network_estimator.py: NetworkEstimator: what the estimators that train a network have in common.
- network_regressor.py: NetworkRegressor: a network that says numbers.
- network_transformer.py: NetworkTransformer: features that a network learns by making its input again.
"""

try:
    import sklearn as _scikit_learn
except ImportError as error:
    raise ImportError("nd4py.sklearn needs scikit-learn: pip install 'nd4py[sklearn]'") from error

from .network_classifier import NetworkClassifier
from .network_regressor import NetworkRegressor
from .network_transformer import NetworkTransformer

__all__ = ["NetworkClassifier", "NetworkRegressor", "NetworkTransformer"]
