"""Classes whose methods are decorated: the game of life, a filter, an account."""

import numpy as np
from jit import jit


class Life:
    def __init__(self, size, seed):
        draws = np.random.default_rng(seed).random((size, size))
        self.cells = (draws < 0.4).astype(int)
        self.age = 0

    @jit
    def step(self):
        n, m = self.cells.shape
        new = np.zeros((n, m), dtype=int)
        for i in range(n):
            for j in range(m):
                around = 0
                for a in range(-1, 2):
                    for b in range(-1, 2):
                        if a != 0 or b != 0:
                            around += self.cells[(i + a) % n, (j + b) % m]
                if around == 3 or (around == 2 and self.cells[i, j] == 1):
                    new[i, j] = 1
        self.cells = new
        self.age += 1


class Kalman:
    def __init__(self, q, r):
        self.q, self.r = q, r
        self.x, self.p = 0.0, 1.0

    @jit
    def update(self, z):
        self.p = self.p + self.q
        gain = self.p / (self.p + self.r)
        self.x = self.x + gain * (z - self.x)
        self.p = (1 - gain) * self.p
        return self.x

    @jit
    def smooth(self, zs):
        out = np.empty(len(zs))
        for i in range(len(zs)):
            out[i] = self.update(zs[i])
        return out


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.history = []

    @jit
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("not an amount")
        self.balance += amount
        self.history.append(amount)

    @jit
    def interest(self, rate, years):
        for _ in range(years):
            self.balance *= 1 + rate
        return self.balance


life = Life(32, 9)
for _ in range(20):
    life.step()
print("life", life.age, life.cells.sum())
rng = np.random.default_rng(10)
kalman = Kalman(1e-4, 0.1)
for n in 100, 1000, 10_000:
    print("kalman", n, round(kalman.smooth(1.0 + 0.3 * rng.standard_normal(n))[-1], 9))
for z in rng.standard_normal(2000):
    kalman.update(z)
print("kalman", round(kalman.x, 9))
account = Account(100.0)
for i in range(1, 2000):
    account.deposit(float(i % 7 + 1))
print("account", account.balance, round(account.interest(0.01, 30), 6))
