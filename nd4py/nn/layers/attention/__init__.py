"""Attention between the steps of sequences, and embeddings of whole numbers.

The files, as the build lists them:

- embedding.py: Embeddings: whole numbers as rows of a table.
- multi_head_attention.py: Attention of the steps of a sequence to each other, in several heads.
- positions.py: Layers that tell attention where in a sequence a step stands.
- projections.py: What layers of attention have in common: heads, and masks of keys.
- recurrent_attention.py: RecurrentAttentionLayer: a recurrent layer whose state asks all steps of the input.
- self_attention.py: Self-attention as Deeplearning4j has it: of the steps to each other, or to learned queries.
- transformer_encoder.py: TransformerEncoderLayer: attention and a feed-forward network, each with a residual
  connection.
"""
