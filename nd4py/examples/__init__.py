"""Programs that a user of nd4py could have written: `python -m nd4py.examples.<name>`.

The files, as the build lists them:

- character_lstm.py: Teach LSTMs a text, character by character, and let them write.
- command_line.py: What the examples' command lines have in common.
- csv_classifier.py: Learn the classes of the rows of a CSV file.
- digit_autoencoders.py: Learn digits without their labels: an autoencoder that removes noise, and a variational one
  that draws new digits.
- digit_transfer.py: Use what a network has learnt of the digits 0 to 6 to learn 7, 8 and 9 from a few examples.
- extras.py: Import of the optional packages that the examples draw their results with.
- lenet.py: The convolutional network of the handwritten-digits tutorial: 431,080 parameters.
- lenet_digits.py: Train a LeNet on handwritten digits with two workers, and show what it has learnt.
- progress.py: A bar that shows how far the training is, and remembers the scores.
- report.py: Pictures of a training: the score curve above, the misread digits below.
- small_transformer.py: Teach a small transformer a text, in which each character sees those before it, and let it
  write.
- texts.py: Texts as sequences of characters, for networks that write.
- two_tasks.py: One network that learns two things of sequences of different lengths: which digit it is, and how much
  ink there is.
"""
