"""The programs of `objects`: each is made with a decorator, and gives a call.

Written as users write them: without types, and each in one piece.
"""

# mypy: ignore-errors
# A program is all that stands in its function: closures and branches in one count.
# ruff: noqa: C901

import heapq
import random
from collections import deque

import numpy as np

from tools.bench import constant_programs, planning_programs


def plain():
    """The decorator that does nothing."""
    return lambda function: function


def scheduler(function):
    """Tasks of three kinds, which send packets to one another by queues."""

    class Task:
        def __init__(self, name, priority, work):
            self.name, self.priority, self.work = name, priority, work
            self.queue = deque()
            self.done = 0

        @function
        def step(self, others):
            if self.work == 0:
                return False
            self.work -= 1
            self.done += 1
            if self.work % 3 == 0:
                other = others[(self.priority + self.work) % len(others)]
                other.receive(self.name)
            return True

        @function
        def receive(self, packet):
            self.queue.append(packet)
            if len(self.queue) > 3:
                self.queue.popleft()
                self.work += self.done < 60

    @function
    def run(tasks):
        waiting = [(task.priority, at) for at, task in enumerate(tasks)]
        heapq.heapify(waiting)
        turns = 0
        while waiting:
            priority, at = heapq.heappop(waiting)
            turns += 1
            if tasks[at].step(tasks):
                heapq.heappush(waiting, (priority + 10, at))
        return turns, sum(task.done for task in tasks)

    return lambda: run([Task(f"t{k}", k, 40) for k in range(12)])


def constraints(function):
    """A chain of variables with constraints among them, after DeltaBlue."""

    class Variable:
        def __init__(self, value):
            self.value, self.by, self.mark = value, None, 0
            self.constraints = []

    class Equal:
        def __init__(self, one, other, strength):
            self.one, self.other, self.strength = one, other, strength
            one.constraints.append(self)
            other.constraints.append(self)

        @function
        def is_satisfied(self):
            return self.one.value == self.other.value

        @function
        def satisfy(self, mark):
            if self.one.mark == mark:
                self.other.value, self.other.by = self.one.value, self
                self.other.mark = mark
                return self.other
            self.one.value, self.one.by, self.one.mark = self.other.value, self, mark
            return self.one

    class Planner:
        def __init__(self):
            self.mark = 0

        @function
        def propagate(self, start, value):
            self.mark += 1
            start.value, start.mark = value, self.mark
            todo, steps = [start], 0
            while todo:
                variable = todo.pop()
                for constraint in variable.constraints:
                    if not constraint.is_satisfied():
                        todo.append(constraint.satisfy(self.mark))
                        steps += 1
            return steps

    @function
    def solve(count):
        variables = [Variable(k) for k in range(count)]
        for at in range(count - 1):
            Equal(variables[at], variables[at + 1], at % 3)
        planner, total = Planner(), 0
        for k in range(10):
            total += planner.propagate(variables[k], 100 + k)
        return total, variables[-1].value

    return lambda: solve(50)


def linked(function):
    """A search tree of nodes: filled, gone through, searched."""

    class Node:
        def __init__(self, key):
            self.key, self.left, self.right = key, None, None

    class Tree:
        def __init__(self):
            self.root, self.size = None, 0

        @function
        def insert(self, key):
            if self.root is None:
                self.root, self.size = Node(key), 1
                return True
            node = self.root
            while True:
                if key == node.key:
                    return False
                if key < node.key:
                    if node.left is None:
                        node.left = Node(key)
                        break
                    node = node.left
                else:
                    if node.right is None:
                        node.right = Node(key)
                        break
                    node = node.right
            self.size += 1
            return True

        @function
        def find(self, key):
            node, depth = self.root, 0
            while node is not None and node.key != key:
                node = node.left if key < node.key else node.right
                depth += 1
            return depth

    @function
    def run(keys):
        tree = Tree()
        for key in keys:
            tree.insert(key)
        return tree.size, sum(tree.find(key) for key in keys)

    keys = [k * 7919 % 1009 for k in range(200)]
    return lambda: run(keys)


def board(function):
    """Noughts and crosses to the end, from a board with two stones."""

    class Board:
        def __init__(self, cells):
            self.cells = cells

        @function
        def winner(self):
            cells = self.cells
            for a, b, c in LINES:
                if cells[a] and cells[a] == cells[b] == cells[c]:
                    return cells[a]
            return 0

        @function
        def free(self):
            return [at for at, held in enumerate(self.cells) if not held]

        @function
        def play(self, at, stone):
            self.cells[at] = stone

        @function
        def best(self, stone):
            won = self.winner()
            if won:
                return won * stone
            found = -2
            for at in self.free():
                self.play(at, stone)
                found = max(found, -self.best(-stone))
                self.play(at, 0)
            return 0 if found == -2 else found

    return lambda: Board([1, 0, 0, 0, -1, 0, 0, 0, 1]).best(-1)


LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


def machine(function):
    """An interpreter of instructions that are objects."""

    class Instruction:
        def __init__(self, name, a=0, b=0):
            self.name, self.a, self.b = name, a, b

    class Machine:
        def __init__(self, program):
            self.program, self.registers, self.at = program, [0] * 8, 0

        @function
        def step(self):
            one = self.program[self.at]
            self.at += 1
            if one.name == "set":
                self.registers[one.a] = one.b
            elif one.name == "add":
                self.registers[one.a] += self.registers[one.b]
            elif one.name == "less":
                self.registers[one.a] -= 1
            elif one.name == "jump":
                if self.registers[one.a] > 0:
                    self.at = one.b
            else:
                return False
            return True

        @function
        def run(self):
            steps = 0
            while self.step():
                steps += 1
            return steps, self.registers[1]

    program = [
        *(Instruction("set", 0, 300), Instruction("set", 2, 3)),
        *(Instruction("add", 1, 2), Instruction("less", 0)),
        *(Instruction("jump", 0, 2), Instruction("end")),
    ]
    return lambda: Machine(program).run()


def colours(function):
    """A map of countries, coloured with going back."""

    class Country:
        def __init__(self, name):
            self.name, self.colour, self.near = name, 0, []

        @function
        def may_have(self, colour):
            return all(other.colour != colour for other in self.near)

    @function
    def colour_from(countries, at, count):
        if at == len(countries):
            return 1
        found = 0
        for colour in range(1, count + 1):
            if countries[at].may_have(colour):
                countries[at].colour = colour
                found += colour_from(countries, at + 1, count)
                countries[at].colour = 0
        return found

    @function
    def run(size, edges):
        countries = [Country(f"c{k}") for k in range(size)]
        for a, b in edges:
            countries[a].near.append(countries[b])
            countries[b].near.append(countries[a])
        return colour_from(countries, 0, 3)

    edges = [(k, (k + 1) % 8) for k in range(8)] + [(0, 4), (2, 6)]
    return lambda: run(8, edges)


def accounts(function):
    """Transfers among accounts in a dict, with a history and errors."""

    class Account:
        def __init__(self, owner, held):
            self.owner, self.held, self.history = owner, held, []

        @function
        def put(self, amount):
            self.held += amount
            self.history.append(("put", amount))

        @function
        def take(self, amount):
            if amount > self.held:
                raise ValueError(f"{self.owner} has {self.held}")
            self.held -= amount
            self.history.append(("take", amount))

    @function
    def run(names, transfers):
        accounts = {name: Account(name, 100) for name in names}
        failed = 0
        for source, target, amount in transfers:
            try:
                accounts[source].take(amount)
                accounts[target].put(amount)
            except ValueError:
                failed += 1
        return failed, {name: one.held for name, one in accounts.items()}

    names = [f"n{k}" for k in range(10)]
    chosen = random.Random(7)
    transfers = [
        (chosen.choice(names), chosen.choice(names), chosen.randrange(60))
        for _ in range(300)
    ]
    return lambda: run(names, transfers)


def mixed(function):
    """Objects around a function of arrays."""

    class Layer:
        def __init__(self, size, at):
            self.weights = np.full((size, size), 0.01 * (at + 1))
            self.calls = 0

        @function
        def forward(self, x):
            self.calls += 1
            return activated(x @ self.weights)

    @function
    def activated(x):
        return np.maximum(x, 0.0) * 0.5 + np.tanh(x)

    class Net:
        def __init__(self):
            self.layers = [Layer(16, at) for at in range(3)]
            self.log = []

        @function
        def choose(self, names):
            found = {}
            for a in names:
                for b in names:
                    found[a + b] = len(found) % 3
            return found

        @function
        def run(self, x, names):
            order = self.choose(names)
            for at in sorted(order.values())[::199]:
                x = self.layers[at].forward(x)
            return x

    net, x = Net(), np.ones(16)
    names = [f"k{k}" for k in range(30)]
    return lambda: net.run(x, names)


MADE = {
    one.__name__: one
    for one in (
        *(scheduler, constraints, linked, board, machine, colours, accounts, mixed),
        *(constant_programs.towers, constant_programs.subsets),
        *(
            constant_programs.change,
            planning_programs.explorer,
            planning_programs.swarm,
        ),
    )
}
