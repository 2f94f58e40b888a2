"""Daily prices: returns, moving averages, drawdown, volatility, correlation, a portfolio, a month's summary."""

import nd4py as np

days = 260
t = np.arange(days)
prices = np.array([
    100 * np.exp(0.0004 * t + 0.05 * np.sin(t / 9) + 0.02 * np.sin(t * 1.7)),
    60 * np.exp(0.0002 * t + 0.04 * np.sin(t / 9 + 0.5) + 0.03 * np.cos(t * 2.3)),
    30 * np.exp(-0.0001 * t + 0.06 * np.cos(t / 13)),
])  # fmt: skip
print(prices.shape, prices[:, 0].round(3), prices[:, -1].round(3))

returns = prices[:, 1:] / prices[:, :-1] - 1
logs = np.diff(np.log(prices), axis=1)
print(np.round(returns.mean(axis=1) * 252, 4), np.round(logs.std(axis=1, ddof=1) * np.sqrt(252), 4))
print(np.round(np.corrcoef(returns), 4))


def moving_average(x, n):
    total = np.cumsum(np.insert(x, 0, 0.0))
    return (total[n:] - total[:-n]) / n


short, long = moving_average(prices[0], 10), moving_average(prices[0], 30)
short = short[-len(long) :]
print(np.allclose(long, np.convolve(prices[0], np.ones(30) / 30, mode="valid")), long[:3].round(4))
signal = np.where(short > long, 1, -1)
crossings = np.nonzero(np.diff(signal))[0]
print(len(crossings), crossings[:6])
strategy = (signal[:-1] * returns[0, -len(signal) + 1 :]).cumsum()
print(f"{strategy[-1]:.5f} {strategy.min():.5f}")

peak = np.maximum.accumulate(prices, axis=1)
drawdown = prices / peak - 1
worst = drawdown.argmin(axis=1)
print(worst, np.round(drawdown.min(axis=1), 4), [int(prices[i, : w + 1].argmax()) for i, w in enumerate(worst)])

alpha = 2 / (12 + 1)
ema = np.empty(days)
ema[0] = prices[0, 0]
for i in range(1, days):
    ema[i] = alpha * prices[0, i] + (1 - alpha) * ema[i - 1]
print(ema[[1, 50, -1]].round(4))

rolling = np.lib.stride_tricks.sliding_window_view(logs[0], 20).std(axis=-1)
print(rolling.shape, rolling.argmax(), f"{rolling.max():.6f}")

cov = np.cov(returns) * 252
weights = np.linalg.solve(cov, np.ones(3))
weights /= weights.sum()
print(weights.round(4), np.sqrt(weights @ cov @ weights).round(5))
grid = np.array([(a, b, 1 - a - b) for a in np.arange(0, 1.01, 0.1) for b in np.arange(0, 1.01 - a, 0.1)])
risks = np.sqrt(np.einsum("ni,ij,nj->n", grid, cov, grid))
print(len(grid), grid[risks.argmin()].round(2), risks.min().round(5))

beta = np.cov(returns[1], returns[0])[0, 1] / np.var(returns[0], ddof=1)
slope, level = np.polyfit(returns[0], returns[1], 1)
print(round(float(beta), 6), np.isclose(beta, slope))

month = t // 21
means = np.bincount(month, weights=prices[0]) / np.bincount(month)
highs = np.maximum.reduceat(prices[0], np.arange(0, days, 21))
opens, closes = prices[0, ::21], prices[0, 20::21]
print(means[:3].round(3), highs[:3].round(3), opens[:2].round(3), closes[:2].round(3))
print(np.quantile(returns[0], [0.01, 0.05, 0.5]).round(5), (returns[0] < 0).mean().round(4))
gains, losses = np.maximum(returns[0], 0), -np.minimum(returns[0], 0)
rsi = 100 - 100 / (1 + moving_average(gains, 14) / moving_average(losses, 14))
print(rsi[:4].round(3), np.argmax(rsi), np.digitize(rsi, [30, 70])[:5])
saved = 1000 * (1 + 0.04) ** np.arange(1, 4)
print(saved.round(2), np.interp([10.5, 100.25], t, prices[2]).round(4))
