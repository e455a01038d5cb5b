"""declared: what any text may name: CPython's and NumPy's functions and objects."""

DECLARATIONS = """\
declare ptr @PyFloat_FromDouble(double)
declare ptr @PyLong_FromLongLong(i64)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyComplex_FromDoubles(double, double)
declare ptr @PyBool_FromLong(i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare i32 @PyErr_CheckSignals()
declare void @PyErr_Clear()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyObject_CallObject(ptr, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_GetAttr(ptr, ptr)
declare ptr @PyDict_GetItem(ptr, ptr)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare i32 @PyException_SetTraceback(ptr, ptr)
declare ptr @PyArray_Scalar(ptr, ptr, ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare i32 @PyArray_SetBaseObject(ptr, ptr)
declare i32 @PyArray_Sort(ptr, i32, i32)
declare ptr @PyArray_ArgSort(ptr, i32, i32)
declare ptr @PyArray_NewCopy(ptr, i32)
declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
declare i32 @PyContextVar_Get(ptr, ptr, ptr)
declare i32 @m_feclearexcept(i32)
declare i32 @m_fetestexcept(i32)
@Py_None = external global i8
@errors_variable = external global i8
@errors_default = external global i8
@errors_raise = external global i8
@warnings_names = external global i8
@warnings_filters = external global i8
@warnings_seen = external global [3 x i64]
@warnings_raise = external global i8
@type_float = external global i8
@type_int = external global i8
@type_complex = external global i8
@type_ndarray = external global i8
@Py_True = external global i8
@Py_False = external global i8
"""
