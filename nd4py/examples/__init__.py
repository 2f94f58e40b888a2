"""Programs that a user of nd4py could have written: `python -m nd4py.examples.<name>`."""
