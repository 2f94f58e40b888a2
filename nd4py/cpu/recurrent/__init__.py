"""Recurrent layers and their gradients.

The files, as the build lists them:

- recurrent.pyx: Drivers of recurrent layers and their gradients.
- recurrent_gru.inc: Gated recurrent units, with their gates in the order reset, update, candidate.
- recurrent_loops.h: Loops of recurrent layers of one instruction set, as the Cython driver sees them.
- recurrent_lstm.inc: Long short-term memory, with its gates in the order input, forget, candidate, output.
- recurrent_module.h: Extension module of the recurrent loops.
- recurrent_rows.inc: Rows of sequences that are worked on together, and their product with the recurrent weights.
- recurrent_simple.inc: The simple recurrent layer: h' = f(z + h rw), where f is tanh or max(., 0).
"""
