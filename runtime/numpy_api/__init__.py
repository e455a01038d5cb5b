"""NumPy on tensors: its functions, methods, operators and indexing in terms of ops.

`runtime.tensor` reaches these by the registration below, since they are built on it.
"""

from runtime import operators as _operators
from runtime.build import note_unconverted
from runtime.numpy_api import joining, mutating, products, reductions, trimming
from runtime.numpy_api.asking import raise_as_python
from runtime.numpy_api.create import CREATION, array
from runtime.numpy_api.host_views import part_made
from runtime.numpy_api.indexing import layout, view
from runtime.numpy_api.refusals import (
    attribute,
    call_function,
    call_ufunc,
    created,
    getitem,
    operate,
    operate_in_place,
    store,
)
from runtime.numpy_api.storing import set_item
from runtime.numpy_api.table import FUNCTIONS
from runtime.numpy_api.views import set_attribute
from runtime.objects import length, text

_operators.set_numpy_api(
    _operators.NumpyApi(
        getitem=getitem,
        layout=layout,
        set_item=set_item,
        call_ufunc=call_ufunc,
        call_function=call_function,
        attribute=attribute,
        set_attribute=set_attribute,
        operate=operate,
        operate_in_place=operate_in_place,
        array=array,
        view=view,
        part_made=part_made,
        length=length,
        text=text,
        raise_as_python=raise_as_python,
        note_unconverted=note_unconverted,
    )
)

__all__ = [
    "CREATION",
    "FUNCTIONS",
    "array",
    "attribute",
    "call_function",
    "call_ufunc",
    "created",
    "getitem",
    "joining",
    "mutating",
    "operate",
    "operate_in_place",
    "products",
    "reductions",
    "store",
    "trimming",
]
