"""Networks trained beside PyTorch's: ten steps from the same parameters, on the same batches."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")
DOUBLE = {"dtype": torch.float64}
UPDATERS = {
    "Nesterovs": (nn.Nesterovs(0.05), lambda p: torch.optim.SGD(p, 0.05, 0.9, nesterov=True)),
    "Adam": (nn.Adam(0.01), lambda p: torch.optim.Adam(p, 0.01)),
}


def images():
    """(Our layers, the type of their input, their modules, a batch of features)."""
    ours = [
        nn.ConvolutionLayer(3, 4, padding=1, activation="relu"),
        nn.BatchNormalization(decay=0.9),
        nn.SubsamplingLayer("max", 2, 2),
        nn.DepthwiseConvolution2D(2, activation="elu"),
        nn.DenseLayer(6, "tanh"),
        nn.OutputLayer(3),
    ]
    theirs = torch.nn.Sequential(
        torch.nn.Conv2d(2, 4, 3, padding=1, **DOUBLE), torch.nn.ReLU(), torch.nn.BatchNorm2d(4, **DOUBLE),
        torch.nn.MaxPool2d(2, 2), torch.nn.Conv2d(4, 4, 2, groups=4, **DOUBLE), torch.nn.ELU(), torch.nn.Flatten(),
        torch.nn.Linear(16, 6, **DOUBLE), torch.nn.Tanh(), torch.nn.Linear(6, 3, **DOUBLE),
    )  # fmt: skip
    return ours, nn.InputType.convolutional(6, 6, 2), theirs, (8, 2, 6, 6)


def rows():
    """The same of a network over rows, with norms of layers and penalties."""
    ours = [nn.DenseLayer(7, "gelu"), nn.LayerNormalization(), nn.DenseLayer(5, "swish"), nn.OutputLayer(3)]
    theirs = torch.nn.Sequential(
        torch.nn.Linear(4, 7, **DOUBLE), torch.nn.GELU(), torch.nn.LayerNorm(7, **DOUBLE),
        torch.nn.Linear(7, 5, **DOUBLE), torch.nn.SiLU(), torch.nn.Linear(5, 3, **DOUBLE),
    )  # fmt: skip
    return ours, nn.InputType.feed_forward(4), theirs, (8, 4)


def copy_parameters(net, modules, into_theirs):
    """Our parameters into theirs, or [(name, ours, theirs)] of all of them."""
    weighted = [module for module in modules if list(module.parameters())]
    named = [name for name, _ in net.param_table().items()]
    prefixes = list(dict.fromkeys(name.rpartition("_")[0] for name in named))
    assert len(prefixes) == len(weighted)
    pairs = []
    for prefix, module in zip(prefixes, weighted, strict=True):
        is_norm = isinstance(module, torch.nn.BatchNorm2d | torch.nn.LayerNorm)
        for theirs_name, ours_name in (("weight", "gamma" if is_norm else "W"), ("bias", "beta" if is_norm else "b")):
            ours, theirs = np.asarray(net.param_table()[f"{prefix}_{ours_name}"]), getattr(module, theirs_name)
            ours = ours.T if isinstance(module, torch.nn.Linear) and theirs_name == "weight" else ours
            if into_theirs:
                with torch.no_grad():
                    theirs[:] = torch.tensor(np.array(ours).reshape(theirs.shape))
            pairs.append((f"{prefix} {ours_name}", ours, theirs.detach().numpy()))
    return pairs


@pytest.mark.parametrize("updater", UPDATERS)
@pytest.mark.parametrize("make", [images, rows])
def test_ten_steps(make, updater):
    layers, given, modules, shape = make()
    ours, theirs = UPDATERS[updater]
    net = nn.MultiLayerNetwork(layers, input_type=given, updater=ours, seed=5, dtype="float64")
    copy_parameters(net, modules, True)
    optimizer = theirs(modules.parameters())
    rng = np.random.default_rng(0)
    for _ in range(10):
        x, classes = rng.normal(size=shape), rng.integers(0, 3, shape[0])
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(modules(torch.tensor(x)), torch.tensor(classes))
        loss.backward()
        optimizer.step()
        score = net.fit_batch(nd.asarray(x), nd.asarray(np.eye(3)[classes]))
        np.testing.assert_allclose(float(score), loss.item(), rtol=1e-8)
    for name, found, want in copy_parameters(net, modules, False):
        np.testing.assert_allclose(found.reshape(want.shape), want, rtol=1e-6, atol=1e-8, err_msg=name)
    running = [module.running_mean.numpy() for module in modules if isinstance(module, torch.nn.BatchNorm2d)]
    means = [np.asarray(value) for name, value in net.param_table().items() if name.endswith("_mean")]
    assert len(means) == len(running)
    for found, want in zip(means, running, strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-8)
