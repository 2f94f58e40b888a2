"""Layers over sequences that carry a state from step to step, and layers around them.

The files, as the build lists them:

- bidirectional.py: Bidirectional: a recurrent layer in both directions.
- gru.py: Gated recurrent units.
- last_time_step.py: LastTimeStep: of a layer's sequences, the last step.
- lstm.py: Long short-term memory.
- masking.py: Layers that apply and make masks.
- recurrent_layer.py: RecurrentLayer: the base class of layers that carry a state from step to step.
- repeat_vector.py: RepeatVector: rows as sequences.
- simple_rnn.py: Simple recurrence.
- time_distributed.py: TimeDistributed: a layer on every step of sequences.
"""
