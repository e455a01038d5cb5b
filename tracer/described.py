"""described: a trace's arguments and result for people, one to a line.

The form is that of TensorFlow's guides: what the graph takes by name under `Args`, the
constants in the head, and in a nested structure a number for each array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from runtime.spec import PYTHON_NUMBERS, TensorSpec, spec_of
from tracer import tree
from tracer.signature import Literal
from tracer.traced import (
    Argument,
    Constant,
    Container,
    Leaf,
    Made,
    Output,
    Picked,
    is_array,
)

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

_NUMBERS = {dtype: kind.__name__ for kind, dtype in PYTHON_NUMBERS.items()}


def described(concrete: ConcreteFunction) -> str:
    """The head, what it takes and what it returns.

    >>> import numpy as np
    >>> from tracer.function import Function
    >>> scaled = Function(lambda x, n: {"twice": x * n, "n": n}, convert=lambda f: f)
    >>> print(described(scaled.get_concrete_function(np.ones(3), 2)))
    <lambda>(x, n=2)
      Args:
        x: float64 Tensor, shape=(3,)
      Returns:
        {'twice': <1>, 'n': 2}
          <1>: float64 Tensor, shape=(3,)
    """
    head, arguments = _arguments(concrete)
    lines = [f"{concrete.name}({', '.join(head)})"]
    if arguments:
        lines += ["  Args:", *(f"    {line}" for line in arguments)]
    lines += ["  Returns:", *(f"    {line}" for line in _result(concrete))]
    return "\n".join(lines)


def _arguments(concrete: ConcreteFunction) -> tuple[list[str], list[str]]:
    """What stands in the head for each parameter, and the lines of `Args`."""
    signature = concrete.signature
    args, kwargs = tree.unflatten(signature.structure, signature.leaves)
    head, lines = [], []
    for name, argument in concrete.parameters.named(args, kwargs).items():
        leaves, structure = tree.flatten(argument)
        if any(isinstance(leaf, TensorSpec) for leaf in leaves):
            first, *rest = _whole(structure, [_argument(leaf) for leaf in leaves])
            head.append(name)
            lines += [f"{name}: {first}", *rest]
        else:
            words = [tree.Word(repr(leaf)) for leaf in leaves]
            head.append(f"{name}={tree.unflatten(structure, words)!r}")
    return head, lines


def result_in_words(concrete: ConcreteFunction) -> str:
    """The structure of what is returned, with a type for each leaf, in one line."""
    structure, leaves = concrete.result
    if structure is None:
        return "nothing: it always raises"
    return _in_one_line(concrete, structure, leaves)


def _in_one_line(
    concrete: ConcreteFunction, structure: tree.Structure, leaves: Sequence[Leaf]
) -> str:
    words = [tree.Word(leaf_in_words(concrete, leaf)) for leaf in leaves]
    return repr(tree.unflatten(structure, words))


def leaf_in_words(concrete: ConcreteFunction, leaf: Leaf) -> str:
    """What a leaf of the result is, in short."""
    if isinstance(leaf, Container):
        return f"<the {leaf.kind} passed>"
    if isinstance(leaf, Made):
        return f"<{leaf.kind}>"
    if isinstance(leaf, Constant) and not is_array(leaf):
        return repr(leaf.content)
    if isinstance(leaf, Picked):
        options = (_in_one_line(concrete, *option) for option in leaf.options)
        return " or ".join(options)
    return repr(spec_of_leaf(concrete, leaf))


def spec_of_leaf(
    concrete: ConcreteFunction, leaf: Output | Argument | Constant
) -> TensorSpec:
    """The spec of a leaf of the result that is an array or a number."""
    if isinstance(leaf, Constant):
        return spec_of(leaf.content)
    if isinstance(leaf, Argument):
        spec = concrete.signature.leaves[leaf.index]
        assert isinstance(spec, TensorSpec)
        return spec
    return concrete.traced.graph.outputs[leaf.index].spec


def _argument(leaf: TensorSpec | Literal) -> tuple[str, bool]:
    if isinstance(leaf, Literal):
        return repr(leaf), False
    return spec_in_words(leaf), True


def _result(concrete: ConcreteFunction) -> list[str]:
    structure, leaves = concrete.result
    if structure is None:
        return ["nothing: it always raises"]
    return list(_whole(structure, [_returned(concrete, leaf) for leaf in leaves]))


def _returned(concrete: ConcreteFunction, leaf: Leaf) -> tuple[str, bool]:
    """The words for a leaf of the result, and whether they stand on their own line."""
    if isinstance(leaf, Output) or is_array(leaf):
        return spec_in_words(spec_of_leaf(concrete, leaf)), True
    return leaf_in_words(concrete, leaf), False


def _whole(
    structure: tree.Structure, words: Sequence[tuple[str, bool]]
) -> Iterator[str]:
    """A structure with a number for each of its arrays, then a line for each."""
    if structure.is_leaf():
        yield words[0][0]
        return
    shown, numbered = [], []
    for text, has_line in words:
        if has_line:
            numbered.append(text)
            text = f"<{len(numbered)}>"
        shown.append(tree.Word(text))
    yield repr(tree.unflatten(structure, shown))
    for number, text in enumerate(numbered, 1):
        yield f"  <{number}>: {text}"


def spec_in_words(spec: TensorSpec) -> str:
    """A spec with the word for it and its shape as NumPy prints shapes.

    >>> spec_in_words(TensorSpec((None, "n"), "float32"))
    'float32 Tensor, shape=(None, n)'
    >>> spec_in_words(TensorSpec((), int, True)), spec_in_words(TensorSpec(None, None))
    ('int', 'unknown Tensor, shape=<unknown>')
    """
    if type(spec) is not TensorSpec:
        return repr(spec)
    kinds = [_kind(kind) for kind in spec.options]
    if spec.weak and spec.shape == ():
        return " or ".join(kinds)
    return f"{' or '.join(kinds)} Tensor, shape={_shape(spec.shape)}"


def _kind(spec: TensorSpec) -> str:
    if spec.dtype is None:
        return "unknown"
    if spec.weak and spec.dtype in _NUMBERS:
        return _NUMBERS[spec.dtype]
    return spec.dtype.name if spec.dtype.isbuiltin == 1 else str(spec.dtype)


def _shape(shape: Any) -> str:
    if shape is None:
        return "<unknown>"
    dims = ", ".join(str(dim) for dim in shape)
    return f"({dims},)" if len(shape) == 1 else f"({dims})"
