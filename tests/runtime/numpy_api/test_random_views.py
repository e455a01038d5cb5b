"""Random programs of views and stores: aliases see what they see in plain NumPy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.staging import STATIC, check, unknown_dims

# How a name is made from another one: views of many kinds, and copies.
MAKERS = (
    "{0}[1:]", "{0}[::-1]", "{0}[..., 0]", "{0}[None]", "{0}[:, ::2]", "{0}.T",
    "{0}.reshape(-1)", "{0}.ravel()", "{0}[i]", "{0}[:i]", "np.flip({0})", "{0} + 1",
    "np.squeeze({0})", "{0}[[0]]", "{0}.copy()", "{0}[{0} > 0]",
    "np.moveaxis({0}, 0, -1)",
    "np.expand_dims({0}, 0)", "{0}", "{0}[...]", "{0} * 2", "{0}.flatten()",
)  # fmt: skip
# How a name is changed in place.
CHANGES = (
    "{0}[0] = {1}.sum()", "{0} += 1", "{0} *= 2", "{0}[...] = 3", "{0}[{0} > 2] = 0",
    "{0}[-1] += {0}[0]", "np.negative({0}, out={0})", "{0}.fill(i)", "{0}[i:] = 5",
    "{0} += {1}", "{0}[:] = {1}", "{0}.sort()", "{0}[i] -= 1", "{0}[[0, -1]] = 4",
)  # fmt: skip

names = st.integers(0, 100)
statements = st.lists(
    st.tuples(st.booleans(), st.integers(0, 1000), names, names), min_size=1, max_size=8
)


# Whether a reshape of a strided array is a view depends on its sizes, and how many
# dims a squeezed one has.
KNOWN_SIZES = ("{0}.reshape(-1)", "{0}.ravel()", "np.squeeze({0})")
SIZE_FREE = tuple(maker for maker in MAKERS if maker not in KNOWN_SIZES)


def program(steps, makers):
    """The text of a function of an array and an index that makes and changes names."""
    known = ["a"]
    lines = ["def f(a, i):"]
    for makes, which, first, second in steps:
        x, y = known[first % len(known)], known[second % len(known)]
        if makes:
            made = "bcdefghj"[len(known) - 1]
            lines.append(f"    {made} = {makers[which % len(makers)].format(x)}")
            known.append(made)
        else:
            lines.append(f"    {CHANGES[which % len(CHANGES)].format(x, y)}")
    lines.append(f"    return {', '.join(known)},")
    return "\n".join(lines)


def is_array(x):
    return isinstance(x, np.ndarray) and x.ndim > 0


@settings(max_examples=300, deadline=None, derandomize=True)
@given(statements, st.sampled_from([STATIC, unknown_dims]))
def test_aliases_see_what_they_see_in_plain_numpy(steps, spec):
    scope = {"np": np}
    exec(program(steps, MAKERS if spec is STATIC else SIZE_FREE), scope)
    a = np.arange(12.0).reshape(3, 4) % 5
    # Shapes are checked while tracing, so before what depends on values.
    check(scope["f"], a, np.int64(1), spec=spec, any_error=True)
