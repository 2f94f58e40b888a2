"""Networks as ONNX graphs: for each kind of layer and vertex the nodes that compute the same.

The files, as the build lists them:

- activation_writers.py: Activations as nodes.
- attention_writers.py: Attention, encoders made of it, and positions.
- convolution_writers.py: Convolutions, and layers that change the sizes of images, volumes and sequences.
- dense_writers.py: Layers of elements and rows: dense ones, embeddings, activations, and those that only act in
  training.
- graph_writer.py: A graph that is being written: nodes, constants, and the names of their values.
- layer_writers.py: The function that writes each kind of layer or vertex, and layers that hold another one.
- normalization_writers.py: Normalizations.
- pooling_writers.py: Pooling over windows and over all places.
- recurrent_writers.py: Recurrent layers, and what is made of them.
- vertex_writers.py: Vertices of graphs of layers.
- written_layer.py: A layer that is being written: its settings, its weights, and what it reads.
"""
