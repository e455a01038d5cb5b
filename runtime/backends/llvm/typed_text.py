"""typed_text: what makes Python lists of numbers in memory, as LLVM's text."""

from __future__ import annotations

# The object of one number, with a reference of its own.
_OBJECTS = {
    "double": "  %made = call ptr @PyFloat_FromDouble(double %number)",
    "i64": "  %made = call ptr @PyLong_FromLongLong(i64 %number)",
    "i8": """\
  %holds = icmp ne i8 %number, 0
  %made = select i1 %holds, ptr @Py_True, ptr @Py_False
  call void @Py_IncRef(ptr %made)""",
}
_LIST_OF = """
define internal ptr @list_of_{kind}(ptr %data, i64 %count) noinline {{
entry:
  %list = call ptr @PyList_New(i64 %count)
  %failed = icmp eq ptr %list, null
  br i1 %failed, label %end, label %begin
begin:
  %content_at = getelementptr i8, ptr %list, i64 {content}
  %content = load ptr, ptr %content_at
  br label %head
head:
  %at = phi i64 [ 0, %begin ], [ %next, %fine ]
  %goes_on = icmp slt i64 %at, %count
  br i1 %goes_on, label %turn, label %end
turn:
  %number_at = getelementptr {kind}, ptr %data, i64 %at
  %number = load {kind}, ptr %number_at
{object}
  %none = icmp eq ptr %made, null
  br i1 %none, label %lost, label %fine
fine:
  %place = getelementptr ptr, ptr %content, i64 %at
  store ptr %made, ptr %place
  %next = add i64 %at, 1
  br label %head
lost:
  call void @Py_DecRef(ptr %list)
  br label %end
end:
  %found = phi ptr [ null, %entry ], [ %list, %head ], [ null, %lost ]
  ret ptr %found
}}
"""
_GIVEN_BACK = """
define internal ptr @{name}(ptr %list, ptr %owner, ptr %object, ptr %data, i64 %count) \
noinline {{
entry:
  %is_own = icmp eq ptr %owner, %object
  %length_at = getelementptr i8, ptr %list, i64 {length}
  %length = load i64, ptr %length_at
  %is_as_long = icmp eq i64 %count, %length
  %both = and i1 %is_own, %is_as_long
  br i1 %both, label %same, label %other
same:
  %done = call i1 @{put}(ptr %list, i64 %count, ptr %data)
  br i1 %done, label %fine, label %failed
fine:
  call void @Py_IncRef(ptr %list)
  ret ptr %list
failed:
  ret ptr null
other:
  %made = call ptr @{made}(ptr %data, i64 %count)
  ret ptr %made
}}
"""


def list_of(kind: str, content: int) -> str:
    """The function that makes a list of numbers of a memory type; null without memory.

    content: where a list keeps the place of its items
    """
    return _LIST_OF.format(kind=kind, content=content, object=_OBJECTS[kind])


def given_back(name: str, put: str, made: str, length: int) -> str:
    """The function that puts numbers into the list that they are of, or makes one.

    put, made: what does these; length: where a list keeps how long it is
    """
    return _GIVEN_BACK.format(name=name, put=put, made=made, length=length)
