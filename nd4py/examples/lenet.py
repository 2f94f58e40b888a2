"""The convolutional network of the handwritten-digits tutorial: 431,080 parameters.

Source: LeCun, Bottou, Bengio, Haffner, "Gradient-based learning applied to document recognition", 1998.
"""

from nd4py import nn


def lenet(seed=123):
    """Two convolutions with pooling, a dense layer, ten classes; trained with Nesterov momentum.

    features: (batch, 784), rows of 28 x 28 pixels    output: (batch, 10)
    """
    return nn.MultiLayerNetwork(
        layers=[
            nn.ConvolutionLayer(kernel_size=(5, 5), stride=(1, 1), n_out=20, activation="identity"),
            nn.SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            nn.ConvolutionLayer(kernel_size=(5, 5), stride=(1, 1), n_out=50, activation="identity"),
            nn.SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            nn.DenseLayer(n_out=500, activation="relu"),
            nn.OutputLayer(n_out=10, activation="softmax", loss="negative_log_likelihood"),
        ],
        input_type=nn.InputType.convolutional_flat(28, 28, 1),
        updater=nn.Nesterovs(0.01, 0.9),
        weight_init="xavier",
        l2=5e-4,
        seed=seed,
    )
