"""Statistics by hand: running means, quantiles, a regression, a bootstrap, ranks."""

import numpy as np
from jit import jit


@jit
def moments(x):
    n, mean, m2, m3 = 0, 0.0, 0.0, 0.0
    for value in x:
        n += 1
        delta = value - mean
        step = delta / n
        m3 += delta * step * (n - 1) * (delta - step) * (n - 2) / n - 3 * step * m2
        m2 += delta * step * (n - 1)
        mean += step
    return mean, m2 / (n - 1), m3 / n / (m2 / n) ** 1.5


@jit
def rolling(x, width):
    out = np.empty(len(x) - width + 1)
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        if i >= width:
            total -= x[i - width]
        if i >= width - 1:
            out[i - width + 1] = total / width
    return out


@jit
def regression(x, y):
    n = len(x)
    sx = sy = sxx = sxy = 0.0
    for i in range(n):
        sx += x[i]
        sy += y[i]
        sxx += x[i] * x[i]
        sxy += x[i] * y[i]
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return slope, (sy - slope * sx) / n


@jit
def bootstrap(x, picks):
    means = np.empty(picks.shape[0])
    for i in range(picks.shape[0]):
        total = 0.0
        for j in range(picks.shape[1]):
            total += x[picks[i, j]]
        means[i] = total / picks.shape[1]
    return means


@jit
def kendall(x, y):
    concordant = 0
    for i in range(len(x)):
        for j in range(i):
            product = (x[i] - x[j]) * (y[i] - y[j])
            if product > 0:
                concordant += 1
            elif product < 0:
                concordant -= 1
    return concordant / (len(x) * (len(x) - 1) / 2)


@jit
def autocorrelation(x, lags):
    out = np.zeros(lags)
    mean = x.mean()
    for lag in range(lags):
        for i in range(len(x) - lag):
            out[lag] += (x[i] - mean) * (x[i + lag] - mean)
    return out / out[0]


rng = np.random.default_rng(7)
for n in 1_000, 10_000, 100_000:
    x = rng.standard_normal(n)
    y = 0.5 * x + rng.standard_normal(n)
    print(n, *(round(v, 9) for v in moments(x)), round(rolling(x, 20).std(), 9))
    print(*(round(v, 9) for v in regression(x, y)))
    picks = rng.integers(0, 1000, (100, 200))
    print(round(np.quantile(bootstrap(x[:1000], picks), 0.9), 9))
    print(round(kendall(x[:400], y[:400]), 9), autocorrelation(x[:2000], 10)[1:4])
