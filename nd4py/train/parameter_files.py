"""Parameters of networks as safetensors files, which other libraries read and write."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from nd4py import api as nd
from nd4py.api.arguments import instance
from nd4py.nn import Model

FORMAT = "safetensors"


def save_parameters(network: Model, path: str | os.PathLike[str], *, metadata: Mapping[str, str] | None = None) -> None:
    """Write the parameters of `network` by their names, as in `network.param_table()`, to a safetensors file.

    metadata: texts by name that go into the file too
    Running means and variances are among the parameters; the configuration, counters and the updater's state are not.
    A file that was there before stays whole until the new one is complete.
    Raises TypeError for anything but a network, path and texts, OSError where the file cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> train.save_parameters(net, "net.safetensors")
    >>> sorted(nd.load("net.safetensors"))
    ['0_W', '0_b']
    """
    arrays = instance("save_parameters: network", network, Model).param_table()
    nd.save(path, {name: nd.asarray(x, device="cpu") for name, x in arrays.items()}, format=FORMAT, metadata=metadata)


def load_parameters(network: Model, path: str | os.PathLike[str]) -> None:
    """Set the parameters of `network` from a safetensors file, which must have all of them and no others.

    Values of other floating dtypes are converted.  All parameters are set, or where anything is wrong none.
    Raises ValueError where names or shapes do not fit or the file is damaged, TypeError for anything but a network and
    a path and for values that are no real floating numbers, OSError when the file cannot be opened.

    >>> layers, rows = [nn.OutputLayer(2)], nn.InputType.feed_forward(4)
    >>> net = nn.MultiLayerNetwork(layers, input_type=rows, seed=1)
    >>> train.save_parameters(net, "net.safetensors")
    >>> other = nn.MultiLayerNetwork(layers, input_type=rows, seed=2)
    >>> train.load_parameters(other, "net.safetensors")
    >>> nd.array_equal(other.params(), net.params())
    array(True, dtype=bool)
    """
    wanted = instance("load_parameters: network", network, Model).param_table()
    found = nd.load(Path(path), format=FORMAT)
    if found.keys() != wanted.keys():
        absent, unknown = sorted(wanted.keys() - found.keys()), sorted(found.keys() - wanted.keys())
        raise ValueError(
            f"load_parameters: {path} has other parameters than the network; it lacks {absent[:10]}, and has "
            f"{unknown[:10]} that the network has not"
        )
    for name, own in wanted.items():
        if found[name].shape != own.shape:
            raise ValueError(
                f"load_parameters: {name} of {path} has shape {found[name].shape}, that of the network {own.shape}"
            )
        if not nd.isdtype(found[name].dtype, "real floating"):
            raise TypeError(
                f"load_parameters: {name} of {path} is {found[name].dtype}, floating numbers are needed; convert it "
                "before it is saved"
            )
    network.set_params(nd.concat([nd.astype(found[name], own.dtype).reshape(-1) for name, own in wanted.items()]))
