"""Writes tests/model_files/kept with Keras: `python tests/model_files/make_keras_files.py [NAME ...]`.

Each model of `keras_models.KEPT` is written as .keras and .h5, beside NAME.npz with inputs and Keras's outputs.
"""

import sys
from pathlib import Path

import keras_models
import numpy as np

KEPT = Path(__file__).parent / "kept"


def write(name, case):
    """The files of one model."""
    model, inputs = case.made(), case.inputs()
    outputs = keras_models.outputs_of(model, inputs)
    arrays = {f"x{i}": each for i, each in enumerate(inputs)} | {f"y{i}": each for i, each in enumerate(outputs)}
    np.savez_compressed(KEPT / f"{name}.npz", **arrays)
    for suffix in ("keras", "h5"):
        model.save(KEPT / f"{name}.{suffix}")
    print(f"{name}: {sum(path.stat().st_size for path in KEPT.glob(f'{name}.*'))} bytes")


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name, case in keras_models.KEPT.items():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            write(name, case)
