"""Layers that can be trained alone, on how well they make their input again.

The files, as the build lists them:

- autoencoder.py: AutoEncoder: a dense layer that learns to make its input again from part of it.
- pretrained_layer.py: PretrainedLayer: the base class of layers that have a loss of their own for pretraining.
- reconstruction.py: What a variational autoencoder says of its input: a normal distribution, or one of bits.
- variational_autoencoder.py: VariationalAutoencoder: an encoder and a decoder with a distribution between them.
"""
