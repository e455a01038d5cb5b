"""The expressions of what holders.py tells of: templates, as those of grammar.py."""

# What is asked of lists, dicts, objects, texts and what may be None.
HELD_INTS = (
    "len({Ll})",
    "sum({Ll}, x0)",
    "({Ll}[-1] if {Ll} else {i})",
    "{Ll}.count({i})",
    "sum({Ll}[1:], x0)",
    "max([*{Ll}, {i}])",
    '{Dd}["a"]',
    '{Dd}.get("c", {i})',
    "sum({Dd}.values(), x0)",
    "len({Dd})",
    "{Oo}.n",
    "{Oo}.size",
    "{Oo}.add({i} % 97)",
    "len({Oo}.items)",
    "len({Ss})",
    "({Uu} or {i})",
    "({i} if {Uu} is None else {Uu})",
    "{Zz}[0]",
    '{{"one": {i}, "two": {i}}}.get({Ss}, {i})',
)
HELD_FLOATS = ("{Zz}[1]", "{Oo}.v", "(lambda v: v * {F} + {i})({f})")
HELD_TESTS = (
    "{i} in {Ll}",
    "{Ll} == {l}",
    "{Ll}",
    '"c" in {Dd}',
    "isinstance({Oo}, Thing)",
    '{Ss} == "two"',
    '{Ss}.startswith("o")',
    "{Uu} is None",
    "{Uu}",
    "{Zz}[0] < {i}",
    "{Oo} is {Oo}",
    'hasattr({Oo}, "extra")',
)

# The templates that end an expression, and those that go on.
RULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "l": (
        ("[{i} % 97, {D}]", "[{D}]", "[]", "[*{Ll}][:3]"),
        (
            "[{i} % 97 for j in range({i} % 4)]",
            "{Ll}[:{i} % 3]",
            "({Ll} + [{i} % 97])[-4:]",
            "[v % 97 for v in {Ll} if v != {i}]",
            "list({n} % 97)",
            "[{i} % 97] * 2",
            "sorted({Ll})",
            "({l} if {t} else {l})",
            "{Ll}.copy()",
            "list(range({i} % 4))",
        ),
    ),
    "d": (
        ('{{"a": {i} % 97, "b": {D}}}', "dict({Dd})"),
        (
            '{{"a": {i} % 97, "b": {i} % 97, "c": {D}}}',
            '{{**{Dd}, "a": {i} % 97}}',
            "{{k: (v + {i}) % 97 for k, v in {Dd}.items()}}",
            "({d} if {t} else {d})",
        ),
    ),
    "o": (
        ("Thing({i} % 97)", "Record({i} % 97)"),
        (
            "Thing({i} % 97, {f} % 16.0)",
            "Record({i} % 97, v={f} % 16.0)",
            "thing({i} % 97)",
            "thing({i} % 97, kind=Record)",
            "(Thing({i} % 97) if {t} else Thing({D}, {f} % 16.0))",
        ),
    ),
    "s": (
        ('"one"', '"two"'),
        (
            '("one" if {t} else "two")',
            "({s} if {t} else {s})",
            "{Ss}.upper()[:3]",
            '(f"{{{I}}}:" + {Ss})[:5]',
            "str({i} % 97)",
        ),
    ),
    "u": (
        ("None", "{i} % 97"),
        ("(None if {t} else {i} % 97)", "{Dd}.get('c')", "({u} if {t} else None)"),
    ),
    "z": (
        ("({i} % 97, {f} % 16.0)",),
        ("({Zz}[0], {f} % 16.0)", "({z} if {t} else {z})"),
    ),
}
