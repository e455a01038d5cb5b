"""Programs that change what is outside of a function; run by test_outer.py."""

# The module, the function, the arguments of each call, and what is looked at.
Row = tuple[str, str, list[str], str]
THRICE = ["np.float64(2.5)", "np.float64(-0.5)", "np.float64(7.0)"]

NUMBERS: dict[str, Row] = {
    "a counter": (
        "calls = 0",
        """
def f(x):
    global calls
    calls += 1
    print(calls)
    return x * calls
""",
        THRICE,
        "calls",
    ),
    "in a branch": (
        "n = 0",
        """
def f(x):
    global n
    if x > 0:
        n += 1
        n *= 2
    return n
""",
        THRICE,
        "n",
    ),
    "by a helper in a branch": (
        "n = 0\ndef bump(k):\n    global n\n    n += k",
        """
def f(x):
    if x > 0:
        bump(2)
    else:
        bump(1)
    return n * x
""",
        THRICE,
        "n",
    ),
    "in a loop with break": (
        "n, seen = 2, []",
        """
def f(x):
    global n
    while x > 0:
        x -= 1
        n += 1
        seen.append(x)
        if n > 8:
            break
    return n
""",
        THRICE,
        "n, seen",
    ),
    "an int that no array holds": (
        "n = 2 ** 61",
        "def f(x):\n    global n\n    n *= 2\n    return n",
        ["1.0"] * 4,
        "n",
    ),
    "a size": (
        "n = 2",
        "def f(x):\n    global n\n    n += 1\n    return np.zeros(n) + x",
        THRICE,
        "n",
    ),
    "a flag": (
        "flag = True",
        "def f(x):\n    global flag\n    flag = not flag\n    return x if flag else -x",
        [*THRICE, *THRICE],
        "flag",
    ),
    "None at first": (
        "last = None",
        """
def f(x):
    global last
    last = x if last is None else last + x
    return last
""",
        THRICE,
        "last",
    ),
    "None or a value, by data": (
        "last = None",
        """
def f(x):
    global last
    if x > 3:
        last = x
    return last is None
""",
        THRICE,
        "last",
    ),
    "a name that is bound on one path": (
        "",
        "def f(x):\n    global late\n    if x > 3:\n        late = x\n    return x",
        THRICE,
        "globals().get('late')",
    ),
    "a tuple": (
        "state = (0, 0.0)",
        """
def f(x):
    global state
    n, total = state
    state = (n + 1, total + x)
    return state
""",
        THRICE,
        "state",
    ),
    "a dict bound anew": (
        "state = {'n': 0}",
        """
def f(x):
    global state
    state = {'n': state['n'] + 1}
    return state
""",
        THRICE * 4,
        "state",
    ),
    "of a class": (
        "class A:\n    count = 0",
        "def f(x):\n    A.count += 1\n    return A.count * x",
        THRICE,
        "A.count",
    ),
    "by a plain decorator": (
        """
import functools
n = 0
def counted(g):
    @functools.wraps(g)
    def wrapper(*args):
        global n
        n += 1
        return g(*args)
    return wrapper
""",
        "@counted\ndef f(x):\n    return x + n",
        THRICE,
        "n",
    ),
}

CONTAINERS: dict[str, Row] = {
    "a log of words": (
        "log = []",
        """
def f(x):
    log.append("called")
    if x > 0:
        log.append("positive")
    return len(log)
""",
        THRICE * 4,
        "log",
    ),
    "one word": (
        "log = []",
        "def f(x):\n    log.append('called')\n    return log",
        THRICE,
        "log",
    ),
    "texts of data": (
        "log = []",
        "def f(x):\n    log.append(f'{x}')\n    return x",
        THRICE,
        "log",
    ),
    "a history": (
        "h = []",
        "def f(x):\n    h.append(x)\n    return h[-1] + h[0] + len(h)",
        THRICE,
        "h",
    ),
    "a history of pairs": (
        "h = []",
        "def f(x):\n    h.append((x, 1))\n    return h",
        THRICE,
        "h",
    ),
    "a history of dicts": (
        "h = []",
        "def f(x):\n    h.append({'loss': x})\n    return h[0]['loss']",
        THRICE,
        "h, [a is b for a in h for b in h]",
    ),
    "as many items as data say": (
        "h = []",
        """
def f(x):
    for v in x:
        if v > 0:
            h.append(v)
    return sum(h)
""",
        ["np.array([1.0, -2.0, 3.0])"] * 3,
        "h",
    ),
    "sorted and popped": (
        "h = [3.0, 1.0]",
        "def f(x):\n    h.append(x)\n    h.sort()\n    return h.pop()",
        ["2.5", "0.5", "7.0"],
        "h",
    ),
    "cleared": (
        "h = [3.0, 1.0]",
        "def f(x):\n    h.clear()\n    return x",
        THRICE,
        "h",
    ),
    "a list of lists": (
        "h = [[0.0], [1.0]]",
        "def f(x):\n    h[0].append(x)\n    return len(h[0])",
        THRICE,
        "h",
    ),
    "a dict of lists": (
        "h = {'a': [1]}",
        "def f(x):\n    h['a'].append(x)\n    h['b'] = [x]\n    return h",
        THRICE,
        "h",
    ),
    "a cache": (
        "cache = {}",
        "def f(x, k):\n    cache[k] = x\n    return len(cache)",
        ["1.5, 1", "2.5, 'a'", "3.5, 1", "4.5, 2"],
        "cache",
    ),
    "counts": (
        "counts = {'a': 0}",
        """
def f(x):
    counts['a'] += 1
    counts.setdefault('b', x)
    return counts
""",
        THRICE,
        "counts",
    ),
    "a set": (
        "seen = set()",
        "def f(x, k):\n    seen.add(k)\n    return x * len(seen)",
        ["1.5, 1", "1.5, 2", "1.5, 2"],
        "seen",
    ),
    "others of the library": (
        """
from collections import Counter, defaultdict, deque
d, c, e = deque(maxlen=2), Counter(), defaultdict(list)
""",
        """
def f(x):
    d.append(x)
    c["a"] += 1
    e["k"].append(x)
    return len(d)
""",
        THRICE,
        "d, c, e",
    ),
    "by two names": (
        "log = []\nclass O: pass\no = O()\no.log = log",
        """
def f(x):
    log.append(x)
    o.log.append(len(log))
    return len(o.log)
""",
        THRICE,
        "log, o.log is log",
    ),
    "outer and argument": (
        "log = []",
        "def f(x, y):\n    y.append(1.0)\n    log.append(2.0)\n    return len(log)",
        ["1.5, log", "2.5, []", "1.5, log"],
        "log",
    ),
    "by two decorated functions": (
        "log = []\ndef g(x):\n    log.append(x)\n    return x\ng = decorate(g)",
        "def f(x):\n    y = g(x)\n    log.append(y * 2)\n    return len(log)",
        THRICE,
        "log",
    ),
    "functions": (
        "log = []",
        "def f(x):\n    log.append(lambda: 1)\n    return x",
        THRICE * 4,
        "len(log), [g() for g in log], len(set(log))",
    ),
}

OBJECTS: dict[str, Row] = {
    "a dataclass": (
        """
from dataclasses import dataclass
@dataclass
class P:
    n: int = 0
    v: object = None
p = P()
""",
        "def f(x):\n    p.n += 1\n    p.v = x\n    return p.n",
        THRICE,
        "p",
    ),
    "a new object at each call": (
        "class T: pass\ncur, all_ = None, []",
        "def f(x):\n    global cur\n    cur = T()\n    cur.v = 1\n    return x",
        THRICE,
        "cur.v, all_.append(cur), len(set(map(id, all_)))",
    ),
    "an array in place": (
        "w = np.zeros(2)",
        "def f(x):\n    global w\n    w += x\n    return w.sum()",
        ["np.array([1.0, 2.0])"] * 3,
        "w",
    ),
    "an array by two names": (
        "w = np.zeros(2)\nalias = w",
        "def f(x):\n    global w\n    w += x\n    alias[0] = 5\n    return w.sum()",
        ["np.array([1.0, 2.0])"] * 3,
        "w, alias, w is alias",
    ),
    "another array": (
        "w = np.zeros(2)",
        "def f(x):\n    global w\n    w = w + x\n    return w.sum()",
        ["np.array([1.0, 2.0])"] * 3,
        "w",
    ),
    "the argument itself": (
        "last, a = None, np.ones(2)",
        "def f(x):\n    global last\n    last = x\n    x += 1\n    return last",
        ["a", "a", "np.ones(2)"],
        "last, a, last is a",
    ),
}

ROWS = {**NUMBERS, **CONTAINERS, **OBJECTS}
