"""Text and arrays of text."""

import numpy as np

from tests.conformance.constructs.rows import Plain, Rows, argument

ROWS = Rows("Strings")
WORDS = argument(["b", "a", "cc"])
LONG = np.array(["b", "a", "cc"], np.dtypes.StringDType())


@ROWS("text as a constant", (1.0, "up"), (-1.0, "down"))
def constant_text(x, mode):
    if mode == "up":
        return x * 2 if x > 0 else x
    return mode.title() if x < 0 else mode


@ROWS("methods of text chosen by data", 1.0, -1.0)
def methods_of_text(x):
    name = "a,b" if x > 0 else "c"
    return name.split(","), name.replace("a", "z"), name.startswith("a"), name[0]


@ROWS("text as keys chosen by data", 1.0, -1.0)
def text_as_key(x):
    rates = {"low": 0.5, "high": 2.0}
    mode = "low" if x > 0 else "high"
    return rates[mode] * x


@ROWS("join of texts chosen by data", 1.0, -1.0)
def joins(x):
    return "-".join(["a", "b" if x > 0 else "c"])


@ROWS("U arrays: comparison", (Plain(WORDS), 1.0))
def u_comparison(words, x):
    return words == "a", words < "b", (words == "b").any()


@ROWS("U arrays: concatenation", (Plain(WORDS), 1.0), (Plain(WORDS), -1.0))
def u_concatenation(words, x):
    if x > 0:
        words = np.strings.add(words, "!")
    return np.concatenate([words, words])


@ROWS("U arrays: print", (Plain(WORDS), 1.0), (Plain(WORDS), -1.0))
def u_print(words, x):
    if x > 0:
        print(words, words[0])
    return x


@ROWS("U arrays: where", (Plain(WORDS), [True, False, True]))
def u_where(words, mask):
    return np.where(mask, words, "none")


@ROWS("U arrays: indexing, masks", (Plain(WORDS), 1), (Plain(WORDS), 2))
def u_index(words, i):
    return words[i], words[1:], words[words != "a"], words[[i, 0]]


@ROWS("U arrays: for and if", Plain(WORDS), Plain(WORDS[:1]))
def u_for(words):
    count = 0
    for word in words:
        if word == "a" or len(word) > 1:
            count += 1
    return count


@ROWS("U arrays: assignment", (Plain(WORDS), 1.0), (Plain(WORDS), -1.0))
def u_assign(words, x):
    if x > 0:
        words[0] = "zz"
    return words


@ROWS("StringDType: comparison", (Plain(LONG), 1.0))
def s_comparison(words, x):
    return words == "a", words < "b", (words == "b").any()


@ROWS("StringDType: concatenation", (Plain(LONG), 1.0), (Plain(LONG), -1.0))
def s_concatenation(words, x):
    if x > 0:
        words = words + "!"
    return words, np.concatenate([words, words])


@ROWS("StringDType: print", (Plain(LONG), 1.0), (Plain(LONG), -1.0))
def s_print(words, x):
    if x > 0:
        print(words, words[0])
    return x


@ROWS("StringDType: where", (Plain(LONG), [True, False, True]))
def s_where(words, mask):
    return np.where(mask, words, "none")


@ROWS("StringDType: indexing, masks", (Plain(LONG), 1), (Plain(LONG), 2))
def s_index(words, i):
    return words[i], words[1:], words[words != "a"]


@ROWS("StringDType: for and if", Plain(LONG), Plain(LONG[:1]))
def s_for(words):
    count = 0
    for word in words:
        if word == "a":
            count += 1
    return count
