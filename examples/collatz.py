"""Collatz: which number below a limit takes the most steps to reach one?

A number is halved when it is even, and else tripled plus one (L. Collatz, 1937; the
question is problem 14 of Project Euler). How often the inner loop runs depends on the
data alone.
"""

import numpy as np

import autograph as ag


def collatz_steps(number: int) -> int:
    """How many steps it takes from `number` to one."""
    steps = 0
    while number != 1:
        if number % 2 == 0:
            number = number // 2
        else:
            number = 3 * number + 1
        steps += 1
    return steps


@ag.function
def collatz(limit: np.int64) -> tuple[int, int]:
    """The number below `limit` with the most steps, and these steps."""
    best, most = 1, 0
    for number in range(1, limit):
        steps = collatz_steps(number)
        if steps > most:
            best, most = number, steps
    return best, most


PROGRAMS = (collatz,)


def inputs() -> tuple[np.int64]:
    """The limit: 1,000 gives 871 with 178 steps."""
    return (np.int64(1_000),)


if __name__ == "__main__":
    (limit,) = inputs()
    best, most = collatz(limit)
    print(f"below {limit}, {best} takes the most steps to reach one: {most}")
