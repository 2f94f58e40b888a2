"""Networks: their configuration, the steps of training, workspaces, graphs and files.

The files, as the build lists them:

- archive.py: The file format of networks: a zip of plain text and plain numbers.
- batch_loss.py: LossOfBatch: the loss of a batch and its gradient with respect to the parameters that are trained.
- batches.py: Batches as `fit` and `evaluate` accept them.
- checked_batches.py: Checks of batches: shapes, dtypes and masks that fit a network's inputs and outputs.
- computation_graph.py: ComputationGraph: layers and vertices that read each other, with any number of inputs and
  outputs.
- configuration.py: The configurations of networks: frozen data that JSON can hold.
- forward.py: The forward pass through the stages of a network, with masks and the state of sequences.
- frames.py: Frames of pandas and polars, tables of Arrow, and columns of them, as arrays of numbers.
- gradient_check.py: Gradient checks: the gradient of a network's score against central differences.
- memory_report.py: The memory a network needs, estimated before it is trained.
- model.py: Model: the base class of networks, with parameters in one flat vector, updater state, counters and
  listeners.
- multilayer.py: MultiLayerNetwork: a stack of layers.
- network.py: Network: training, scores and outputs, alike for every kind of network.
- network_graphs.py: The graphs of what a network computes for small batches, where Python takes much of the time.
- pretraining.py: Pretraining: layers trained alone, on losses of their own and without labels.
- running_values.py: Running values: what layers keep of the batches they have seen, and means over a data set in their
  place.
- settings.py: Settings that every kind of network has, and those of them that layers take over.
- snapshot.py: Snapshots: the parameters of a network as they were, for outputs that many threads ask for at a time.
- stages.py: Stages: the layers and vertices of a network in the order they are computed in, with what each reads and
  makes.
- summary.py: The summary of a network as a table of text.
- time_steps.py: SequenceNetwork: sequences that come step by step, with the state of recurrent layers between calls.
- transfer/: Transfer learning: new networks from trained ones, and training behind frozen layers.
- update.py: One step of the updaters: which updater changes which part of the flat vector, and constraints.
- workspaces.py: Workspaces of a network: one for each kind of array.
"""
