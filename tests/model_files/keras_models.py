"""Models of Keras for the tests: those that are kept as files, and those that are compared where Keras is installed."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "torch")

import keras
import numpy as np
from keras import layers


@dataclass(frozen=True)
class Case:
    """A model and inputs for it.

    model: makes it    words: how many words its inputs are numbers of, None for inputs of floats
    padding: of sequences: the share of steps that is 0    compiled: the arguments of `compile`, None without
    """

    model: Callable[[], Any]
    words: int | None = None
    padding: float = 0.0
    compiled: Callable[[], dict[str, Any]] | None = None

    def made(self):
        """The model, with weights that are far from those that it starts with."""
        keras.utils.clear_session()
        model, rng = self.model(), np.random.default_rng(11)
        for weight in model.weights:
            if "seed" in weight.path or np.dtype(weight.dtype).kind != "f":
                continue
            values = rng.normal(0.0, 0.4, weight.shape)
            weight.assign(np.abs(values) + 0.5 if "variance" in weight.path else values)
        if self.compiled is not None:
            model.compile(**self.compiled())
        return model

    def inputs(self):
        """A batch of three examples."""
        rng, found = np.random.default_rng(12), []
        for tensor in self.model().inputs:
            shape = (3, *(size or 5 for size in tensor.shape[1:]))
            if self.words is not None:
                found.append(rng.integers(0, self.words, shape).astype("int32"))
                continue
            values = rng.normal(size=shape)
            if self.padding:
                values *= rng.random((*shape[:2], 1)) > self.padding
            found.append(values.astype("float32"))
        return found


def outputs_of(model, inputs):
    """What Keras makes of inputs, as a list of NumPy's arrays."""
    outputs = model(inputs if len(inputs) > 1 else inputs[0], training=False)
    return [keras.ops.convert_to_numpy(each) for each in keras.tree.flatten(outputs)]


def stack(shape, *chain):
    """A Sequential of layers, each given by a function or as it is."""

    def made():
        return keras.Sequential([keras.Input(shape), *(each() for each in chain)])

    return made


def dense():
    return stack((4,), lambda: layers.Dense(5, "relu"), lambda: layers.Dense(3, "softmax"))()


def images():
    """Convolutions of all kinds, a block that weighs channels, and a sum."""
    x = keras.Input((9, 8, 3))
    y = layers.ZeroPadding2D(((0, 1), (1, 0)))(x)
    y = layers.Conv2D(4, 3, 2, padding="same", use_bias=False)(y)
    y = layers.ReLU(6.0)(layers.BatchNormalization(scale=False)(y))
    weight = layers.GlobalAveragePooling2D(keepdims=True)(y)
    weight = layers.Dense(4, "sigmoid")(layers.Dense(2, "swish")(weight))
    z = layers.Multiply()([y, weight])
    z = layers.SeparableConv2D(4, 3, padding="same", depth_multiplier=2)(z)
    z = layers.Add()([layers.DepthwiseConv2D(3, padding="same")(z), y])
    z = layers.Concatenate()([z, y])
    return keras.Model(x, [layers.Dense(3, "softmax")(layers.Flatten()(z)), z])


def twins():
    """A model applied to two inputs, a layer applied to what it made itself, and merges."""
    inner = keras.Sequential([keras.Input((5,)), layers.Dense(4, "tanh"), layers.Dense(3)], name="inner")
    again = layers.Dense(3, name="again")
    a, b = keras.Input((5,), name="a"), keras.Input((5,), name="b")
    u, v = inner(a), inner(b)
    merged = [layers.Subtract()([u, v]), layers.Minimum()([again(u), again(v)]), layers.Maximum()([again(again(u)), v])]
    merged += [layers.Average()([u, v, v]), layers.Dot(1, normalize=True)([u, v])]
    return keras.Model([a, b], layers.Dense(2)(layers.Concatenate()(merged)))


def models_in_models():
    """A model of two outputs inside another, applied twice."""
    i = keras.Input((4, 4, 2))
    inner = keras.Model(i, [layers.Conv2D(3, 2)(i), layers.Flatten()(i)], name="inner")
    x = keras.Input((4, 4, 2))
    p, q = inner(x)
    r, s = inner(layers.Conv2D(2, 1)(x))
    return keras.Model(x, [layers.Flatten()(p), q, r, layers.Dense(3)(s)])


def volumes():
    chain = [layers.Conv3D(3, 2, padding="same"), layers.MaxPooling3D(2), layers.Flatten(), layers.Dense(2)]
    return keras.Sequential([keras.Input((4, 5, 4, 2)), *chain])


def steps():
    chain = [layers.Conv1D(4, 3, dilation_rate=2, padding="causal"), layers.LayerNormalization()]
    chain += [layers.PReLU(shared_axes=[1]), layers.GlobalMaxPooling1D(), layers.Dense(2)]
    return keras.Sequential([keras.Input((None, 3)), *chain])


def words():
    chain = [layers.Embedding(9, 4, mask_zero=True), layers.Dense(3), layers.GlobalAveragePooling1D(), layers.Dense(2)]
    return keras.Sequential([keras.Input((None,)), *chain])


def sequences():
    """Both directions over steps with padding."""
    chain = [layers.Masking(), layers.Bidirectional(layers.LSTM(3, return_sequences=True)), layers.GRU(2)]
    return keras.Sequential([keras.Input((None, 3)), *chain])


def learning():
    """Settings of training."""
    rate = keras.optimizers.schedules.CosineDecay(0.01, 100)
    return {"optimizer": keras.optimizers.AdamW(rate), "loss": keras.losses.CategoricalCrossentropy()}


def attention():
    """A block of a transformer between two sequences."""
    x, y = keras.Input((None, 4)), keras.Input((5, 4))
    seen = layers.MultiHeadAttention(2, 3)(x, y)
    seen = layers.LayerNormalization()(layers.Add()([x, seen]))
    return keras.Model([x, y], layers.AdditiveAttention()([seen, layers.Attention(use_scale=True)([x, y])]))


KEPT = {
    "attention": Case(attention),
    "compiled": Case(dense, compiled=learning),
    "sequences": Case(sequences, padding=0.4),
    "dense": Case(dense),
    "images": Case(images),
    "twins": Case(twins),
    "models_in_models": Case(models_in_models),
    "volumes": Case(volumes),
    "steps": Case(steps),
    "words": Case(words, words=9),
}
