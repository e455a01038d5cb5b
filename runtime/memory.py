"""Memory: which results may lie in the memory of an input, and who keeps an input.

What is not known to make an array of its own is taken to return any of its inputs, or
memory of others: an op missing from MAKES costs a copy, never a wrong result.
"""

from __future__ import annotations

import numpy as np

from runtime.graph import Node

# Besides the ufuncs: their results are arrays of their own, whatever the inputs.
MAKES = {
    *("copy", "cast", "strong", "store", "put_along_axis", "index", "take"),
    *("take_along_axis", "where", "nonzero", "flatnonzero", "argwhere", "clip"),
    *("zeros", "ones", "empty", "full", "arange", "linspace", "eye", "tri"),
    *("concatenate", "stack", "roll", "tile", "repeat", "pad", "tril", "triu"),
    *("matmul", "dot", "vdot", "inner", "outer", "kron", "tensordot", "trace"),
    *("sum", "prod", "min", "max", "mean", "var", "std", "any", "all", "ptp"),
    *("argmin", "argmax", "count_nonzero", "cumsum", "cumprod"),
    *("sort", "argsort", "searchsorted", "unique", "bincount", "dim", "size"),
    *(
        *("masked_ufunc", "ufunc_into", "ufunc_at"),
        "ufunc_into_each",
        "list_stack",
        "list_len",
        *("table_at", "table_find", "table_has", "table_len", "table_same"),
        "table_members",
        "write_through",
        "with_part",
        "random_bits",
        *(
            *("own_place", "apart"),
            "sliced_place",
            "stand_in",
            "place_of",
            "is_reshaped",
            "has_no_dims",
            "is_number",
            "changed_or_new",
        ),
    ),
}
# Their results are lists of their own, whatever lists come in.
MAKES_LISTS = {
    *("list_of", "list_from_array", "list_zip", "list_cast", "list_append"),
    *("list_extend", "list_insert", "list_pop", "list_set", "list_delete"),
    *("list_reverse", "list_sort", "list_get", "list_repeat", "list_take"),
    *(
        "list_order",
        "list_tuple",
        "list_deque",
        "deque_pop",
        "deque_rotate",
        *("deque_set", "deque_delete", "placeholder", "heap_push", "heap_pop"),
        "heap_order",
        "merge_order",
        *("table_of", "table_put", "table_delete", "table_delete_last"),
        *("table_whole", "table_members"),
        *("table_order", "list_put", "list_put_new", "table_put_all"),
        *("list_put_all", "list_put_all_new", "list_count_all"),
    ),
}
# Lists of their own, also where the lists that come in hold lists.
COPIES_ROWS = {
    *(
        "row_get",
        "row_len",
        "row_item",
        "rows_flat",
        "rows_split",
        "rows_given",
        "list_given",
        "row_add",
        "row_set",
    ),
    *("row_append", "row_set_item", "row_pop"),
}
# Views of the first input that are ordinary writable arrays: no element lies under two
# indices, and nothing marks them as read-only.
WRITABLE_VIEWS = {
    *("slice", "transpose", "swapaxes", "moveaxis", "expand_dims", "squeeze"),
    *("reshape", "ravel", "flip", "rot90", "split", "identity", "as_kind"),
    "reshape_like",
    "part_at",
    "view_bits",
}
# NumPy's functions without an op that do the same.
MAKES_CALLED = (np.empty_like, np.zeros_like, np.ones_like, np.full_like)
# They give their first input changed, and may change it where nobody can tell.
STORES = ("store", "masked_ufunc", "ufunc_into", "ufunc_at")
# They have effects, yet no reference to an input outlives them.
FORGETS = {
    *("print", "assert", "raise", "require_defined", "require_writable"),
    *("require_array", "require_output"),
    "assign_variable",
}


def makes_its_own(node: Node) -> bool:
    """True when no result shares memory with an input or with anything else."""
    ufunc = isinstance(node.op.numpy, np.ufunc)
    # That it may fail in a try changes nothing, so only the op's own effects count.
    own = node.op.effects_of(node.attributes)
    if node.op.name == "host_call":
        function = node.attributes["function"]
        return not own and any(function is one for one in MAKES_CALLED)
    copies = node.attributes.get("copies") is True
    return (ufunc or copies or node.op.name in MAKES) and not own


def gives_writable_view(node: Node) -> bool:
    """True where the result is such a view of the first input."""
    if node.op.name in ("real", "imag"):
        dtype = node.inputs[0].spec.dtype
        return dtype is not None and dtype.kind == "c"
    return node.op.view and node.op.name in WRITABLE_VIEWS


def keeps_inputs(node: Node) -> bool:
    """True when something outside may hold on to an input after the node has run."""
    own = node.op.effects_of(node.attributes)
    return bool(own) and node.op.name not in FORGETS
