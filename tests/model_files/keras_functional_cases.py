"""Functional models of Keras: shared layers, models in models, several inputs and outputs, masks, channels in front."""

import keras
import numpy as np
from keras import layers, ops
from keras_models import Case

Input, Model = keras.Input, keras.Model
FIRST = {"data_format": "channels_first"}


def siamese():
    a, b = Input((8, 8, 1), name="left"), Input((8, 8, 1), name="right")
    chain = [layers.Conv2D(4, 3, activation="relu"), layers.MaxPooling2D(2), layers.Flatten(), layers.Dense(5)]
    encoder = keras.Sequential([Input((8, 8, 1)), *chain], name="encoder")
    u, v = encoder(a), encoder(b)
    distance = ops.sqrt(ops.sum(ops.square(u - v), axis=1, keepdims=True) + 1e-7)
    return Model([a, b], [layers.Dense(1, activation="sigmoid")(distance), layers.Dot(axes=1, normalize=True)([u, v])])


def shared_layer():
    x = Input((6,))
    again, y = layers.Dense(6, "tanh"), x
    for _ in range(4):
        y = again(y) + x
    return Model(x, y)


def several_inputs_and_outputs():
    a, b, c = Input((4,)), Input((6, 3)), Input((5, 5, 2))
    images = layers.GlobalAveragePooling2D()(layers.Conv2D(3, 2)(c))
    found = layers.Concatenate()([layers.Dense(3)(a), layers.GRU(4)(b), images])
    return Model([a, b, c], [layers.Dense(2, "softmax")(found), layers.Dense(1)(found), found])


def dicts_of_tensors():
    """Keras lists what is in dicts by its names."""
    a, b = Input((4,), name="a"), Input((4,), name="b")
    return Model({"a": a, "b": b}, {"s": layers.Add()([a, b]), "d": layers.Dense(2)(layers.Subtract()([a, b]))})


def images_with_channels_first():
    x = Input((3, 9, 8))
    y = layers.Conv2D(4, 3, padding="same", use_bias=False, **FIRST)(x)
    y = layers.ReLU()(layers.BatchNormalization(axis=1)(y))
    y = layers.Add()([y, layers.Conv2D(4, 3, padding="same", **FIRST)(y)])
    y = layers.UpSampling2D(2, **FIRST)(layers.MaxPooling2D(2, **FIRST)(y))
    y = layers.Cropping2D(1, **FIRST)(layers.ZeroPadding2D(2, **FIRST)(y))
    y = layers.SeparableConv2D(4, 2, **FIRST)(layers.DepthwiseConv2D(3, **FIRST)(y))
    y = layers.Conv2DTranspose(3, 2, **FIRST)(y)
    resized = [layers.Resizing(8, 9, **FIRST)(x), layers.Resizing(4, 9, interpolation="nearest", **FIRST)(x)]
    found = [layers.GlobalMaxPooling2D(**FIRST)(y), layers.Flatten(**FIRST)(y), layers.AveragePooling2D(2, **FIRST)(y)]
    return Model(x, [*found, *resized, layers.CenterCrop(3, 4, **FIRST)(x)])


def steps_with_channels_first():
    x = Input((3, 10))
    y = layers.MaxPooling1D(2, **FIRST)(layers.Conv1D(4, 3, padding="same", **FIRST)(x))
    found = [layers.GlobalAveragePooling1D(**FIRST)(y), layers.AveragePooling1D(2, **FIRST)(y)]
    found += [layers.Conv1DTranspose(2, 3, strides=2, **FIRST)(y), layers.SeparableConv1D(3, 2, **FIRST)(y)]
    return Model(x, found)


def masks_through_layers():
    x = Input((None,))
    y = layers.Dropout(0.1)(layers.Embedding(7, 4, mask_zero=True)(x))
    y = layers.Activation("tanh")(layers.LayerNormalization()(y))
    y = layers.TimeDistributed(layers.Dense(5))(y)
    y = layers.Add()([y, layers.Dense(5)(y)])
    y = layers.Bidirectional(layers.GRU(3, return_sequences=True))(y)
    return Model(x, [layers.LSTM(4)(y), layers.GlobalAveragePooling1D()(y), layers.LSTM(2, return_sequences=True)(y)])


def activations_of_layers():
    x, y = Input((5,)), Input((4, 6))
    kinds = (keras.activations.gelu, "swish", layers.LeakyReLU(0.1), layers.ReLU(3.0, 0.1, 0.2), layers.ELU(0.7))
    found = [layers.Dense(3, activation=kind)(x) for kind in kinds]
    found += [layers.PReLU()(y), layers.Softmax(axis=1)(y), layers.Softmax(axis=[1, 2])(y)]
    return Model([x, y], [*found, layers.Activation(keras.activations.softsign)(y)])


def stateful():
    """From the zeros that it begins with."""
    x = Input(batch_shape=(3, 5, 4))
    y = layers.LSTM(3, stateful=True, return_sequences=True)(x)
    y = layers.GRU(3, stateful=True, return_sequences=True)(y)
    y = layers.SimpleRNN(3, stateful=True, return_sequences=True)(y)
    return Model(x, layers.Bidirectional(layers.LSTM(2, stateful=True))(y))


def convolutional_recurrence_both_ways():
    x, y, z = Input((4, 6, 5, 2)), Input((4, 6, 2)), Input((4, 2, 6, 5))
    steps = {"padding": "same", "return_sequences": True}
    found = [layers.Bidirectional(layers.ConvLSTM2D(3, 3, **steps))(x)]
    found += [layers.Bidirectional(layers.ConvLSTM2D(2, 2), merge_mode="sum")(x)]
    found += [layers.Bidirectional(layers.ConvLSTM1D(3, 3, return_sequences=True))(y)]
    found += [layers.Bidirectional(layers.ConvLSTM1D(3, 3), merge_mode="ave")(y)]
    found += layers.Bidirectional(layers.ConvLSTM1D(3, 3, return_sequences=True), merge_mode=None)(y)
    found += [layers.ConvLSTM2D(3, 3, **steps, **FIRST)(z), layers.ConvLSTM2D(3, 3, **FIRST)(z)]
    return Model([x, y, z], found)


def convolutional_recurrence_with_states():
    x, y, z = Input((4, 6, 5, 2)), Input((4, 6, 2)), Input((4, 2, 6, 5))
    options, steps = {"padding": "same", "return_state": True}, {"padding": "same", "return_sequences": True}
    found = []
    for given, kind, more in ((x, layers.ConvLSTM2D, {}), (y, layers.ConvLSTM1D, {}), (z, layers.ConvLSTM2D, FIRST)):
        first = kind(3, 3, **options, **more)(given)
        found += [*first, kind(3, 2, go_backwards=True, **steps, **more)(given, initial_state=first[1:])]
        found += kind(3, 3, **steps, return_state=True, **more)(given, initial_state=first[1:])
    return Model([x, y, z], found)


def spectral_normalization():
    x = Input((6, 6, 2))
    y = layers.Flatten()(layers.SpectralNormalization(layers.Conv2D(3, 3))(x))
    twice = layers.SpectralNormalization(layers.Dense(4, "relu", use_bias=False), power_iterations=2)
    return Model(x, twice(layers.SpectralNormalization(layers.Dense(4))(y)))


def grouped_queries():
    q, k = Input((6, 8)), Input((5, 8))
    found = [layers.GroupQueryAttention(4, 6, 2)(q, k), layers.GroupQueryAttention(4, 4, 4)(q, k, k)]
    found += [
        layers.GroupQueryAttention(4, 6, 2, use_gate=True)(q, k),
        layers.MultiHeadAttention(2, 3, use_gate=True)(q, k),
    ]
    return Model([q, k], [*found, layers.GroupQueryAttention(4, 6, 1, use_bias=False)(q, q, use_causal_mask=True)])


def grouped_queries_of_words():
    x = Input((None,))
    y = layers.Embedding(6, 8, mask_zero=True)(x)
    return Model(x, layers.GroupQueryAttention(4, 6, 2)(y, y))


def masks_of_pairs():
    """Which query sees which key, and the weights of the keys."""
    q, m = Input((6, 8)), Input((6, 6))
    attention = layers.MultiHeadAttention(2, 4)
    seen = ops.maximum(m, 0) + 1
    y, weights = layers.MultiHeadAttention(2, 4)(q, q, attention_mask=seen, return_attention_scores=True)
    return Model([q, m], [attention(q, q, attention_mask=ops.abs(m) > 0.5), y, weights])


def sizes_of_transposed_convolutions():
    x, s, v = Input((5, 6, 2)), Input((7, 3)), Input((3, 4, 3, 2))
    same = {"padding": "same"}
    found = [layers.Conv2DTranspose(3, 3, strides=2, output_padding=1)(x)]
    found += [layers.Conv2DTranspose(3, 3, strides=2, output_padding=(0, 1), **same)(x)]
    found += [layers.Conv2DTranspose(3, (4, 3), strides=(3, 2), output_padding=0, **same)(x)]
    found += [layers.Conv2DTranspose(3, 3, dilation_rate=2)(x), layers.Conv2DTranspose(3, 2, strides=3)(x)]
    found += [layers.Conv2DTranspose(3, 3, dilation_rate=(1, 2), **same)(x)]
    found += [layers.Conv2DTranspose(3, 1, strides=2, activation="relu", **same)(x)]
    found += [layers.Conv1DTranspose(3, 3, strides=2, output_padding=1)(s), layers.Conv1DTranspose(3, 2, strides=3)(s)]
    found += [layers.Conv1DTranspose(3, 3, strides=2, output_padding=0, **same)(s)]
    found += [layers.Conv3DTranspose(2, 3, strides=2, output_padding=1, **same)(v)]
    found += [layers.Conv3DTranspose(2, 2, strides=2, output_padding=1, use_bias=False)(v)]
    return Model([x, s, v], found)


def resizing():
    x = Input((8, 9, 3))
    found = [layers.Resizing(3, 4, antialias=True)(x), layers.Resizing(11, 4, antialias=True)(x)]
    found += [layers.Resizing(3, 4, antialias=True, interpolation="bicubic")(x)]
    found += [layers.Resizing(8, 4, crop_to_aspect_ratio=True)(x), layers.Resizing(8, 4, pad_to_aspect_ratio=True)(x)]
    return Model(x, found)


def mel_spectrograms():
    x = Input((2000,))
    sizes = {"fft_length": 256, "sampling_rate": 8000, "num_mel_bins": 20}
    other = {"sequence_length": 200, "power_to_db": False, "mag_exp": 1.0, "window": "hamming", "max_freq": 3000}
    found = [layers.MelSpectrogram(sequence_stride=64, **sizes)(x)]
    return Model(x, [*found, layers.MelSpectrogram(sequence_stride=100, **sizes, **other)(x)])


def vision_transformer():
    """Places of patches are a constant in the file."""
    x = Input((8, 8, 3))
    y = layers.Reshape((4, 8))(layers.Conv2D(8, 4, 4)(x)) + layers.Embedding(4, 8)(ops.arange(4))
    for _ in range(2):
        seen = layers.LayerNormalization(epsilon=1e-6)(y)
        y = y + layers.MultiHeadAttention(2, 4)(seen, seen)
        y = y + layers.Dense(8)(layers.Dense(16, "gelu")(layers.LayerNormalization(epsilon=1e-6)(y)))
    return Model(x, layers.Dense(3)(y[:, 0]))


def sequence_to_sequence():
    x, y = Input((6, 4)), Input((5, 3))
    coded, h, c = layers.LSTM(4, return_sequences=True, return_state=True)(x)
    steps = layers.LSTM(4, return_sequences=True)(y, initial_state=[h, c])
    both = layers.Concatenate()([steps, layers.Attention()([steps, coded])])
    forth, back = layers.Bidirectional(layers.LSTM(3, return_sequences=True), merge_mode=None)(x)
    return Model([x, y], [layers.TimeDistributed(layers.Dense(3, "softmax"))(both), forth, back])


def further_functions():
    x, y = Input((4, 6)), Input((4, 6))
    found = [ops.sort(x, axis=-1), ops.argsort(x, axis=-1), ops.roll(x, 1, axis=1), ops.cumprod(x, axis=1)]
    found += [ops.take_along_axis(x, ops.argsort(x, axis=1), axis=1), ops.hard_sigmoid(x), ops.nan_to_num(x)]
    found += [ops.where(ops.logical_and(x > 0, y > 0), x, 0.0), ops.triu(ops.matmul(x, ops.transpose(y, (0, 2, 1))))]
    found += [x + ops.reshape(ops.arange(6, dtype="float32"), (1, 1, 6)), ops.cast(3 * x, "int32") + 0.5 * y]
    return Model([x, y], found)


def statistics_and_products():
    x, y = Input((4, 6)), Input((4, 6))
    found = [ops.median(x, axis=1), ops.quantile(x, 0.3, axis=2, keepdims=True), ops.average(x, axis=1)]
    found += [*ops.top_k(x, 3), *ops.moments(x, axes=[1]), ops.diagonal(x, axis1=1, axis2=2)]
    found += [ops.tensordot(x, np.ones((6, 2), "float32"), axes=1)]
    found += [ops.all(x > -1, axis=1), ops.any(x > 1, axis=2), ops.isnan(x), ops.logical_or(x > 0, y > 0)]
    found += [ops.take(x, [0, 2], axis=1), ops.round(x), ops.logaddexp(x, y), ops.dot(x, np.ones((6, 2), "float32"))]
    return Model([x, y], [layers.Dense(2)(ops.cast(each, "float32")) for each in found])


def functions_of_axes():
    x = Input((5, 6, 4))
    scaled = layers.Rescaling([1.0, 2.0, 3.0, 4.0], offset=[0.0, 1.0, 2.0, 3.0])(x)
    found = [layers.UnitNormalization(axis=(1, 2))(x), layers.UnitNormalization(axis=1)(x)]
    found += [layers.Activation("glu")(x), layers.Activation(keras.activations.sparsemax)(x)]
    return Model(x, [scaled, *found, layers.Rescaling(0.5, offset=[1.0, 2.0, 3.0, 4.0])(x)])


def low_rank_additions():
    x = Input((5,))
    rows = layers.Dense(6, lora_rank=2)
    rows.build((None, 5))
    for weights in (rows.lora_kernel_a, rows.lora_kernel_b):
        weights.assign(np.linspace(-1, 1, np.prod(weights.shape)).reshape(weights.shape))
    return Model(x, rows(x))


def constants_in_the_file():
    x, table = Input((4,)), np.arange(12, dtype="float32").reshape(4, 3) / 7
    found = [ops.matmul(x, table), x * np.float32([1, 2, 3, 4]), ops.where(x > 0, x, np.ones(4, "float32"))]
    return Model(x, [*found, ops.add(np.ones(4, "float32"), x), ops.maximum(x, ops.zeros(4)), x - np.float32(2)])


def without_weights():
    x = Input((4, 5, 6))
    found = [layers.Permute((3, 1, 2))(x), layers.Reshape((2, 60))(x), layers.Cropping2D(((1, 1), (2, 0)))(x)]
    return Model(x, [*found, layers.AveragePooling2D(2)(x), layers.Rescaling(0.5)(x)])


WORDS = {"masks_through_layers": 7, "grouped_queries_of_words": 6}
MODELS = (
    *(siamese, shared_layer, several_inputs_and_outputs, dicts_of_tensors, images_with_channels_first),
    *(steps_with_channels_first, masks_through_layers, activations_of_layers, stateful),
    convolutional_recurrence_with_states,
    *(convolutional_recurrence_both_ways, spectral_normalization, grouped_queries, grouped_queries_of_words),
    *(masks_of_pairs, sizes_of_transposed_convolutions, resizing, mel_spectrograms, vision_transformer),
    *(sequence_to_sequence, further_functions, statistics_and_products, functions_of_axes, low_rank_additions),
    *(constants_in_the_file, without_weights),
)
FUNCTIONAL = {model.__name__: Case(model, words=WORDS.get(model.__name__)) for model in MODELS}


def of_half_precision(model):
    """The model, made where layers compute in float16 and have their weights in float32."""

    def made():
        keras.mixed_precision.set_global_policy("mixed_float16")
        try:
            return model()
        finally:
            keras.mixed_precision.set_global_policy("float32")

    return made


def classes_of_images():
    """The last layer computes in float32, as is usual."""
    x = Input((12, 12, 3))
    y = layers.MaxPooling2D()(layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(8, 3)(x))))
    y = layers.Dense(16, "relu")(layers.Flatten()(y))
    return Model(x, [y, layers.Dense(5, "softmax", dtype="float32")(y)])


def block_of_a_transformer():
    x = Input((6, 8))
    y = layers.LayerNormalization()(x)
    y = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(y, y))
    y = layers.Dense(16, "gelu")(y)
    return Model(x, [y, layers.Softmax()(y), layers.Dense(3, dtype="float32")(y)])


def sequences_of_half_precision():
    x = Input((6, 8))
    y = layers.LSTM(5, return_sequences=True)(x)
    return Model(x, [y, layers.GRU(4)(y), layers.Dense(3, "sigmoid", dtype="float32")(y)])


def normalizations():
    x = Input((6, 8))
    kinds = [layers.BatchNormalization(), layers.LayerNormalization(), layers.GroupNormalization(2)]
    return Model(x, [kind(x) for kind in (*kinds, layers.RMSNormalization(), layers.UnitNormalization())])


HALF = {
    model.__name__: Case(of_half_precision(model))
    for model in (classes_of_images, block_of_a_transformer, sequences_of_half_precision, normalizations)
}
