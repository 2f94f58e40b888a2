"""The models of the zoo: the literature's numbers of parameters and sizes, and a step of training on small inputs."""

import math

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, zoo
from nd4py.zoo.zoo_model import kind_of

# Parameters that are learnt, as the papers, their authors' code or the copies in PyTorch and Keras count them.
PARAMETERS = [
    (zoo.LeNet(), 431_080),
    (zoo.AlexNet(), 60_965_224),
    (zoo.VGG16(), 138_357_544),
    (zoo.ResNet50(), 25_557_032),
    (zoo.SqueezeNet(), 1_235_496),
    (zoo.Darknet19(), 20_842_376),
    (zoo.TinyYOLO(), 15_861_773),
    (zoo.UNet(), 31_030_593),
    (zoo.Xception(), 22_855_952),
    (zoo.InceptionResNetV1(n_classes=8631), 23_482_624 + (512 + 1) * 8631),
]
# The channels, height and width of what the last layers read, for the images of the papers.
LAST_IMAGES = [
    (zoo.AlexNet(), (256, 6, 6)),
    (zoo.VGG16(), (512, 7, 7)),
    (zoo.ResNet50(), (2048, 7, 7)),
    (zoo.SqueezeNet(n_classes=10), (10, 13, 13)),
    (zoo.Darknet19(n_classes=10), (10, 7, 7)),
    (zoo.TinyYOLO(), (125, 13, 13)),
    (zoo.UNet(), (1, 512, 512)),
    (zoo.Xception(), (2048, 10, 10)),
    (zoo.InceptionResNetV1(n_classes=2), (1792, 3, 3)),
]


def image(size, channels=3):
    return nn.InputType.convolutional(size, size, channels)


SMALL = {
    "LeNet": zoo.LeNet(n_classes=3, input_type=image(16, 1)),
    "AlexNet": zoo.AlexNet(n_classes=3, input_type=image(67)),
    "VGG16": zoo.VGG16(n_classes=3, input_type=image(32)),
    "ResNet50": zoo.ResNet50(n_classes=3, input_type=image(32)),
    "SqueezeNet": zoo.SqueezeNet(n_classes=3, input_type=image(32)),
    "Darknet19": zoo.Darknet19(n_classes=3, input_type=image(32)),
    "Xception": zoo.Xception(n_classes=3, input_type=image(71)),
    "InceptionResNetV1": zoo.InceptionResNetV1(n_classes=3, input_type=image(75)),
}


def name_of(value):
    return type(value).__name__ if isinstance(value, zoo.ZooModel) else None


def stages(model):
    configuration = model.configuration()
    return kind_of(configuration).stages_of(configuration)


@pytest.mark.parametrize("model, wanted", PARAMETERS, ids=name_of)
def test_numbers_of_parameters(model, wanted):
    assert model.num_params() == wanted


def test_numbers_of_parameters_of_sequences():
    def lstm(n_in, n):
        return 4 * n * (n_in + n + 1)

    model = zoo.TextGenerationLSTM(n_characters=77)
    assert model.num_params() == lstm(77, 256) + lstm(256, 256) + (256 + 1) * 77
    bert = zoo.TransformerEncoder(vocabulary_size=30_522, n_classes=2, n_units=768, n_layers=12, n_heads=12)
    assert bert.num_params() == (30_522 + 512 + 2) * 768 + 12 * 7_087_872 + (768 + 1) * 2


@pytest.mark.parametrize("model, wanted", LAST_IMAGES, ids=name_of)
def test_sizes_of_images(model, wanted):
    assert [stage.output.dimensions for stage in stages(model) if len(stage.output.dimensions) == 3][-1] == wanted


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SMALL)
def test_a_step_of_training(name):
    model, rng = SMALL[name], np.random.default_rng(1)
    net = model.init(seed=3)
    assert type(net).from_configuration(net.configuration).num_params() == net.num_params()
    assert type(net.configuration).from_json(net.configuration.to_json()) == net.configuration
    x, labels = nd.asarray(rng.normal(size=(2, *model.input_type.shape)), dtype="float32"), nd.one_hot([0, 2], 3)
    before = np.array(net.params())
    assert math.isfinite(float(net.fit_batch(x, labels)))
    assert bool(nd.all(nd.isfinite(net.params())))
    assert (np.asarray(net.params()) != before).any()
    y = net.output(x)
    assert y.shape == (2, 3)
    np.testing.assert_allclose(np.asarray(nd.sum(y, axis=1)), 1.0, rtol=1e-5)


def test_digits_are_learnt():
    x, labels = digits(256)
    net = zoo.LeNet(input_type=nn.InputType.convolutional_flat(28, 28, 1)).init(seed=1)
    before = net.score((x, labels))
    for _ in range(30):
        net.fit_batch(x, labels)
    assert net.score((x, labels)) < 0.5 * before


def digits(n):
    """Rows of 28 x 28 pixels with a bar whose place is the class."""
    rng = np.random.default_rng(0)
    classes = np.arange(n) % 10
    x = rng.normal(scale=0.1, size=(n, 28, 28)).astype("float32")
    for i, number in enumerate(classes):
        x[i, 2 + 2 * number] += 1.0
    return nd.asarray(x.reshape(n, -1)), nd.one_hot(nd.asarray(classes), 10)


def test_pixels_have_classes():
    rng = np.random.default_rng(2)
    x = nd.asarray(rng.normal(size=(1, 1, 16, 16)), dtype="float32")
    for n_classes, labels in ((1, x > 0), (2, nd.concat([x > 0, x <= 0], axis=1))):
        net = zoo.UNet(n_classes=n_classes, input_type=image(16, 1)).init(seed=1)
        assert math.isfinite(float(net.fit_batch(x, nd.astype(labels, "float32"))))
        assert net.output(x).shape == (1, n_classes, 16, 16)


def test_boxes_of_objects():
    net = zoo.TinyYOLO(n_classes=2, input_type=image(64), anchors=((1.0, 1.0), (2.0, 1.0))).init(seed=1)
    x = nd.asarray(np.random.default_rng(3).normal(size=(1, 3, 64, 64)), dtype="float32")
    labels = np.zeros((1, 4 + 2, 2, 2), "float32")
    labels[0, :, 0, 1] = (1.1, 0.2, 1.9, 0.9, 0, 1)
    assert math.isfinite(float(net.fit_batch(x, nd.asarray(labels))))
    assert net.output(x).shape == (1, 2 * (5 + 2), 2, 2)


def test_a_text_is_written_on():
    text = "abcd" * 30
    numbers = nd.asarray([ord(letter) - ord("a") for letter in text])
    x, labels = nd.one_hot(numbers[None, :-1], 4), nd.one_hot(numbers[None, 1:], 4)
    net = zoo.TextGenerationLSTM(n_characters=4, n_units=16).init(seed=1)
    for _ in range(60):
        net.fit((x, labels))
    letter, written = nd.one_hot([0], 4), ""
    for _ in range(8):
        number = int(nd.argmax(net.rnn_time_step(letter)))
        written += "abcd"[number]
        letter = nd.one_hot([number], 4)
    assert written == "bcdabcda"


def test_the_order_of_words_counts():
    rng = np.random.default_rng(5)
    words = rng.integers(0, 5, size=(64, 6))
    classes = (words[:, 0] > words[:, -1]).astype("int64")  # the same words in another order have another class
    model = zoo.TransformerEncoder(
        vocabulary_size=5, n_classes=2, n_units=16, n_layers=2, n_heads=2, max_length=8, dropout_rate=0.0
    )
    net = model.init(seed=1, updater=nn.Adam(3e-3))
    for _ in range(150):
        net.fit_batch(nd.asarray(words), nd.one_hot(nd.asarray(classes), 2))
    found = np.asarray(nd.argmax(net.output(nd.asarray(words)), axis=1))
    assert (found == classes).mean() > 0.9


def test_embeddings_have_length_one():
    net = zoo.InceptionResNetV1(n_classes=3, embedding_size=16, input_type=image(75)).init(seed=1)
    x = nd.asarray(np.random.default_rng(4).normal(size=(2, 3, 75, 75)), dtype="float32")
    lengths = np.asarray(nd.linalg.vector_norm(net.feed_forward(x)["embeddings"], axis=1))
    np.testing.assert_allclose(lengths, 1.0, rtol=1e-5)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: zoo.VGG16(input_type=image(16)).init(), ValueError, "the kernel is larger than the padded input"),
        (lambda: zoo.LeNet(input_type=(1, 28, 28)), TypeError, "LeNet: input_type"),
        (lambda: zoo.ResNet50(input_type=7), TypeError, "ResNet50: input_type"),
        (lambda: zoo.LeNet(n_classes=0), ValueError, "LeNet: n_classes must be a whole number"),
        (lambda: zoo.ResNet50(n_classes=0), ValueError, "ResNet50: n_classes must be a whole number"),
        (lambda: zoo.LeNet().init(learning_rate=3), TypeError, "the learning rate is one of the updater"),
        (lambda: zoo.ZooModel().init(), NotImplementedError, "take one of the models"),
        (lambda: zoo.TinyYOLO(anchors=3).init(), TypeError, "anchors"),
    ],
)
def test_wrong_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("size", [(33, 48), (48, 33), (8, 16)])
def test_unet_tells_which_sizes_of_images_it_takes(size):
    with pytest.raises(ValueError, match=r"multiples of 16, given \d+ x \d+; pad the images to (48 x 48|16 x 16)"):
        zoo.UNet(input_type=nn.InputType.convolutional(*size, 1)).init()
