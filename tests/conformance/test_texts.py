"""Texts that are known only when the graph runs, against Python."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

i = np.int64
PROGRAMS = []


def program(*arguments):
    """Decorator: run the function with each of these tuples of arguments."""

    def note(function):
        PROGRAMS.extend(
            pytest.param(function, given, id=f"{function.__name__}-{k}")
            for k, given in enumerate(arguments)
        )
        return function

    return note


number = program((i(123),))


@program((i(0),), (i(1),), (i(50),))
def repeated(n):
    text = ""
    while n > 0:
        text = text + "a"
        n = n - 1
    return text


@program((i(37), i(2)), (i(0), i(2)), (i(255), i(16)))
def digits(n, base):
    text = ""
    while n > 0:
        text = "0123456789abcdef"[n % base] + text
        n //= base
    return text or "0"


@program((np.array([1.0, 2.0, 3.333]),), (np.array([]),))
def line(xs):
    text = ""
    for x in xs:
        text += f"{x:.2f},"
    return text.rstrip(",")


@program((np.array([1.0, -2.0]),), (np.array([]),), (np.array([-1.0, -2.0, 3.0]),))
def list_of_texts(xs):
    names = []
    for x in xs:
        if x > 0:
            names.append("positive")
        else:
            names.append(f"negative {x}")
    return names, ", ".join(names), sorted(names), len(names), "positive" in names


@program((np.array([1.0, -2.0]),), (np.array([-1.0]),))
def list_of_two_constants(xs):
    names = ["start"]
    for x in xs:
        if x > 0:
            names.append("up")
    names.append("end")
    return names, max(names), names[-1][::-1]


@number
def list_of_choices(n):
    found = []
    for c in str(n):
        found.append(("low", 1) if c < "2" else ("high", int(c)))
    return found


@program((i(1),), (i(7),))
def words_of_a_machine(n):
    state = "start"
    for k in range(n):
        if state == "start":
            state = "one"
        elif state == "one":
            state = "two"
        else:
            state = "start"
    return state, {"start": 1, "one": 2, "two": 3}[state]


@program((i(2),), (i(40),))
def more_words_than_a_choice_holds(n):
    text = "-"
    for k in range(40):
        if n == k:
            text = "word" + str(k)
    return text


@program((np.array([1.0, -2.0, 5.0]),), (np.array([-1.0]),))
def none_or_text(xs):
    found = None
    for x in xs:
        if x > 0:
            found = f"{x}" if found is None else found + f"{x}"
    return "nothing" if found is None else found.upper()


@program((np.float64(3.14159),), (np.float32(3.14159),), (i(65),), (np.bool_(True),))
def shown(x):
    return str(x), repr(x), format(x, ">9"), f"{x!r:>10}", f"{x}{x}", "%s|" % x  # noqa: UP031 - tried


@program((np.float64(3.14159),), (i(65),))
def formatted(x):
    return f"{x:.3f}", "{:8.1f}".format(x), "%5.2f" % x, f"{x:{'>'}{9}.1f}"  # noqa: UP031, UP032


@number
def characters(n):
    t = str(n)
    a, b, c = t
    first, *rest = t
    return t[0], t[-1], t[1:], t[::-1], t[n % 3], t[: n % 2], a, b, c, first, rest


@number
def gone_through(n):
    total = 0
    for k, c in enumerate(str(n)):
        total += k * int(c)
    for a, b in zip(str(n), str(n)[1:]):
        total += int(a) * int(b)
    back = ""
    for c in reversed(str(n)):
        back += c
    return total, back, back == str(n)


@number
def consumed(n):
    t = str(n)
    return (
        "".join(c for c in t if c != "1"),
        [int(c) for c in t if c > "1"],
        list(t),
        list(map(int, t)),
        sum(map(int, t)),
        "".join(filter(str.isdigit, f"a{n}b")),
        max(t),
        sorted(t, reverse=True),
        any(c == "1" for c in t),
        all(map(str.isdigit, t)),
    )


@number
def looked_up(n):
    names = {"1": "one", "2": "two", "3": "three"}
    words = ["x", "y", "z"]
    return " ".join(names[c] for c in str(n)), words[n % 3].upper(), names.get(str(n))


@number
def methods(n):
    t = str(n) + "x"
    t *= 2
    return (
        t.replace("x", "-", 1),
        t.zfill(12),
        t.center(n % 20),
        t.split("x"),
        t.partition("x"),
        t.find("x"),
        t.count("x"),
        t.startswith("12") and t.endswith(("y", "x")),
        t.upper().lower().strip("1").title(),
        t.join("ab"),
        t.isalnum(),
        len(t),
        hash(t) == hash("123x123x"),
        ord(t[0]),
        chr(n),
    )


@number
def to_bytes(n):
    b = str(n).encode()
    return (
        b,
        b[0],
        b[:2],
        b + b"x",
        len(b),
        list(b),
        b.decode(),
        b.split(b"2"),
        b < b"2",
    )


@number
def compared(n):
    t = str(n)
    same = t == 5, t != None, t is None, "123" == t, t < "2" < "3"  # noqa: E711
    return same, isinstance(t, str), type(t) is str, t in ["123"], t in {"123": 1}


@number
def operators(n):
    return str(n) * 2 + "x" * n, 2 * str(n), "%s-%d" % (n, n), "2" in str(n), n * "a"  # noqa: UP031 - tried


@number
def matched(n):
    match str(n):
        case "1":
            return 1
        case "123":
            return 2
    return 3


@number
def words(n):
    parts = f"{n},{n + 1},{n + 2}".split(",")
    total = 0
    for part in parts:
        total += int(part)
    return total, parts[1], parts[::-1], sorted(parts, key=int), parts.index("124")


@number
def printed(n):
    t = f"{n}"
    print(t, len(t), f"<{t:>8}>", sep="|")
    return t


@number
def in_a_handler(n):
    try:
        return int(str(n) + "x")
    except ValueError as error:
        return str(error)


@number
def looked_for_in_vain(n):
    try:
        return str(n).index("z")
    except ValueError as error:
        return f"{error}!"


@program((i(1221),), (i(12),))
def counted(n):
    counts = {"1": 0, "2": 0}
    for c in str(n):
        if c in counts:
            counts[c] += 1
    return counts


@program((i(3),), (i(0),))
def text_as_argument_of_a_recursion(n):
    def grown(n, text):
        return text if n <= 0 else grown(n - 1, text + "x")

    def binary(n):
        return "" if n <= 0 else binary(n // 2) + str(n % 2)

    return grown(n, ""), binary(n)


@program((i(4),), (i(11),))
def list_that_one_path_starts(n):
    found = []
    if n > 10:
        found.append("")
    found.append(",".join(["a", "b"]))
    return (
        found,
        "".join(c for c in "none" if str(n) > c),
        [c for c in "abcdef" if n > 5],
    )


@program((np.array([1.0, 2.0, 3.0]), i(2)), (np.array([1.0, 2.0, 3.0]), i(0)))
def zipped_with_constants(xs, n):
    rows = []
    for x, word, pair in zip(xs[:n], ["a", "b", "c"], [(1, "x"), (2, "y")]):
        rows.append(f"{word}{x:.0f}{pair[1]}" * pair[0])
    return rows, sum(a == b for a, b in zip(str(n), "223"))


@program((i(1),), (i(0),), (i(-1),))
def text_or_constant_or_text(n):
    t = str(n) if n > 0 else "" if n < 0 else "zero"
    if n > 5:
        t = None
    many = ["a" if n > 0 else "b", "c" if n > 1 else "d", "e" if n else "f", "g"]
    return (t or (t or "none")), "t" if t else "u", not t, "-".join(many * 2)


@number
def generated(n):
    def doubled():
        for c in str(n):
            yield c * 2

    return "".join(doubled()), list(doubled())


@number
def sorted_among_others(n):
    return sorted(["b", str(n), "a"]), min("a", str(n)), max([str(n), "5"])


@program((i(37),))
def encoded(n):
    bits = f"{n:08b}"
    return int(bits, 2), [k for k, c in enumerate(bits) if c == "1"]


@program(("hello", i(3)))
def shifted(text, n):
    out = []
    for c in text:
        out.append(chr((ord(c) - 97 + n) % 26 + 97))
    return "".join(out)


@pytest.mark.parametrize(("function", "given"), PROGRAMS)
def test_a_text_of_the_run_is_python_s(function, given):
    assert_same_as_python(function, *given)


def added(n):
    return str(n) + 1


def not_found(n):
    return str(n).index("z")


def no_attribute(n):
    return str(n).nope


def out_of_range(n):
    return str(n)[10]


def asserted(n):
    text = str(n)
    if text != "12":
        raise AssertionError(f"bad {text}" + "!")


def as_key(n):
    raise KeyError(str(n))


@pytest.mark.parametrize(
    "function", [added, not_found, no_attribute, out_of_range, asserted, as_key]
)
def test_an_error_of_a_text_is_python_s(function):
    with pytest.raises(Exception) as plain:  # noqa: PT011
        function(i(123))
    with pytest.raises(type(plain.value)) as staged:
        assert_same_as_python(function, i(123))
    assert str(staged.value) == str(plain.value)


def test_a_text_outside_that_grows_needs_three_traces():
    class State:
        log = ""

    state = State()

    @ag.function
    def noted(x):
        state.log += f"{x},"
        return len(state.log)

    lengths = [noted(i(k)) for k in range(5)]
    assert (state.log, lengths) == ("0,1,2,3,4,", [2, 4, 6, 8, 10])
    assert len(noted.traces()) == 3
