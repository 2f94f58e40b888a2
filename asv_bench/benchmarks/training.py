"""The LeNet training step, the sum of everything below it."""

from . import N_THREADS, Threaded, lenet


class TimeTraining(Threaded):
    """Forward, backward and update on one batch."""

    params = [[32, 128], N_THREADS]
    param_names = ["batch", "n_threads"]

    def setup(self, batch, n_threads):
        self.step = lenet.nd4py_step(batch)
        self.step()
        self.limit_threads(n_threads)

    def time_step(self, batch, n_threads):
        self.step()
