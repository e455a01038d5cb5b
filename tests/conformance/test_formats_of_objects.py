"""`__format__`, and other methods that C asks of an object, also decorated ones."""

import math

import numpy as np
import pytest

import autograph as ag


class Length:
    """With methods as users write them; one class has them decorated."""

    def __init__(self, value):
        self.value = value

    def __format__(self, spec):
        if spec == "miles":
            raise ValueError(f"unknown format {spec}")
        return f"{format(self.value, spec)} m"

    def __str__(self):
        return f"{self.value} m"

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(int(self.value))

    def __float__(self):
        return float(self.value)

    def __int__(self):
        return int(self.value)

    def __bool__(self):
        return bool(self.value > 2)


METHODS = "__format__ __str__ __hash__ __float__ __int__ __bool__".split()
Decorated = type(
    "Decorated",
    (Length,),
    {name: ag.function(vars(Length)[name]) for name in METHODS},
)


class NoText:
    def __init__(self, value):
        self.value = value

    def __format__(self, spec):
        return self.value

    def __str__(self):
        return self.value

    def __repr__(self):
        return 7


def in_f_string(x, kind):
    return f"{kind(x):.2f}, {kind(x)}, {kind(x):{'.1f' if x > 2 else '.3e'}}"


def by_the_builtin(x, kind):
    return format(kind(x), ".1e"), format(kind(x))


def by_a_method_of_a_text(x, kind):
    text = "{:.2f} {a:8.3g} {b}"
    return text.format(kind(x), a=kind(x + 1), b=kind(x))


def of_several(x, kind):
    return " ".join(f"{one:.1f}" for one in [kind(x), Length(x), kind(x * 2)])


def unknown_format(x, kind):
    return f"{kind(x):miles}"


def keys(x, kind):
    return {kind(x): 1, kind(x + 1): 2}[kind(x)], len({kind(x), kind(x), kind(3)})


def numbers(x, kind):
    return math.sqrt(kind(x)), complex(kind(x)), list(map(int, [kind(x)]))


def truths(x, kind):
    return any([kind(x), kind(1)]), all((kind(x), kind(1))), not kind(x)


def printed_text(x, kind):
    print(kind(x), "%s %.2f" % (kind(x), kind(x)))  # noqa: UP031 - it is asked for


def no_text(x, kind):
    return f"{NoText(x):8}"


def no_text_of_str(x, kind):
    return f"a{NoText(5)!s}"


def no_text_of_repr(x, kind):
    return repr(NoText(x))


PROGRAMS = [
    *(in_f_string, by_the_builtin, by_a_method_of_a_text, of_several, unknown_format),
    *(keys, numbers, truths, printed_text, no_text, no_text_of_str, no_text_of_repr),
]


def outcome(function, *args):
    try:
        return repr(function(*args))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("kind", [Length, Decorated])
@pytest.mark.parametrize("number", [1.5, np.float64(2.5), np.array(3.25)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_c_asks_of_an_object_is_as_in_python(program, number, kind, capsys):
    staged = ag.function(program)
    for k in range(3):
        expected = outcome(program, number + k, Length), capsys.readouterr().out
        assert (outcome(staged, number + k, kind), capsys.readouterr().out) == expected


class Told:
    def __init__(self, items):
        self.items = list(items)

    def __str__(self):
        return f"{len(self.items)} items"


class Formatted(Told):
    __str__ = object.__str__

    def __format__(self, spec):
        return f"{len(self.items):{spec}} items"


def texts_of_lists(xs):
    told = Told(xs)
    return "%s" % told, "{}".format(told), " ".join([str(told)])  # noqa: UP031, UP032 - these are asked for


def formats_of_lists(xs):
    text = "{:>4}"
    return text.format(Formatted(xs)), f"{Formatted(xs):3}"


@pytest.mark.parametrize("program", [texts_of_lists, formats_of_lists])
def test_a_list_in_an_object_has_the_items_of_the_run(program):
    staged = ag.function(program)
    for k in range(5):
        given = [k, k + 1, 2 * k, -k, 7][: 5 - k % 2]
        assert staged(given) == program(given)
