"""for and else: what is iterated, the targets, and every way out."""

import pytest

from tests.autograph.converters.samples import Samples, name

samples = Samples()


@samples([1, 2, 3], [5])
def over_an_array(x):
    total = 0
    for v in x:
        total = total + v
    return total


@samples([[1, 2], [3, 4]])
def over_rows(x):
    total = x[0] * 0
    for row in x:
        total = total + row
    return total


@samples([[1, 2], [3, 4]])
def over_rows_unpacked(x):
    total = 0
    for a, b in x:
        total = total + a * b
    return total


@samples(5, 0, -2)
def over_a_range(n):
    total = n * 0
    for i in range(n):
        total = total + i
    return total


@samples((1, 9, 3), (9, 1, -4), (3, 3, 1))
def over_a_range_with_a_step(a, b, c):
    total = a * 0
    for i in range(a, b, c):
        total = total * 2 + i
    return total


@samples([4, 5, 6])
def over_enumerate(x):
    total = 0
    for i, v in enumerate(x):
        total = total + i * v
    return total


@samples([4, 5, 6])
def over_enumerate_from_one(x):
    total = 0
    for i, v in enumerate(x, 1):
        total = total + i * v
    return total


@samples(([1, 2, 3], [4, 5]))
def over_zip(x, y):
    total = 0
    for a, b in zip(x, y):
        total = total + a * b
    return total


@samples(2)
def over_a_list_a_dict_and_a_string(n):
    for v in [1, 2, 3]:
        n = n + v
    for key, value in {"a": 1, "b": 2}.items():
        print(key)
        n = n * value
    for letter in "xy":
        print(letter)
    return n


@samples(2, staged=False)
def over_a_generator(n):
    return [i * n for i in (j + 1 for j in range(3))]


@samples(2)
def over_a_generator_in_a_statement(n):
    for i in (j + 1 for j in range(3)):
        n = n + i
    return n


@samples(3, 0)
def else_runs_at_the_end(n):
    for i in range(n):
        print(i)
    else:
        print("else")
    return n


@samples(([1, 2, 3], 2), ([1, 2, 3], 9))
def else_does_not_run_after_a_break(x, y):
    found = -1
    for v in x:
        if v == y:
            found = v
            break
    else:
        print("not found")
    return found


@samples([3, -1, 2, -5])
def continues(x):
    total = 0
    for v in x:
        if v < 0:
            print("skipped")
            continue
        total = total + v
    return total


@samples(([1, 2, 3], 2), ([1, 2, 3], 9))
def returns_from_inside(x, y):
    for i, v in enumerate(x):
        if v == y:
            return i
    return -1


@samples((3, 2), (0, 2), (5, 9))
def nested_loops_with_every_way_out(n, m):
    total = n * 0
    for i in range(n):
        for j in range(m):
            if j > i:
                break
            if (i + j) % 2 == 1:
                continue
            if i * j == 9:
                return total - 1
            total = total + 10 * i + j
        else:
            total = total + 1000
    else:
        total = total + 7
    return total


@samples(3)
def the_target_keeps_its_last_value(n):
    for i in range(n):
        pass
    return i


@samples(3, 0)
def the_target_may_be_unbound(n):
    for i in range(n):
        print(i)
    return i


@samples([5, 6])
def the_target_is_assigned_in_the_body(x):
    total = 0
    for v in x:
        v = v * 2
        total = total + v
    return total, v


@samples([5, 6])
def a_subscript_as_the_target(x):
    kept = [0]
    for kept[0] in [1, 2]:
        x = x + kept[0]
    return x, kept[0]


@samples(2)
def a_starred_target(n):
    for first, *others in [(1, 2, 3), (4, 5, 6)]:
        n = n + first * others[0] - len(others)
    return n


@samples([1, 2, 3])
def a_change_of_the_iterable_is_not_seen(x):
    total = 0
    for v in x:
        x = x * 2
        total = total + v
    return total, x


@samples(4)
def the_range_is_fixed_before(n):
    total = n * 0
    for i in range(n):
        n = n + 1
        total = total + i
    return total, n


@samples(2, staged=False)
def an_iterator_is_used_up_as_far_as_needed(n):
    items = iter(range(10))
    for item in items:
        if item == n:
            break
    return list(items)


@samples(3, staged=False)
def not_iterable(n):
    for _ in n:
        pass


@samples(300)
def a_long_plain_range(n):
    total = n * 0
    for i in range(300):
        total = total + i % 7
    return total


@samples([1, 2, 3], [1, -2, 3])
def an_exception_in_the_body(x):
    for v in x:
        print(v)
        if v < 0:
            raise ValueError("negative")
    return x


@samples([1, 2, 3])
def reversed_and_sorted(x):
    total = 0
    for v in reversed(x):
        total = total * 10 + v
    for v in sorted([3, 1, 2]):
        total = total * 10 + v
    return total


@samples([3, 1, 2], [2.5, -1])
def lists_that_sorted_makes(x):
    total = x[0] * 0
    for v in sorted(x):
        total = total * 10 + v
    return sorted(x), sorted(x, reverse=True) + [total]


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_for_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_for_does_what_python_does(sample) -> None:
    sample.check_staged()
