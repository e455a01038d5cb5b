"""Why rows of docs/python.md are refused or differ, and those known to be wrong.

A refusal whose message is not among the reasons counts as wrong.
"""

# The start of a message, and why the program is refused.
REASONS = {
    "TypeError: a list, dict or object holds itself": (
        "a graph holds what is in a list, which would have no end"
    ),
    "NotImplementedError: this may fail depending on data, inside a try": (
        "groups of exceptions would have to be split when the graph runs; `except` is "
        "staged"
    ),
    "TypeError: what `nested` returns is nested deeper": (
        "the structure of the result would have no end; a graph has one structure"
    ),
    "RecursionError: `forever` called itself": (
        "Python fails as well, in words of the interpreter's"
    ),
    "UnsupportedError: an async function cannot be converted": (
        "a coroutine is run by a loop outside of the graph"
    ),
    "TypeError: the number of items is known only when the graph runs": (
        "the iterator is a library's and asks while tracing; nested loops are staged"
    ),
    "ValueError: this changes an array that may be": (
        "which of two arrays is written depends on data; a copy is staged"
    ),
    "TypeError: `result` is {0: float64[]": (
        "each subset of the keys is a kind of its own; a name holds one of at most 32"
    ),
    "TypeError: something is made anew by each round of this loop": (
        "one of several texts, sets or lists on each round, of which there is no end"
    ),
    "TypeError: the list that is changed here is [] before this loop": (
        "items of a growing list have one structure; lists of data's own length inside "
        "it are not joined yet"
    ),
    "TypeError: `.ndim` of this tensor is known only at run time": (
        "the rank changes from step to step, and Python's int is asked while tracing"
    ),
    "TypeError: `.shape` of this tensor is known only at run time": (
        "the rank differs by path, so the length of the tuple does"
    ),
    "TypeError: the truth value of this tensor is known only when": (
        "tuples are compared by Python itself, not by converted code"
    ),
}
# Rows that are wrong, with how. Each is a fault to mend, not a decision.
KNOWN_WRONG: dict[str, str] = {}
# Rows that differ by decision; docs/limits.md tells of each.
DECIDED: dict[str, str] = {
    "unused_error": "an operation that nobody uses is not run, and does not fail",
}


def reason(text: str) -> str:
    """Why this message is a refusal with reason, or nothing."""
    for start, why in REASONS.items():
        if text.startswith(start):
            return f"({why})"
    return ""
