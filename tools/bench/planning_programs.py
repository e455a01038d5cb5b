"""Programs of `objects` that plan and search: all is decorated, `__init__`, too."""

# mypy: ignore-errors
# A program is all that stands in its function: closures and branches in one count.
# ruff: noqa: C901

import math
import random

import numpy as np


def explorer(function):
    """A tree that grows to points drawn at random, around discs."""

    class Place:
        @function
        def __init__(self, x, y):
            self.x, self.y = x, y
            self.path, self.before = [], None

    class Explorer:
        @function
        def __init__(self, discs, step):
            self.discs, self.step = discs, step
            self.chosen = random.Random(5)
            self.places = [Place(0.0, 0.0)]

        @function
        def nearest(self, x, y):
            far = [(one.x - x) ** 2 + (one.y - y) ** 2 for one in self.places]
            return self.places[far.index(min(far))]

        @function
        def grown(self, before, x, y):
            way = math.atan2(y - before.y, x - before.x)
            made = Place(before.x, before.y)
            for _ in range(5):
                made.x += self.step / 5 * math.cos(way)
                made.y += self.step / 5 * math.sin(way)
                made.path.append((made.x, made.y))
            made.before = before
            return made

        @function
        def is_free(self, made):
            for x, y, size in self.discs:
                for at_x, at_y in made.path:
                    if math.hypot(at_x - x, at_y - y) < size:
                        return False
            return True

        @function
        def explore(self, goal):
            for _ in range(400):
                x, y = self.chosen.uniform(0, 12), self.chosen.uniform(0, 12)
                made = self.grown(self.nearest(x, y), x, y)
                if self.is_free(made):
                    self.places.append(made)
                    if math.hypot(made.x - goal[0], made.y - goal[1]) < self.step:
                        return self.course()
            return None

        @function
        def course(self):
            found, place = [], self.places[-1]
            while place is not None:
                found.append((place.x, place.y))
                place = place.before
            return found

    @function
    def main():
        discs = [(3.0, 3.0, 1.0), (6.0, 8.0, 2.0), (9.0, 5.0, 1.5)]
        course = Explorer(discs, 1.0).explore((10.0, 10.0))
        return None if course is None else len(course)

    return main


def swarm(function):
    """Small networks whose weights follow the best one's."""

    class Network:
        @function
        def __init__(self, chosen):
            self.weights = chosen.normal(size=(4, 8)), chosen.normal(size=(8, 1))
            self.speed = [np.zeros_like(one) for one in self.weights]
            self.least, self.best = math.inf, self.weights

        @function
        def predict(self, x):
            for one in self.weights:
                x = np.tanh(x @ one)
            return x[:, 0]

        @function
        def measure(self, x, y):
            loss = float(np.mean((self.predict(x) - y) ** 2))
            if loss < self.least:
                self.least, self.best = loss, self.weights
            return loss

        @function
        def move(self, leader, pull):
            moved = []
            for at, (one, mine, its) in enumerate(
                zip(self.weights, self.best, leader.best, strict=True)
            ):
                change = 0.5 * self.speed[at] + pull * (mine - one) + pull * (its - one)
                self.speed[at] = np.clip(change, -0.5, 0.5)
                moved.append(one + self.speed[at])
            self.weights = tuple(moved)

    @function
    def main():
        chosen = np.random.default_rng(1)
        x = chosen.normal(size=(30, 4))
        y = np.sign(x[:, 0] * x[:, 1])
        networks = [Network(chosen) for _ in range(12)]
        for _ in range(8):
            for one in networks:
                one.measure(x, y)
            leader = min(networks, key=lambda one: one.least)
            for one in networks:
                one.move(leader, 0.3)
        return leader.least

    return main
