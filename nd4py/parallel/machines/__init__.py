"""Past one machine: training and inference on the workers of a Dask cluster.

The files, as the build lists them:

- dask_trainer.py: DaskTrainer: training on the machines of a Dask cluster, averaged now and then.
- partitions.py: Partitions: tasks that read one part of the data each, as a list of batches.
- shard_rounds.py: Rounds: which batches each shard trains on between two averagings.
- shard_training.py: The tasks of a round: training on a shard, and adding what the shards have made.
- task_runners.py: Who computes tasks: the workers of a Dask cluster, or this process, one task after another.
"""

from .dask_trainer import DaskRound, DaskTrainer

__all__ = ["DaskRound", "DaskTrainer"]
