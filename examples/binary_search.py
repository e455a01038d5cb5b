"""Binary search: where in a sorted table do keys stand, if they are there at all?

The search returns from inside of its loop when it has found the key, and -1 when the
range has become empty (J. Bentley, Programming Pearls, column 4).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag


def binary_search(table: NDArray[np.int64], key: np.int64) -> int:
    """An index of `key` in the sorted `table`, or -1."""
    low, high = 0, len(table) - 1
    while low <= high:
        middle = (low + high) // 2
        if table[middle] == key:
            return middle
        if table[middle] < key:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@ag.function
def find_all(table: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of `keys` its index in the sorted `table`, or -1."""
    places = np.empty(len(keys), dtype=np.int64)
    for i, key in enumerate(keys):
        places[i] = binary_search(table, key)
    return places


PROGRAMS = (find_all,)


def inputs() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first 5,000 square numbers, and 300 keys of which every third is one."""
    keys = np.arange(300) ** 2
    keys[1::3] += 1
    keys[2::3] -= 1
    return np.arange(5_000) ** 2, keys


if __name__ == "__main__":
    table, keys = inputs()
    places = find_all(table, keys)
    print(f"{(places >= 0).sum()} of {len(keys)} keys are square numbers, the last is")
    print(f"{table[places.max()]} at {places.max()}")
