"""Arrays of text, and their elements, against Python and NumPy."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python

i = np.int64
WORDS = np.array(["b", "aaa", "cc"])


def longest(words):
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best, best.upper(), [word[0] for word in words], str(words[0])


@pytest.mark.parametrize("dtype", ["U", "S", "T"])
def test_an_element_of_an_array_of_text_is_a_text(dtype):
    if dtype == "S":
        assert_same_as_python(lambda w: [len(x) + x[0] for x in w], WORDS.astype("S"))
    else:
        assert_same_as_python(longest, WORDS.astype(dtype))


def wider(words, n):
    while n > 0:
        words = np.strings.add(words, "x")
        n -= 1
    chosen = words[:2] if n < 0 else np.strings.upper(words)
    return words, words[0], [len(word) for word in words], words == "bx", chosen


def functions_of_numpy(words, n):
    return (
        np.strings.add(words[0], "x"),
        np.where(words == "b", "yes", words),
        np.char.zfill(words, 4),
        np.char.lower(words).tolist(),
        words.tolist(),
        words[n:].tolist(),
        np.unique(words),
        np.concatenate([words, np.strings.multiply(words, 2)]),
    )


def written(words, n):
    words[0] = "one" if n > 1 else "two"
    words[n] = str(n)
    for k in range(n):
        words[k] = words[k].upper() + "!"
    return words, ["x" if word.islower() else word for word in words]


@pytest.mark.parametrize("dtype", ["U", "T"])
@pytest.mark.parametrize("function", [wider, functions_of_numpy, written])
def test_an_array_of_text_is_numpy_s(function, dtype):
    assert_same_as_python(function, WORDS.astype(dtype), i(2))


def test_what_asks_for_the_width_of_a_text_is_python():
    def width(words):
        return np.zeros(2, np.strings.multiply(words, 2).dtype), words[0].dtype

    assert_same_as_python(width, WORDS)
