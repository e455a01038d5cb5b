"""A small neural network, trained by hand, with arrays and a loop over samples."""

import numpy as np
from jit import jit


@jit
def forward(x, w1, b1, w2, b2):
    hidden = np.tanh(x @ w1 + b1)
    return hidden, 1.0 / (1.0 + np.exp(-(hidden @ w2 + b2)))


@jit
def gradients(x, y, hidden, out, w2):
    delta = (out - y) / len(x)
    g2 = hidden.T @ delta
    back = (delta @ w2.T) * (1.0 - hidden**2)
    return x.T @ back, back.sum(axis=0), g2, delta.sum(axis=0)


@jit
def update(w, g, rate):
    w -= rate * g


@jit
def loss(out, y):
    return -np.mean(y * np.log(out + 1e-9) + (1 - y) * np.log(1 - out + 1e-9))


@jit
def perceptron(x, y, epochs):
    w = np.zeros(x.shape[1])
    bias = 0.0
    for _ in range(epochs):
        for i in range(x.shape[0]):
            s = bias
            for j in range(x.shape[1]):
                s += w[j] * x[i, j]
            guess = 1.0 if s > 0 else 0.0
            error = y[i] - guess
            if error != 0.0:
                for j in range(x.shape[1]):
                    w[j] += 0.1 * error * x[i, j]
                bias += 0.1 * error
    return w, bias


rng = np.random.default_rng(8)
x = rng.standard_normal((200, 2))
y = (x[:, :1] * x[:, 1:] > 0).astype(float)
w1, b1 = rng.standard_normal((2, 16)), np.zeros(16)
w2, b2 = rng.standard_normal((16, 1)), np.zeros(1)
for epoch in range(2000):
    hidden, out = forward(x, w1, b1, w2, b2)
    g1, gb1, g2, gb2 = gradients(x, y, hidden, out, w2)
    update(w1, g1, 0.5)
    update(b1, gb1, 0.5)
    update(w2, g2, 0.5)
    update(b2, gb2, 0.5)
    if epoch % 500 == 0:
        print(epoch, round(loss(out, y), 6))
for epochs in 5, 20, 100:
    w, bias = perceptron(x, (x[:, 0] + x[:, 1] > 0.1).astype(float), epochs)
    print(epochs, w.round(6), round(bias, 6))
