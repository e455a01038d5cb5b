"""Random recursive programs: two functions that call themselves and each other.

Every program has `program(n, x, a, b)`, an int, a float and two arrays, and its calls
end since each passes on a smaller n. What varies is where the calls stand (in branches,
loops, expressions), what they pass on, what is changed in place, printed and raised.
"""

import random

TESTS = ("x > 0.5", "a[0] < b[1]", "n % 2 == 0", "a.sum() > 3", "t > x", "d > 1")
COPIES = ("a + 1", "b.copy()", "a[::-1].copy()", "np.sort(b)", "a * x", "a - b")
VIEWS = ("a[::-1]", "b[:]", "a", "b")
SCALARS = ("x", "x * 0.5", "x + d", "a[1]", "t", "-x", "b.max()", "x + n")
DEPTHS = ("d", "d + 1", "d + 1", "1 - d", "0")
EXPRESSIONS = (
    "x + 1",
    "t * 2",
    "a[n % 3] + t",
    "b.sum() - x",
    "x * d",
    "t + n",
    "0.25",
)
FAULTS = ("a[n + 7]", "1 // (n - n)", "b[d + 9]")
MOST_CALLS = 3


class Writer:
    """The lines of one program, as a random generator decides."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.calls = 0
        self.arrays = self.random.random() < 0.25
        self.pairs = not self.arrays and self.random.random() < 0.3
        self.nested = self.random.random() < 0.5
        self.lines: list[str] = []

    def program(self) -> str:
        """The whole text."""
        choose = self.random.choice
        self.put(0, "def program(n, x, a, b):")
        level = 0
        if self.nested:
            self.put(1, "seen, kept = 0, [0.0, 1.0]")
            level = 1
            self.functions(level)
        first = choose(("f", "g"))
        self.put(1, f"found = {first}(n, x, a, b{choose((', 0', ', d=1', ', 2'))})")
        extra = ", seen, kept[0], kept[1]" if self.nested else ""
        self.put(1, f"return found, a, b{extra}")
        if not self.nested:
            self.functions(level)
        return "\n".join(self.lines) + "\n"

    def put(self, level: int, text: str) -> None:
        """One line."""
        self.lines.append("    " * level + text)

    def functions(self, level: int) -> None:
        """Both functions."""
        for name in ("f", "g"):
            self.calls = 0
            self.put(level, f"def {name}(n, x, a, b, d):")
            if self.nested:
                self.put(level + 1, "nonlocal seen")
            self.put(level + 1, "t = x - 1")
            self.put(level + 1, "if n <= 0:")
            if self.random.random() < 0.3:
                self.simple(level + 2)
            self.put(level + 2, f"return {self.result()}")
            self.block(level + 1, 2)
            if not self.calls:
                self.call(level + 1)
            self.put(level + 1, f"return {self.result()}")

    def result(self) -> str:
        """What is returned: of one kind in the whole program."""
        choose = self.random.choice
        if self.arrays:
            return choose(("a", "b", "a + t", "b * 2", "a.copy()"))
        one = f"{choose(EXPRESSIONS)} + t * 1.0"
        return f"({one}, {choose(SCALARS)} + 0.0)" if self.pairs else one

    def array(self, usual: str) -> str:
        """An array to pass on, mostly the one that was passed."""
        if self.random.random() < 0.08:
            return self.random.choice(VIEWS)
        return usual if self.random.random() < 0.6 else self.random.choice(COPIES)

    def block(self, level: int, depth: int) -> None:
        """A few statements."""
        for _ in range(self.random.randint(1, 3)):
            kinds = [self.simple, self.simple]
            if depth:
                kinds += [self.branch, self.branch, self.loop]
            if self.calls < MOST_CALLS:
                kinds += [self.call, self.call]
            kind = self.random.choice(kinds)
            if kind in (self.branch, self.loop):
                kind(level, depth)  # type: ignore[call-arg] # each kind takes its own
            else:
                kind(level)  # type: ignore[call-arg] # each kind takes its own

    def simple(self, level: int) -> None:
        """A statement without statements inside."""
        choose = self.random.choice
        rows = [
            f"t = {choose(EXPRESSIONS)}",
            f"x = x * 0.5 + {choose(('d', '1', 't * 0.125'))}",
            f"{choose('ab')}[{choose(('0', 'n % 3', '-1'))}] += 1",
            f"{choose('ab')}[:2] *= 0.5",
            f"print('{choose('xyz')}', n, {choose(('x', 'd', 'a[0]', 't'))})",
        ]
        if self.random.random() < 0.1:
            rows += ["a, b = b, a", "a = a + 1"]
        if self.nested:
            rows += ["seen += 1", "kept[0] += x", "kept[1] = t * 1.0"]
        if self.random.random() < 0.04:
            self.put(level, f"t = t + {choose(FAULTS)}")
            return
        self.put(level, choose(rows))

    def branch(self, level: int, depth: int) -> None:
        """An if; perhaps left by a return or a raise."""
        self.put(level, f"if {self.random.choice(TESTS)}:")
        self.block(level + 1, depth - 1)
        fate = self.random.random()
        if fate < 0.2:
            self.put(level + 1, f"return {self.result()}")
        elif fate < 0.24:
            self.put(level + 1, "raise ValueError(f'at {n} with {x:.3f}')")
        if self.random.random() < 0.5:
            self.put(level, "else:")
            self.block(level + 1, depth - 1)

    def loop(self, level: int, depth: int) -> None:
        """A short loop; perhaps left by a break."""
        if self.random.random() < 0.5:
            self.put(level, f"for k{depth} in range(n % 2 + 1):")
        else:
            self.put(level, f"k{depth} = 0")
            self.put(level, f"while k{depth} < 2 and x > -3:")
            self.put(level + 1, f"k{depth} += 1")
        self.block(level + 1, depth - 1)
        if self.random.random() < 0.3:
            self.put(level + 1, f"if {self.random.choice(TESTS)}:")
            self.put(level + 2, "break")

    def call(self, level: int) -> None:
        """A recursive call, as a statement or in an expression."""
        self.calls += 1
        choose = self.random.choice
        less = choose(("n - 1", "n - 1", "n - 2", "n // 2"))
        passed = f"{less}, {choose(SCALARS)}, {self.array('a')}, {self.array('b')}"
        text = f"{choose('fg')}({passed}, {choose(DEPTHS)})"
        if self.arrays:
            rows = [f"a = {text}", f"t = {text}.sum()", text, f"{text}[0] += 1"]
        elif self.pairs:
            rows = [f"t, x = {text}", f"t = {text}[0]", text]
        else:
            rows = [f"t = {text}", f"t = t + {text}", f"x = {text} * 0.5", text]
            rows += [f"t = {text} if {choose(TESTS)} else x * 1.0"]
        self.put(level, choose(rows))


def program(seed: int) -> str:
    """The text of the program of this seed."""
    return Writer(seed).program()
