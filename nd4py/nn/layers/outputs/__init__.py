"""Output layers: what ends a network with a loss.

The files, as the build lists them:

- center_loss.py: CenterLossOutputLayer: an output layer that draws the inputs of a class together.
- detection.py: Objects that were detected in images.
- loss_layers.py: Layers that are a loss and an activation alone: of rows, of the steps of sequences, of the places of
  images.
- loss_scored.py: LossScoredLayer: the base class of layers whose score is a loss of the values before their activation.
- one_class.py: OCNNOutputLayer: an output layer that tells what is like the examples of the training from what is not.
- output.py: Dense layers with a loss: of rows, and of every step of a sequence.
- yolo.py: Yolo2OutputLayer: the loss of object detection on a grid, and the objects that its output says there are.
"""
