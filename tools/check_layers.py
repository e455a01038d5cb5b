"""Check that imports go down, `autograph -> tracer -> runtime`, openly, in no circle.

ruff's banned imports say the same at the line while one types; this file adds what
ruff cannot see: imports hidden in functions, circles, names imported by string, and
libraries that nobody listed. It reads the source and imports nothing.

    python tools/check_layers.py [ROOT]
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

# Top to bottom: a package may import those after it.
LAYERS = ("autograph", "tracer", "runtime")

# The other distributions that a package, or a folder in it, may import.
LIBRARIES = {
    "autograph": {"astunparse", "gast", "numpy", "optree"},
    "autograph.pytest_plugin": {"pytest"},
    "tracer": {"numpy", "optree"},
    "runtime": {"numpy"},
    "runtime.backends.llvm": {"llvmlite"},
    "runtime.backends.xla": {"jax", "jaxlib"},
    "runtime.backends.onnx": {"onnx", "onnxruntime"},
}

# (module, what it imports inside a function) -> why it may not be at the top.
LAZY: dict[tuple[str, str], str] = {
    ("autograph.breakpoints", "runtime.debugger"): "loads pdb: only who stops",
    ("autograph.operators.debugger", "runtime.debugger"): "loads pdb: only who stops",
    ("autograph.function", "autograph.conversion"): "start-up: only a trace converts",
    ("autograph.function", "autograph.operators"): "start-up: only a trace converts",
    (
        "autograph.py_functions",
        "runtime.numpy_api.callbacks",
    ): "start-up: only a trace needs it",
    ("tracer.put_off", "tracer.waiting"): "start-up: few calls are put off",
    ("tracer.again", "runtime.passes.prune"): "start-up: only a trace has a graph",
    ("runtime.config", "runtime.log"): "start-up: only who logs loads `logging`",
    ("runtime.ops.places", "mmap"): "start-up: only where a loop takes such views",
    (
        "runtime.backends.llvm.library",
        "runtime.backends.llvm.library_rows",
    ): "first calls: few programs have such a function of NumPy's",
    (
        "runtime.backends.numpy.executor",
        "runtime.backends.llvm.having",
    ): "start-up: only who loops",
    (
        "runtime.backends.numpy.executor",
        "runtime.backends.llvm.hot",
    ): "start-up: only who loops",
    (
        "runtime.backends.numpy.executor",
        "runtime.backends.llvm.regions",
    ): "start-up: only a graph that is compiled",
    (
        "runtime.backends.llvm.hot",
        "runtime.backends.llvm.hot_code",
    ): "start-up: only what runs for long",
    (
        "runtime.backends.llvm.hot",
        "runtime.backends.llvm.kept_program",
    ): "start-up: only what runs for long",
    (
        "runtime.backends.llvm.hot",
        "runtime.backends.llvm.rests",
    ): "start-up: only what runs for long",
    (
        "runtime.backends.llvm.kept_program",
        "runtime.backends.llvm.hot_code",
    ): "loads all that lowers: only who compares with it",
    (
        "runtime.backends.llvm.kept_program",
        "runtime.backends.llvm.product_choice",
    ): "start-up: only who multiplies matrices",
    (
        "runtime.backends.llvm.values",
        "runtime.backends.llvm.mathematics",
    ): "start-up: only who wants it less precise",
    (
        "runtime.backends.llvm.having",
        "runtime.backends.llvm.clocks",
    ): "start-up: only who asks for the time",
    (
        "runtime.backends.llvm.having",
        "runtime.backends.llvm.draws",
    ): "start-up: only who draws",
    (
        "runtime.backends.llvm.having",
        "runtime.backends.llvm.python_draws",
    ): "start-up: only who draws",
    (
        "runtime.backends.llvm.building",
        "runtime.backends.llvm.linking",
    ): "start-up: only what is machine code",
    (
        "runtime.backends.llvm.linking",
        "runtime.backends.llvm.linker",
    ): "loads llvmlite: only an object that is not as foreseen",
    (
        "runtime.backends.llvm.versions",
        "runtime.backends.llvm.machine",
    ): "loads llvmlite: only what no earlier program has kept",
    (
        "runtime.backends.llvm.building",
        "runtime.backends.llvm.engine",
    ): "start-up: only what no earlier program has kept",
    ("tracer.entering", "tracer.entries"): "start-up: only who calls often",
    (
        "tracer.entries",
        "runtime.backends.llvm.vectorcall",
    ): "start-up: only who calls often",
    (
        "tracer.by_python",
        "runtime.backends.llvm.python_entry",
    ): "start-up: only who calls often",
    (
        "tracer.by_python",
        "runtime.backends.llvm.vectorcall",
    ): "start-up: only who calls often",
    ("runtime.graph", "runtime.independent"): "start-up: only who asks for parts",
    ("runtime.graph", "runtime.view.dot"): "start-up: only who looks at a picture",
    ("runtime.graph", "runtime.view.html"): "start-up: only who looks at a picture",
    ("runtime.graph", "runtime.view.svg"): "start-up: only who looks at a picture",
    ("runtime.operators", "runtime.numpy_api"): "start-up: only a trace needs it",
    ("tracer.concrete", "tracer.inspected"): "loads llvmlite: only who looks at it",
    ("tracer.shown", "tracer.inspected"): "loads llvmlite: only who looks at it",
    ("tracer.concrete", "tracer.cost"): "start-up: only who counts",
    ("tracer.concrete", "tracer.profile"): "start-up: only who measures",
    ("autograph.function", "tracer.input_signature"): "start-up: few give one",
    ("tracer.function", "tracer.input_signature"): "start-up: few give one",
    ("tracer.function", "tracer.lookup"): "start-up: only a call needs it",
    ("tracer.function", "tracer.asked_by_c"): "start-up: only a trace needs it",
    ("tracer.many_traces", "tracer.excess"): "start-up: only who traces too often",
    (
        "tracer.short_keys",
        "tracer.remembering",
    ): "start-up: only who calls again",
    ("tracer.shown", "tracer.traces"): "start-up: only who asks for reasons",
    ("tracer.log", "tracer.traces"): "start-up: only who logs traces",
}

STANDARD = sys.stdlib_module_names | {"__future__"}


@dataclass(frozen=True, slots=True)
class Import:
    """One module named by one import statement of module `importer`."""

    importer: str
    path: Path
    line: int
    target: str
    hidden: bool  # inside a function
    typing: bool  # under `if TYPE_CHECKING:`


def problems(root: Path, lazy: Mapping[tuple[str, str], str]) -> list[str]:
    """What breaks the layering in the packages under `root`, one line each."""
    files = {module_name(root, path): path for path in source_files(root)}
    found = [
        edge
        for module, path in files.items()
        for edge in imports_of(module, path, files)
    ]
    lines = [
        f"{edge.path.relative_to(root)}:{edge.line}: {complaint}"
        for edge in found
        for complaint in complaints(edge, lazy)
    ]
    used = {(edge.importer, edge.target) for edge in found if edge.hidden}
    lines += [
        f"tools/check_layers.py: LAZY names {module} -> {target}, which is not there"
        for module, target in lazy
        if (module, target) not in used
    ]
    return lines + circles(found, set(files))


def source_files(root: Path) -> list[Path]:
    """Every Python file of the three packages, in a fixed order."""
    return [path for layer in LAYERS for path in sorted((root / layer).rglob("*.py"))]


def module_name(root: Path, path: Path) -> str:
    """The dotted name under which `path` is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(
    module: str, path: Path, modules: Mapping[str, Path]
) -> Iterator[Import]:
    """The imports of one file, at any depth."""
    tree = ast.parse(path.read_bytes(), filename=str(path))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node, hidden, typing in walk(tree, hidden=False, typing=False):
        for target in targets(node, package, modules):
            yield Import(module, path, node.lineno, target, hidden, typing)


def walk(
    node: ast.AST, *, hidden: bool, typing: bool
) -> Iterator[tuple[ast.stmt | ast.expr, bool, bool]]:
    """Statements and expressions, each with: in a function? under TYPE_CHECKING?"""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.expr):
            yield child, hidden, typing
        in_function = isinstance(
            child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
        )
        for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(
            child.test
        )
        yield from walk(child, hidden=hidden or in_function, typing=typing or for_types)


def targets(node: ast.AST, package: str, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules that a statement, or a call of `import_module`, names."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=base, names=names, level=level):
            outer = package.split(".")[: 1 - level or None] if level else []
            prefix = ".".join([*outer, base] if base else outer)
            for alias in names:
                submodule = f"{prefix}.{alias.name}"
                yield submodule if submodule in modules else prefix
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module")
            | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(target)), *_],
        ):
            yield target


def complaints(edge: Import, lazy: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """What is wrong with one import; each is a sentence about that line."""
    layer, target = edge.importer.split(".")[0], edge.target.split(".")[0]
    if target in LAYERS and LAYERS.index(target) < LAYERS.index(layer):
        yield f"{layer} imports {edge.target}: imports go {' -> '.join(LAYERS)}"
    if target not in LAYERS and target not in STANDARD and target not in allowed(edge):
        yield f"{edge.importer} imports {target}, which LIBRARIES does not give it"
    if edge.hidden and (edge.importer, edge.target) not in lazy:
        yield (
            f"{edge.target} is imported inside a function: move it to the top, or "
            "give the reason in LAZY of tools/check_layers.py"
        )


def allowed(edge: Import) -> set[str]:
    """The libraries given to the importing module or to a folder around it."""
    importer = f"{edge.importer}."
    return {
        library
        for folder, libraries in LIBRARIES.items()
        if importer.startswith(f"{folder}.")
        for library in libraries
    }


def circles(found: list[Import], modules: set[str]) -> list[str]:
    """The first circle among the imports that run at import time, if there is one."""
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for edge in found:
        # A package's file that imports a part of it, and that part importing the
        # package's file, is a circle too; importing a sibling is none.
        runs = not edge.hidden and not edge.typing
        if runs and edge.target in modules and edge.target != edge.importer:
            graph[edge.importer].add(edge.target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # graphlib lists each module before the one that imports it.
        return [f"circle: {' imports '.join(reversed(error.args[1]))}"]
    return []


def main(arguments: list[str]) -> int:
    """Print the problems under the folder named, by default the project's."""
    default = Path(__file__).resolve().parent.parent
    root = Path(arguments[0]).resolve() if arguments else default
    lines = problems(root, LAZY)
    print("\n".join(lines) if lines else "layers: imports go down")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
