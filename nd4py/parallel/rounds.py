"""Rounds of training: one batch for each worker, and the answers in the order of the rounds.

Design: until the workers are averaged none of them needs another, so where nobody looks in between they are given the
batches of the next rounds before all have ended this one.  A worker that is slow in one round catches up in the next,
and none waits for the thread that hands out.  Which worker gets which batch stays the same, and so do all results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from queue import SimpleQueue
from typing import Any, NamedTuple

from .gradient_sharing import Meetings

# Rounds that workers may begin while one is not over: two even out steps that take longer now and then, and few are
# left to be done when a training is stopped.
MOST_AHEAD = 2


class Answer(NamedTuple):
    """What a worker says of a batch: the score, how many steps its model has made since it was made, or an error."""

    number: int
    round: int
    score: Any = None
    iteration_count: int = 0
    error: BaseException | None = None


class Round(NamedTuple):
    """A round that is over: batches and scores in the order of the workers, and the steps of the first worker."""

    batches: Sequence[Any]
    scores: Sequence[Any]
    iteration_count: int


def trained_rounds(
    team: Sequence[Any], rounds: Iterable[Any], *, together: int, ahead: int, is_stopping: Callable[[], bool]
) -> Iterator[Round]:
    """Train a team on lists of batches, one list a round.  Yields each round when it is over, in their order.

    together: after so many rounds none is under way when they are yielded, so that models can be averaged
    ahead: rounds that may begin before the one that is yielded next is over    is_stopping: whether to begin no more
    Raises what a worker raises, at once.
    """
    answers: SimpleQueue[Answer] = SimpleQueue()
    source, n_begun = iter(rounds), 0
    del rounds
    try:
        while True:
            begun: deque[_Begun] = deque()
            n_before = n_begun
            for batches in islice(source, together):
                begun.append(_Begun(team, batches, n_begun, answers))
                n_begun += 1
                if len(begun) > ahead:
                    yield _ended(begun, answers)
                    if is_stopping():
                        break
            while begun:
                yield _ended(begun, answers)
            if n_begun - n_before < together or is_stopping():
                return
    finally:
        del source  # an error, which refers to this frame, keeps no thread that reads ahead


class _Begun:
    """A round under way."""

    def __init__(self, team, batches, number, answers):
        self.batches, self.number = batches, number
        self.scores = [None] * len(batches)
        self.n_missing, self.iteration_count = len(batches), 0
        if team[0].exchange is not None:
            meetings = Meetings(range(len(batches)))
            for worker in team:
                worker.exchange.meetings = meetings
        for worker_number, (worker, batch) in enumerate(zip(team, batches, strict=False)):
            worker.train(batch, Answer(worker_number, number), answers)

    def take(self, answer):
        self.scores[answer.number] = answer.score
        self.n_missing -= 1
        if answer.number == 0:
            self.iteration_count = answer.iteration_count


def _ended(begun, answers):
    """The first of the rounds under way, when it is over, and no longer among them."""
    while begun[0].n_missing:
        answer = answers.get()
        if answer.error is not None:
            try:
                raise answer.error  # without waiting for the others
            finally:
                del answer  # which refers to this frame
        begun[answer.round - begun[0].number].take(answer)
    ended = begun.popleft()
    return Round(ended.batches, ended.scores, ended.iteration_count)
