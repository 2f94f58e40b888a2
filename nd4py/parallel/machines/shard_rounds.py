"""Rounds: which batches each shard trains on between two averagings."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """The batches `start` to `stop` of a part."""

    part: int
    start: int
    stop: int


def dealt(n_batches, n_shards):
    """The parts of each shard, in order: each goes to the shard with the fewest batches so far.

    n_batches: of each part; parts without any are left out
    """
    shards: list[list[int]] = [[] for _ in range(n_shards)]
    totals = [0] * n_shards
    for part, n in enumerate(n_batches):
        if n:
            fewest = min(range(n_shards), key=totals.__getitem__)
            shards[fewest].append(part)
            totals[fewest] += n
    return shards


def rounds_of(n_batches, n_shards, frequency):
    """The rounds of an epoch: for each of them {shard: its pieces}, of up to `frequency` batches, without idle shards.

    n_batches: of each part
    """
    shards = [list(_rounds_of_shard(parts, n_batches, frequency)) for parts in dealt(n_batches, n_shards)]
    return [
        {shard: rounds[number] for shard, rounds in enumerate(shards) if number < len(rounds)}
        for number in range(max(map(len, shards)))
    ]


def _rounds_of_shard(parts, n_batches, frequency):
    """The pieces of each round of one shard."""
    pieces, missing = [], frequency
    for part in parts:
        start = 0
        while start < n_batches[part]:
            stop = min(n_batches[part], start + missing)
            pieces.append(Piece(part, start, stop))
            missing -= stop - start
            start = stop
            if not missing:
                yield pieces
                pieces, missing = [], frequency
    if pieces:
        yield pieces
