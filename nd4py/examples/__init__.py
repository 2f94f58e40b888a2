"""Programs that a user of nd4py could have written: `python -m nd4py.examples.<name>`.

The files, as the build lists them:

- extras.py: Import of the optional packages that the examples draw their results with.
- lenet.py: The convolutional network of the handwritten-digits tutorial: 431,080 parameters.
- lenet_digits.py: Train a LeNet on handwritten digits with two workers, and show what it has learnt.
- progress.py: A bar that shows how far the training is, and remembers the scores.
- report.py: Pictures of a training: the score curve above, the misread digits below.
"""
