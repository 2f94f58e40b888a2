"""A bar that shows how far the training is, and remembers the scores."""

import time

from nd4py import train

from .extras import extra


class ProgressBar(train.TrainingListener):
    """Score, samples per second and the wait for data, while a network trains.

    n_iterations: how many will be done, for the length of the bar
    scores: the score of every iteration so far
    """

    def __init__(self, n_iterations):
        self._bar = extra("tqdm").tqdm(total=n_iterations, desc="training", unit="iteration", ncols=110)
        self._start, self._end = time.perf_counter(), None
        self._n_samples = 0
        self._waited_ms = 0.0
        self.scores = []

    @property
    def seconds(self):
        """How long the training has taken, until `close`."""
        return (self._end or time.perf_counter()) - self._start

    @property
    def samples_per_second(self):
        """How many examples were trained per second, from the start."""
        return self._n_samples / self.seconds

    @property
    def etl_ms(self):
        """How long an iteration has waited for its batches, on average."""
        return self._waited_ms / max(1, len(self.scores))

    def iteration_done(self, model, iteration, epoch):
        self.scores.append(model.score_value)
        self._n_samples += model.last_batch_size
        self._waited_ms += model.last_etl_ms
        self._bar.set_postfix_str(
            f"score {model.score_value:.4f}, {self.samples_per_second:,.0f} samples/s, ETL {self.etl_ms:.1f} ms",
            refresh=False,
        )
        self._bar.update()

    def close(self):
        """Stop the clock and leave the bar on the screen."""
        self._end = time.perf_counter()
        self._bar.close()
