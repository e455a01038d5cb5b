"""What Python calls without a call in the text: methods of the user's classes.

Each of them has an `if` on data, and effects that must not happen in both branches.
"""

import functools

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


class Account:
    def __init__(self, balance):
        self._balance = balance
        self.reads = 0
        self.log = 0

    @property
    def balance(self):
        self.reads += 1
        if self._balance > 10:
            return self._balance - 1
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            self.log -= 1
            value = 0 * value
        self._balance = value

    @balance.deleter
    def balance(self):
        self.log += 100
        self._balance = self._balance * 0

    @functools.cached_property
    def squared(self):
        say("computed")
        return self._balance**2 if self._balance > 2 else self._balance

    @classmethod
    def of_two(cls, a, b):
        return cls(a if a > b else b)

    @staticmethod
    def larger(a, b):
        if a > b:
            return a
        return b

    def __call__(self, x):
        if x > self._balance:
            self.log += 1
            return x
        return self._balance


class Savings(Account):
    def __init__(self, balance, rate):
        super().__init__(balance)
        self.rate = rate

    @property
    def balance(self):
        found = super().balance
        return found * self.rate if found > 3 else found

    def __call__(self, x):
        if x > 5:
            self.log += 10
        return super().__call__(x + 1)


@samples((3, 1), (12, 1), (-3, 1))
def a_property(x, y):
    account = Account(x)
    r = account.balance
    if y > 0 and x > 0:
        r = r + account.balance
    return r, account.reads


@samples((3, -1), (12, 7), (-3, 0))
def a_setter_in_a_branch(x, y):
    account = Account(x)
    if x > 0:
        account.balance = y
    else:
        account.balance -= 2
    return account.balance, account.log, account.reads


@samples((3, -1), (-3, 0))
def a_deleter_in_a_branch(x, y):
    account = Account(x)
    if x > 0:
        del account.balance
    return account.balance, account.log


@samples((3, 1), (1, 1))
def a_cached_property(x, y):
    account = Account(x)
    return account.squared + account.squared


@samples((3, 1), (1, 5), (9, 9))
def methods_of_all_kinds(x, y):
    account = Account.of_two(x, y)
    if x > 2:
        return account(y), Account.larger(x, y), account.log
    return account(x), account.larger(y, x), account.log


@samples((3, 1), (12, 8), (2, 5))
def inheritance_and_super(x, y):
    account = Savings(x, 2)
    r = account.balance + account(y)
    return r, account.log, account.reads


class Layer:
    def __init__(self, x):
        self.x, self.asked = x, 0

    @property
    def activation(self):
        self.asked += 1
        return (lambda v: v * 2 if v > 0 else v) if self.asked else None


@samples((3, 1), (-3, 1))
def a_property_that_is_called(x, y):
    layer = Layer(y)
    if x > 0:
        x = layer.activation(x)
    return x, layer.asked


class Proxy:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name.startswith("no_"):
            raise AttributeError(name)
        if self.x > 0:
            return self.x * len(name)
        return self.x - len(name)


class Watched:
    def __init__(self, x):
        object.__setattr__(self, "changes", 0)
        self.x = x

    def __setattr__(self, name, value):
        object.__setattr__(self, "changes", self.changes + 1)
        if value > 5:
            value = 5 + value * 0
        super().__setattr__(name, value)

    def __delattr__(self, name):
        self.changes = 2
        super().__delattr__(name)


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, of, kind=None):
        held = getattr(of, self.name)
        return held if held > 0 else -held

    def __set__(self, of, value):
        if value < 0:
            value = value - 1
        setattr(of, self.name, value)


class Described:
    size = Positive()

    def __init__(self, size):
        self.size = size


@samples((3, 1), (-3, 1))
def a_dynamic_attribute(x, y):
    p = Proxy(x)
    assert not hasattr(p, "no_such")
    return p.four, p.x, getattr(p, "five5"), getattr(p, "no_way", y)


@samples((3, 9), (-3, 1))
def stores_that_are_watched(x, y):
    w = Watched(x)
    if x > 0:
        w.x = y
    w.x += 1
    return w.x, w.changes


@samples((3, 9), (-3, -1))
def a_descriptor(x, y):
    d = Described(x)
    first = d.size
    if x > 0:
        d.size = -y
    return first, d.size


class Money:
    """Never below zero; counts what is done."""

    done = 0

    def __init__(self, cents):
        if cents < 0:
            cents = 0 * cents
        self.cents = cents

    def _of(self, other):
        return other.cents if isinstance(other, Money) else other

    def __add__(self, other):
        if other is None:
            return NotImplemented
        return Money(self.cents + self._of(other))

    def __radd__(self, other):
        return Money(other * 100 + self.cents)

    def __sub__(self, other):
        return Money(self.cents - self._of(other))

    def __mul__(self, times):
        return Money(self.cents * times) if times is not None else NotImplemented

    __rmul__ = __mul__

    def __isub__(self, other):
        if self.cents > self._of(other):
            self.cents = self.cents - self._of(other)
        else:
            self.cents = self.cents * 0
        return self

    def __neg__(self):
        say("neg")
        return Money(1000 - self.cents)

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.cents == other.cents

    __hash__ = None

    def __lt__(self, other):
        say("lt")
        if self.cents < self._of(other):
            return True
        return False

    def __ge__(self, other):
        return not self < other

    def __bool__(self):
        if self.cents > 2:
            return True
        return False

    def __matmul__(self, other):
        return self.cents if self.cents > other.cents else other.cents

    def __abs__(self):
        return self.cents if self.cents < 5 else self.cents - 5

    def __str__(self):
        return f"{self.cents} cents"


class Shelf:
    def __init__(self, a, b):
        self.items = [a, b]
        self.asked = 0

    def __len__(self):
        return 2

    def __getitem__(self, index):
        self.asked += 1
        if index > 0:
            return self.items[1]
        return self.items[0]

    def __setitem__(self, index, value):
        if value > self.items[0]:
            self.items[index] = value
        else:
            self.items[0] = value

    def __delitem__(self, index):
        self.items[index] = self.items[index] * 0

    def __contains__(self, item):
        if item < 0:
            return False
        return self.items[0] == item or self.items[1] == item


@samples((3, 1), (1, 3), (-3, 4))
def arithmetic(x, y):
    m = Money(x) + Money(y) - 1
    m = 2 * m * 3 + y
    n = 1 + m
    if x > 0:
        m -= 5
    m = -m
    return m.cents, n.cents, m @ n, abs(m)


@samples((3, 1), (1, 3), (2, 2))
def comparisons(x, y):
    a, b = Money(x), Money(y)
    return a < b, a >= b, a == b, a != b, a == x, a < b < Money(9), a > b


@samples((3, 1), (1, 3), (-1, 3))
def truth(x, y):
    a, b = Money(x), Money(y)
    r = 0
    if a:
        r += 1
    if not b:
        r += 10
    if bool(a) and bool(b):
        r += 100
    while a:
        a -= 2
        r += 1000
    return r, bool(b), 5 if b else 7


@samples((3, 1), (1, 3))
def texts(x, y):
    m = Money(x)
    print(m, f"{m} and {m!s:>12}")
    if x > 2:
        print("more than", m + y)
    return str(m)


@samples((3, 1), (0, 3), (-1, 3))
def items(x, y):
    shelf = Shelf(x, y)
    r = shelf[x] + shelf[0]
    if x > 0:
        shelf[1] = y + 1
    shelf[1] += 2
    found = y in shelf
    missing = -1 not in shelf
    if y > 2:
        del shelf[1]
    return r, shelf.items, shelf.asked, found, missing, len(shelf)


@samples((3, 1), (0, 3))
def unsupported(x, y):
    if y > 2:
        return Money(x) + None
    return (Money(x) < Money(y)), Money(x).cents


@samples((3, 1), (0, 3))
def what_numpy_hands_over(x, y):
    m = x + Money(y)
    return m.cents, (y * Money(x)).cents, x == Money(3)


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_converted_methods_do_what_python_does(sample):
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_staged_methods_do_what_python_does(sample):
    sample.check_staged()
