"""Data-parallel training, and inference for many callers and models at a time.

The files, as the build lists them:

- averaging.py: The mean of the flat vectors of several models, written to all of them.
- checkpointed_rounds.py: What `ParallelWrapper.fit` needs to go on from a checkpoint: its batches, and what its workers
  have of their own.
- exact_sizes.py: Which batches give each of their rows the bits that the row has alone.
- given_batches.py: Batches that trainers are given: data sets, or pairs of features and labels.
- gradient_sharing.py: Shared gradients: at every step the workers take each other's gradients, or updates of few
  numbers, into account.
- inference.py: ParallelInference: the outputs of one network for many callers at a time.
- listening.py: Listeners of a model that others train: called once for all of them, and not by each replica.
- machines/: Past one machine: training and inference on the workers of a Dask cluster.
- model_queue.py: The requests for one model: those that wait, how they are computed together, and what became of them.
- model_server.py: ModelServer: the outputs of many networks in one process, by one team of threads.
- model_service.py: The calls of one model that a team of threads answers: output, submit, update.
- processes/: Processes that compute in place of threads, with the parameters of models in memory that they share.
- requests.py: Requests: the inputs of one call, and the answer that somebody waits for.
- rounds.py: Rounds of training: one batch for each worker, and the answers in the order of the rounds.
- service_settings.py: Settings of a model that answers requests.
- service_statistics.py: Statistics of a model that answers requests: counts, sizes of batches, and a histogram of
  latencies.
- team.py: A team of threads that computes the requests for one or many models.
- threshold_encoding.py: Updates as few numbers: elements of at least a threshold as that threshold, the rest kept for
  later.
- worker.py: A worker thread that trains its own replica of a model.
- wrapper.py: Data-parallel training: replicas on different batches, averaged now and then, or with shared gradients.
"""

from .averaging import average, average_and_propagate
from .inference import ParallelInference
from .machines import DaskInference, DaskRound, DaskTrainer
from .model_server import ModelServer
from .requests import ClosedError, QueueFullError
from .service_statistics import ServiceStatistics
from .threshold_encoding import (
    AdaptiveThresholdAlgorithm,
    EncodedUpdate,
    FixedThresholdAlgorithm,
    ResidualClippingPostProcessor,
    TargetSparsityThresholdAlgorithm,
    ThresholdAlgorithm,
    threshold_encode,
)
from .wrapper import ParallelWrapper

__all__ = [
    "AdaptiveThresholdAlgorithm",
    "ClosedError",
    "DaskInference",
    "DaskRound",
    "DaskTrainer",
    "EncodedUpdate",
    "FixedThresholdAlgorithm",
    "ModelServer",
    "ParallelInference",
    "ParallelWrapper",
    "QueueFullError",
    "ResidualClippingPostProcessor",
    "ServiceStatistics",
    "TargetSparsityThresholdAlgorithm",
    "ThresholdAlgorithm",
    "average",
    "average_and_propagate",
    "threshold_encode",
]
