"""Past one machine: training and inference on the workers of a Dask cluster.

The files, as the build lists them:

- dask_inference.py: DaskInference: the outputs of a network for the partitions of a dask collection.
- dask_trainer.py: DaskTrainer: training on the machines of a Dask cluster, averaged now and then.
- inside_tasks.py: What tasks know of the process that they run in, and how values of the driver reach them.
- partitions.py: Partitions: tasks that read one part of the data each, as a list of batches.
- shard_rounds.py: Rounds: which batches each shard trains on between two averagings.
- shard_training.py: The tasks of a round: training on a shard, and adding what the shards have made.
- task_runners.py: Who computes tasks: the workers of a Dask cluster, or this process, one task after another.
"""

from .dask_inference import DaskInference
from .dask_trainer import DaskRound, DaskTrainer

__all__ = ["DaskInference", "DaskRound", "DaskTrainer"]
