"""Names in use, and names that are not."""

import gast
import pytest

from autograph.syntax import Namer, names_in


def test_a_fresh_name_is_in_use_afterwards() -> None:
    namer = Namer(["f", "f_1", "g"])
    found = [namer.fresh(base) for base in ("f", "f", "h", "h", "g", "f_2")]
    assert found == ["f_2", "f_3", "h", "h_1", "g_1", "f_2_1"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x.y = f(k=z)", {"x", "y", "f", "k", "z"}),
        ("def f(a, *b): global c; nonlocal d", set("fabcd")),
        ("import a.b, c as d, e", {"a", "d", "e"}),
        ("from m import n as o, p", {"o", "p"}),
        ("try: pass\nexcept E as e: pass", {"E", "e"}),
        ("match a:\n case C(k=[*b, c], l={'x': _, **d}): pass", set("aCklbcd")),
        ("class A(B): x: T = 1", set("ABxT")),
        ("lambda p: [q for q in p]", {"p", "q"}),
    ],
)
def test_every_identifier_is_found(text: str, names: set[str]) -> None:
    assert names_in(gast.parse(text)) == names
