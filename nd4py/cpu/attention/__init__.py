"""Attention and its gradient.

The files, as the build lists them:

- attention.pyx: Drivers of attention and its gradient.
- attention_blocks.inc: Blocks of attention: some queries times some keys at a time.
- attention_forward.inc: Forward pass of attention.
- attention_gradient.inc: Gradient of attention.
- attention_loops.h: Loops of attention of one instruction set, as the Cython driver sees them.
- attention_module.h: Extension module of the attention loops.
"""
