"""Early stopping: training that ends when a condition says so, and gives back the best network.

The files, as the build lists them:

- patience.py: EarlyStopping: a listener that ends `fit` when a score has not improved for some epochs.
- savers.py: Savers: where early stopping keeps the best network, and the latest.
- scoring.py: Score calculators: what early stopping compares networks by.
- stopping_conditions.py: Conditions that end early-stopping training, after epochs and after iterations.
- trainer.py: EarlyStoppingTrainer: trains epoch by epoch until a condition ends it, and gives back the best network.
"""
