"""Texts as sequences of characters, for networks that write."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import nd4py as nd
from nd4py import data

SEQUENCE = 100
TEST_SHARE = 0.1
DEFAULT = Path(random.__file__)


@dataclass(frozen=True)
class Text:
    """A text, cut into sequences of 100 characters.

    characters: those that it has    train, test: its first nine tenths and the rest; labels are the next characters
    """

    characters: tuple[str, ...]
    train: data.DataSet
    test: data.DataSet

    def __str__(self):
        n_train, n_test = self.train.num_examples() * SEQUENCE, self.test.num_examples() * SEQUENCE
        return f"{n_train:,} characters to learn, {n_test:,} to test, {len(self.characters)} different ones"


def read(path, *, is_one_hot):
    """A text file; its features are one-hot, or the numbers of the characters.

    Raises ValueError for a text that is too short.
    """
    text = path.read_text(encoding="utf-8")
    characters = tuple(sorted(set(text)))
    places = {character: number for number, character in enumerate(characters)}
    numbers = np.asarray([places[character] for character in text])
    n_train = int(len(numbers) * (1 - TEST_SHARE))
    if len(numbers) - n_train <= SEQUENCE:
        raise ValueError(f"{path}: more than {int(SEQUENCE / TEST_SHARE)} characters are needed, given {len(text)}")
    parts = [sequences(part, len(characters), is_one_hot) for part in (numbers[:n_train], numbers[n_train:])]
    return Text(characters, *parts)


def sequences(numbers, n_characters, is_one_hot):
    """The numbers of characters in sequences, and as labels, one-hot, the character behind each."""
    n = (len(numbers) - 1) // SEQUENCE * SEQUENCE
    here, behind = (nd.asarray(part.reshape(-1, SEQUENCE)) for part in (numbers[:n], numbers[1 : n + 1]))
    return data.DataSet(nd.one_hot(here, n_characters) if is_one_hot else here, nd.one_hot(behind, n_characters))


def bits(net, examples):
    """The mean of -log2 of the probability that the network gives the next character."""
    return float(net.score(examples)) / SEQUENCE / math.log(2)


def learn(net, text, batch, epochs, seed):
    """Train a network, and print at the start and at the end how many bits a character takes it."""
    batches = data.ArrayDataSetIterator(text.train.features, text.train.labels, batch, seed)
    for epoch in range(epochs):
        net.fit(batches)
        if epoch in (0, epochs - 1):
            print(
                f"epoch {epoch + 1:3}: {bits(net, text.train):.2f} bits a character, "
                f"{bits(net, text.test):.2f} of the text that was held out"
            )


def written(net, characters, length, seed, *, is_one_hot):
    """Text that the network writes, one character drawn after another by the probabilities that it gives."""
    rng = np.random.default_rng(seed)
    number, found = characters.index("\n") if "\n" in characters else 0, []
    net.rnn_clear_previous_state()
    for _ in range(length):
        step = net.rnn_time_step(nd.one_hot([number], len(characters)) if is_one_hot else nd.asarray([[number]]))
        chances = np.asarray(step, dtype="float64").ravel()
        number = rng.choice(len(characters), p=chances / chances.sum())
        found.append(characters[number])
    return "".join(found)
