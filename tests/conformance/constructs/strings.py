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


@ROWS("text of numbers: str, repr, format, f-strings", 3.14159, -1.5)
def text_of_numbers(x):
    return str(x), repr(x), format(x, ".3f"), f"{x:>9.1f}|", "%.2e" % x  # noqa: UP031 - tried


@ROWS("text built digit by digit", (37, 2), (0, 2))
def digits(n, base):
    text = ""
    while n > 0:
        text = str(n % base) + text
        n //= base
    return text or "0"


@ROWS("a line of text from the rows of an array", [1.0, 2.5], Plain(np.zeros(0)))
def line(xs):
    text = ""
    for x in xs:
        text += f"{x:.2f},"
    return text.rstrip(",")


@ROWS("characters of text: index, slice, for, in", 120, 7)
def characters(n):
    text = str(n)
    total = 0
    for at, c in enumerate(text):
        if c in "12":
            total += at + int(c)
    return total, text[0], text[::-1], len(text), "".join(sorted(text))


@ROWS("text that is split, joined, searched, compared", 120, 7)
def splits(n):
    parts = f"{n},{n + 1},b".split(",")
    longest = max(parts, key=len)
    return parts, longest, "-".join(parts), parts[1] < "2", longest.find("2")


@ROWS("text as a key, known at the run", 1, 3)
def key_of_data(n):
    names = {"1": "one", "2": "two"}
    return names.get(str(n), "many")


@ROWS("a list of texts of data's own length", [1.0, -2.0], [-1.0, -1.0])
def list_of_texts(xs):
    names = []
    for x in xs:
        if x > 0:
            names.append(f"{x:.0f}")
        names.append("-")
    return names, ", ".join(names), sorted(names)


@ROWS("text that is read as a number", (12, "x"), (12, "7"))
def read_as_number(n, end):
    try:
        return int(str(n) + end) + float(f"{n}.5")
    except ValueError as error:
        return str(error)


@ROWS("bytes of data", 120)
def some_bytes(n):
    content = str(n).encode()
    return content, content[0], content + b"!", content.decode(), len(content)


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


@ROWS("U arrays: the longest word", Plain(WORDS), Plain(WORDS[:1]))
def u_longest(words):
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best.upper() + "!"


@ROWS("U arrays: functions of np.strings and np.char", (Plain(WORDS), 1.0))
def u_functions(words, x):
    upper = np.strings.upper(words) if x > 0 else words
    return upper, np.strings.str_len(words), np.char.add(words, "!"), words + "?"


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
