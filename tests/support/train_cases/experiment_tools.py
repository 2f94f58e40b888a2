"""A logger of metrics and a trial, as tools that keep and search experiments have them."""


class MetricLogger:
    """A logger of metrics, like MLflow's."""

    def log_metrics(self, metrics, step):
        pass


class Trial:
    """A trial of Optuna that goes on."""

    def report(self, value, step):
        pass

    def should_prune(self):
        return False
