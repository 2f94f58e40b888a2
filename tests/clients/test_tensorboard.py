"""Event files as TensorBoard itself reads them."""

import io

import numpy as np
import pytest
from PIL import Image

from nd4py import nn, train

accumulators = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


def network():
    layers = [nn.ConvolutionLayer(3, 5, activation="relu"), nn.DenseLayer(6), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(8, 8, 3), updater=nn.Adam(0.01), seed=4)


def examples():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 3, 8, 8)).astype("float32"), np.eye(3, dtype="float32")[rng.integers(0, 3, 40)]


def read(folder):
    found = accumulators.EventAccumulator(str(folder), size_guidance={"images": 0, "histograms": 0, "scalars": 0})
    return found.Reload()


def test_all_that_a_training_writes(tmp_path):
    x, labels = examples()
    net = network()
    listener = train.TensorBoardListener(tmp_path, statistics=2, bins=12)
    history = net.fit(x, labels, epochs=3, batch_size=10, validation_data=(x, labels), listeners=[listener])
    found = read(tmp_path)
    scores = [(each.step, each.value) for each in found.Scalars("score")]
    assert [step for step, _ in scores] == history.iterations
    assert np.allclose([value for _, value in scores], history.iteration_scores)
    assert np.allclose([each.value for each in found.Scalars("epoch/validation_score")], history.validation_scores)
    assert [each.step for each in found.Scalars("ratios/1_W")] == [2, 4, 6, 8, 10, 12]
    for name, values in net.param_table().items():
        last = found.Histograms(f"parameters/{name}")[-1].histogram_value
        assert (last.num, len(last.bucket)) == (values.size, 12)
        assert np.isclose(last.sum, np.asarray(values, dtype="float64").sum())
    assert {tag for tag in found.Tags()["histograms"] if tag.startswith("activations")} == {
        f"activations/{i}" for i in range(2)
    }
    nodes = {node.name: list(node.input) for node in found.Graph().node}
    assert nodes["2_Output/Output"] == ["1_Dense/Dense", "2_Output/W", "2_Output/b"]
    images = found.Images("filters/0_W")
    assert [each.step for each in images] == [4, 8, 12]
    image = Image.open(io.BytesIO(images[-1].encoded_image_string))
    assert (image.mode, image.size) == ("RGB", (images[-1].width, images[-1].height))


def test_steps_of_a_run_that_was_cut_off_come_once(tmp_path):
    x, labels = examples()

    class Failing:
        def iteration_done(self, model, iteration, epoch):
            if iteration == 7:
                raise OSError("cut off")

    def run(*more, **options):
        listeners = [train.CheckpointListener(tmp_path / "saved"), train.TensorBoardListener(tmp_path / "runs"), *more]
        network().fit(x, labels, epochs=3, batch_size=10, listeners=listeners, **options)

    with pytest.raises(OSError, match="cut off"):
        run(Failing())
    (first,) = (tmp_path / "runs").iterdir()
    first.rename(first.with_name(first.name.replace("tfevents.", "tfevents.1")))  # files are read by their seconds
    first = next((tmp_path / "runs").iterdir())
    run(resume_from=tmp_path / "saved")
    assert [each.step for each in read(tmp_path / "runs").Scalars("score")] == list(range(1, 13))
