"""Modules of PyTorch, exported in memory: what nd4py computes is what they compute."""

import subprocess
import sys

import numpy as np
import pytest
from public_objects import failures

import nd4py as nd

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")


class Scaled(torch.nn.Module):
    """A module whose parts have modes of their own, with arguments of several kinds."""

    def __init__(self):
        super().__init__()
        self.linear, self.norm, self.dropout = torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3), torch.nn.Dropout()

    def forward(self, x, scale=2.0, *, more=None):
        y = self.dropout(self.norm(self.linear(x))) * scale
        return y if more is None else y + more


@pytest.fixture(scope="module")
def module():
    torch.manual_seed(1)
    made = Scaled()
    made.norm.running_mean.uniform_()
    return made


def computed(module, **arguments):
    module.eval()
    with torch.no_grad():
        return module(**arguments).numpy()


def test_values_for_batches_of_other_sizes(module):
    model = nd.torch.from_module(module, (nd.ones((2, 4), dtype="float32"), 3.0))
    for n in (1, 5):
        x = torch.rand(n, 4)
        wanted = computed(module, x=x, scale=3.0)
        for given in (x, x.numpy(), nd.asarray(x.numpy())):
            np.testing.assert_allclose(np.asarray(model.run([given])[0]), wanted, rtol=1e-5, atol=1e-6)


def test_arguments_by_name(module):
    x, more = np.ones((2, 4), "float32"), torch.rand(2, 3)
    model = nd.torch.from_module(module, {"x": x, "more": more})
    assert model.inputs == ("x", "more")
    (y,) = model.run({"more": more, "x": x})
    np.testing.assert_allclose(np.asarray(y), computed(module, x=torch.from_numpy(x), more=more), rtol=1e-5, atol=1e-6)


def test_open_axes_have_the_names_that_are_given():
    model = nd.torch.from_module(torch.nn.Softmax(dim=1), torch.ones(2, 3), dynamic_shapes=({0: "batch", 1: "length"},))
    assert [shape for _, shape in model.tensor_types.values()] == [("batch", "length")] * 2
    fixed = nd.torch.from_module(torch.nn.Softmax(dim=1), torch.ones(2, 3), dynamic_shapes=({},))
    with pytest.raises(ValueError, match=r"takes \(2, 3\)"):
        fixed.run([torch.ones(3, 3)])


def test_a_module_keeps_its_modes(module):
    module.train()
    module.norm.eval()
    nd.torch.from_module(module, torch.ones(2, 4))
    assert (module.training, module.dropout.training, module.norm.training) == (True, True, False)


def test_wrong_arguments(module):
    with pytest.raises(TypeError, match=r"torch\.nn\.Module, got int"):
        nd.torch.from_module(3, torch.ones(2))
    for example in (3, (), {"scale": 2.0}):
        with pytest.raises(TypeError, match="example has no array"):
            nd.torch.from_module(module, example)

    class Random(torch.nn.Module):
        def forward(self, x):
            return x + torch.rand_like(x)

    with pytest.raises(NotImplementedError, match="RandomUniformLike"):
        nd.torch.from_module(Random(), torch.ones(2))


def test_the_example():
    assert failures([("nd4py.torch.from_module", nd.torch.from_module)]) == 0


@pytest.mark.parametrize("package", ["torch", "onnxscript"])
def test_packages_that_are_missing(package):
    program = f"""
import sys
sys.modules[{package!r}] = None
import nd4py as nd
class Module: pass
try:
    import torch
    module, example = torch.nn.ReLU(), torch.ones(2)
except ImportError:
    module = example = Module()
nd.torch.from_module(module, example)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"ImportError: torch.from_module needs {package} (" in result.stderr
    assert "pip install 'nd4py[torch]'" in result.stderr


def test_an_example_that_the_module_does_not_take_is_told():
    with pytest.raises(ValueError, match=r"cannot be called with the example, arrays of \(2, 5\): RuntimeError: .*3x1"):
        nd.torch.from_module(torch.nn.Linear(3, 1), torch.ones(2, 5))
