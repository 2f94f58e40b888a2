"""Models that Keras has saved, as networks: read without Keras, and without running anything in the file.

The files, as the build lists them:

- call_arguments.py: Arguments of the calls of layers in functional models: which tensors of which other calls they are.
- counterparts/: Layers, vertices, activations and updaters that Keras has and `nn` has not, of which loaded networks
  may be made.
- described_layers.py: Layers and models as files describe them: names, classes, settings, shapes of inputs and dtypes.
- graph_builder.py: GraphBuilder: the vertices of a graph as they are found in a file, with what each computes and
  needs.
- loading.py: Models of Keras files as networks.
- model_graphs.py: Sequential and functional models as graphs: which layer is applied to what, also of models in models.
- optimizer_settings.py: Optimizers and learning rates of Keras as updaters and schedules.
- saved_models.py: Files of Keras models: their kind, the description of the model, and the weights that its layers
  need.
- settings_reader.py: Settings of layers as a file has them: looked up by name, and checked for what they should be.
- stored_weights.py: Weights as HDF5 files have them, read without following links out of the file, or running filters.
- training_settings.py: How a model was compiled: its optimizer, and losses for its outputs.
- translations/: Layers of Keras by their class names: what makes the same of nd4py's layers, and which weights it
  needs.
"""

try:
    import h5py as _h5py
except ImportError as error:
    raise ImportError("nd4py.keras needs h5py: pip install 'nd4py[keras]'") from error

from .counterparts import CLASSES
from .loading import load

__all__ = ["CLASSES", "load"]
