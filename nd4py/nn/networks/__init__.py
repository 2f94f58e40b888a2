"""Networks: their configuration, the steps of training, workspaces, graphs and files.

The files, as the build lists them:

- archive.py: The file format of networks: a zip of plain text and plain numbers.
- batches.py: Batches as `fit` and `evaluate` accept them.
- configuration.py: The configuration of a network: frozen data that JSON can hold.
- memory_report.py: The memory a network needs, estimated before it is trained.
- model.py: Model: the base class of networks, with parameters in one flat vector, updater state, counters and
  listeners.
- multilayer.py: MultiLayerNetwork: a stack of layers.
- network_graphs.py: The graphs of what a network computes for small batches, where Python takes much of the time.
- stages.py: A stack of layers on an input type: the inputs and parameters of each layer.
- summary.py: The summary of a network as a table of text.
- workspaces.py: Workspaces of a network: one for each kind of array.
"""
