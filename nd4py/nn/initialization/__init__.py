"""Initial weights: initializers by name, and distributions.

The files, as the build lists them:

- distributions.py: Distributions that weights may be drawn from, such as `weight_init=Uniform(-0.1, 0.1)`.
- initializers.py: Weight initializers by name, and `Distribution`s with settings.
"""
