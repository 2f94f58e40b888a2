"""Settings of the process: configuration, workspaces, deferral, gradients.

The files, as the build lists them:

- batched_functions.py: vmap: a function of one example as a function of many, which are computed at once.
- build_configuration.py: The configuration of this build and of this process.
- capture.py: Graphs: the launches of a function, recorded once and repeated without Python.
- commit.py: Changes that happen as a whole or not at all, on every device.
- custom_gradients.py: Functions that state their own gradient, or compute again what their gradient reads.
- deferral_control.py: Control of deferred operations: combine, flush, synchronize, explain, and their counters.
- derivatives.py: Derivatives of functions with many results: products with vectors, and matrices of partial
  derivatives.
- floating_errors.py: seterr, geterr and errstate: NumPy's settings for floating-point errors.
- function_recordings.py: Functions run once on an example, and the operations that they ran noted.
- gradients.py: Gradients of functions of arrays.
- help_texts.py: What is known of a name, a function or an array, as text: `nd4py.info`.
- inspection.py: The array API's inspection of the namespace: its devices, dtypes and capabilities.
- operation_records.py: Operations that a profile has seen: one that ran, and what those of a name have in common.
- panic_modes.py: Panic: an error at the operation that makes NaN or infinity.
- profiling.py: Profiles: which operations a program runs, how long they take, what they read and write, and in which
  layouts.
- program_picture.py: A picture of a program of deferred operations.
- structures.py: Nested tuples, named ones too, lists, dicts and dataclasses, as arguments and results of functions of
  functions.
- text_options.py: How arrays are printed: set_printoptions, array2string and their like.
- workspace_scopes.py: Workspaces: arenas for the arrays of a scope.
"""
