"""The run-time half: exactly what generated code calls as `ag__.<name>`."""

from functools import partial
from types import ModuleType
from typing import Any

from autograph.operators import choices as _choices  # noqa: F401 - registers choices
from autograph.operators import match_, patterns, star_calls
from autograph.operators.assert_ import assert_stmt as assert_stmt
from autograph.operators.calls import converted_call as converted_call
from autograph.operators.compare import compare as compare
from autograph.operators.compare import eq as eq
from autograph.operators.compare import in_ as in_
from autograph.operators.compare import is_ as is_
from autograph.operators.compare import is_not as is_not
from autograph.operators.compare import ne as ne
from autograph.operators.compare import not_in as not_in
from autograph.operators.comprehension import dict_comp as dict_comp
from autograph.operators.comprehension import generator_exp as generator_exp
from autograph.operators.comprehension import list_comp as list_comp
from autograph.operators.comprehension import set_comp as set_comp
from autograph.operators.debugger import debugger as debugger
from autograph.operators.decorators import decorator as decorator
from autograph.operators.for_ import for_stmt as for_stmt
from autograph.operators.frame_readers import frame_reader as frame_reader
from autograph.operators.frame_readers import of_class_body as of_class_body
from autograph.operators.fstring import f_string as f_string
from autograph.operators.fstring import formatted as formatted
from autograph.operators.fstring import percent as percent
from autograph.operators.generators import decided as decided
from autograph.operators.if_ import after as after
from autograph.operators.if_ import if_stmt as if_stmt
from autograph.operators.if_ import nothing as nothing
from autograph.operators.if_ import returned as returned
from autograph.operators.logical import and_ as and_
from autograph.operators.logical import not_ as not_
from autograph.operators.logical import or_ as or_
from autograph.operators.objects import binary as binary
from autograph.operators.objects import unary as unary
from autograph.operators.raise_ import raised as raised
from autograph.operators.stars import key_of as key_of
from autograph.operators.stars import new as new
from autograph.operators.stars import new_set as new_set
from autograph.operators.stars import star as star
from autograph.operators.stars import star_mapping as star_mapping
from autograph.operators.stars import starred as starred
from autograph.operators.stars import unpack as unpack
from autograph.operators.stores import del_attr as del_attr
from autograph.operators.stores import del_item as del_item
from autograph.operators.stores import get_attr as get_attr
from autograph.operators.stores import get_item as get_item
from autograph.operators.stores import key as key
from autograph.operators.stores import set_attr as set_attr
from autograph.operators.stores import set_item as set_item
from autograph.operators.stores import to_outer as to_outer
from autograph.operators.stores import update_attr as update_attr
from autograph.operators.stores import update_item as update_item
from autograph.operators.ternary import if_exp as if_exp
from autograph.operators.try_ import try_stmt as try_stmt
from autograph.operators.updated import update as update
from autograph.operators.while_ import while_stmt as while_stmt
from autograph.operators.with_ import with_stmt as with_stmt
from tracer import undefined
from tracer.captures import borrow as borrow
from tracer.captures import outer as outer
from tracer.exits import BREAK as BREAK
from tracer.exits import CONTINUE as CONTINUE
from tracer.exits import Return as Return
from tracer.handlers import handled as handled
from tracer.state import state_of as state_of

ld = undefined.load
ldf = partial(undefined.load, free=True)
ldu = undefined.load_or_undefined
certain = undefined.without_flag


# Names of constructs that few first calls have, and the modules that they wait in.
_LATER: dict[str, ModuleType] = {
    **dict.fromkeys(("Case", "match_stmt"), match_),
    **dict.fromkeys(("MatchAs", "MatchClass", "MatchMapping", "MatchOr"), patterns),
    **dict.fromkeys(("MatchSequence", "MatchSingleton", "MatchStar"), patterns),
    "MatchValue": patterns,
    "starred_call": star_calls,
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = thing = getattr(_LATER[name], name)
    return thing


# The annotation that makes a name local; it is never evaluated.
local = None
