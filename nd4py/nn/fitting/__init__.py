"""Fitting: `fit` of networks: its data, its place in them, what it measures and how it ends.

The files, as the build lists them:

- example_weights.py: What `fit` makes of its data: the share that validates, and how much each example counts.
- history.py: History: what a run of training has measured, for each iteration and each epoch.
- keyboard.py: Ctrl-C in training: it ends between two steps.
- other_names.py: What other libraries call the methods of networks, and what takes their place.
- progress_bar.py: Progress of training in a terminal.
- resuming.py: Checkpoints: networks in a folder with their place in a run of training, from the newest of which
  training goes on.
- sources.py: Sources: what `fit` is given, as the batches of each epoch in an order that can be found again.
- trainable.py: TrainableModel: `fit` and `predict` of networks.
- training_run.py: TrainingRun: one call of `fit`, epoch by epoch, with its place in the data.
"""
