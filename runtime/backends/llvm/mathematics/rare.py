"""rare: what the C library gives, in the lanes of a vector where it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backends.llvm.calls import IN_MXCSR, MXCSR
from runtime.backends.llvm.float_errors import FLAGS
from runtime.backends.llvm.mathematics.writer import Value, Writer

# The C library's functions of float32 that are called as such.
OF_SINGLE = frozenset({"powf"})
# Its `cexp`, by which part of the result is wanted.
CEXP = ("cexp_real", "cexp_imag")
# What names of NumPy's loops begin with: they give float32 of as many, and are told how
# many, where, and how far apart. What they note in another register than that of the
# arithmetic is put there, and not left in it, where a later one would find it.
LOOP = "loop_"
_BY_LOOP = """
define internal void @own_{libm}(ptr %x, ptr %to, i64 %count) noinline cold {{
  %places = alloca [2 x ptr]
  %sizes = alloca [3 x i64]
  store ptr %x, ptr %places
  %second = getelementptr ptr, ptr %places, i64 1
  store ptr %to, ptr %second
  %steps = getelementptr i64, ptr %sizes, i64 1
  %last = getelementptr i64, ptr %sizes, i64 2
  store i64 %count, ptr %sizes
  store i64 4, ptr %steps
  store i64 4, ptr %last
{before}
  call void @m_{libm}(ptr %places, ptr %sizes, ptr %steps, ptr null)
{after}
  ret void
}}"""
_FORGET = '  call void asm sideeffect "fnclex", "~{memory}"()'
_KEEP = f"""  %word = call i16 asm sideeffect "fnstsw $0", "={{ax}},~{{memory}}"()
{_FORGET}
  %wide = zext i16 %word to i32
  %noted = and i32 %wide, {FLAGS}
  %mxcsr = alloca i32
  {MXCSR.format("st", "=*m")}
  %whole = load i32, ptr %mxcsr
  %both = or i32 %whole, %noted
  store i32 %both, ptr %mxcsr
  {MXCSR.format("ld", "*m")}"""


def rare_function(
    writer: Writer, libm: str, name: str, args: Sequence[Value], found: Value
) -> tuple[str, list[str]]:
    """A function that asks it, if a vector has one; and the last lines of its caller.

    found: what the caller has computed, which is right in the other lanes
    """
    if writer.count == 1:
        return _of_one(writer, libm, name, args, found)
    rare, many = writer.rare, writer.of(found.type)
    assert rare is not None
    bits = writer.of("i1")
    words = [f"{many} {one.name}" for one in (*args, found)]
    inside = ", ".join([f"{bits} {rare.name}", *words])
    test = writer.any_of(rare)
    lines = [
        f"br i1 {test}, label %slow, label %fast, !prof !0",
        "slow:",
        f"%given = call {many} @{name}_rare({inside})",
        f"ret {many} %given",
        "fast:",
        f"ret {many} {found.name}",
    ]
    takes = ", ".join(f"{many} %x{place}" for place in range(len(args)))
    head = f"define internal {many} @{name}_rare({bits} %rare, {takes}, "
    head += f"{many} %found) noinline cold nounwind {{"
    if libm.startswith(LOOP):
        body = [*_by_loop(writer, libm), f"ret {many} %given"]
    else:
        body = _of_lanes(writer, libm, args)
    return "\n".join([head, *(f"  {line}" for line in body), "}"]), lines


def _of_one(
    writer: Writer, libm: str, name: str, args: Sequence[Value], found: Value
) -> tuple[str, list[str]]:
    kind, rare = found.type, writer.rare
    inside = ", ".join(f"{kind} {one.name}" for one in args)
    lines = [f"ret {kind} {found.name}"]
    if rare is not None:
        lines[:0] = [f"br i1 {rare.name}, label %slow, label %fast, !prof !0", "fast:"]
    lines += ["slow:", f"%given = call {kind} @{name}_rare({inside})"]
    lines.append(f"ret {kind} %given")
    body = [*_asked(writer, libm, args, "%x"), f"ret {kind} %given"]
    takes = ", ".join(f"{kind} %x{place}" for place in range(len(args)))
    head = f"define internal {kind} @{name}_rare({takes}) noinline cold nounwind {{"
    return "\n".join([head, *(f"  {line}" for line in body), "}"]), lines


def _asked(writer: Writer, libm: str, args: Sequence[Value], word: str) -> list[str]:
    """`%given`, of numbers whose names begin with a word; by a library as float64."""
    kind, symbol = args[0].type, f"m_{libm}"
    if libm.startswith(LOOP):
        return _by_loop(writer, libm)
    if libm in OF_SINGLE:
        takes = ", ".join([kind] * len(args))
        writer.declared[symbol] = f"declare {kind} @{symbol}({takes})"
        inside = ", ".join(f"{kind} {word}{place}" for place in range(len(args)))
        return [f"%given = call {kind} @{symbol}({inside})"]
    if libm in CEXP:
        pair = "{ double, double }"
        writer.declared["m_cexp"] = f"declare {pair} @m_cexp(double, double)"
        return [
            f"%both = call {pair} @m_cexp(double {word}0, double {word}1)",
            f"%given = extractvalue {pair} %both, {CEXP.index(libm)}",
        ]
    takes = ", ".join(["double"] * len(args))
    writer.declared[symbol] = f"declare double @{symbol}({takes})"
    names = [f"{word}{place}" for place in range(len(args))]
    if kind == "double":
        inside = ", ".join(f"double {one}" for one in names)
        return [f"%given = call double @{symbol}({inside})"]
    wide = [
        f"%w{place} = fpext float {one} to double" for place, one in enumerate(names)
    ]
    inside = ", ".join(f"double %w{place}" for place in range(len(args)))
    return [
        *wide,
        f"%exact = call double @{symbol}({inside})",
        "%given = fptrunc double %exact to float",
    ]


def _by_loop(writer: Writer, libm: str) -> list[str]:
    """`%given`, by NumPy's loop: of a vector all, the usual ones too."""
    writer.declared[f"m_{libm}"] = f"declare void @m_{libm}(ptr, ptr, ptr, ptr)"
    before, after = (_FORGET, _KEEP) if IN_MXCSR else ("", "")
    text = _BY_LOOP.format(libm=libm, before=before, after=after)
    writer.declared[f"own_{libm}"] = text
    many = writer.of("float")
    return [
        *(f"%p{n} = alloca {many}" for n in range(2)),
        f"store {many} %x0, ptr %p0",
        f"call void @own_{libm}(ptr %p0, ptr %p1, i64 {writer.count})",
        f"%given = load {many}, ptr %p1",
    ]


def _of_lanes(writer: Writer, libm: str, args: Sequence[Value]) -> list[str]:
    """A loop over the lanes where it is asked: a bit for each, the next one first."""
    count, kind = writer.count, args[0].type
    many, bits, places = writer.of(kind), f"i{count}", range(len(args))
    tests = writer.of("i1")
    writer.declared["llvm.cttz.i64"] = "declare i64 @llvm.cttz.i64(i64, i1)"
    lines = ["entry:", *(f"%p{n} = alloca {many}" for n in places)]
    lines += [f"store {many} %x{n}, ptr %p{n}" for n in places]
    lines += [f"%set = bitcast {tests} %rare to {bits}"]
    lines += [f"%all_of = zext {bits} %set to i64"]
    lines += ["br label %one", "one:"]
    lines += ["%left = phi i64 [ %all_of, %entry ], [ %rest, %one ]"]
    lines += [f"%have = phi {many} [ %found, %entry ], [ %now, %one ]"]
    lines += ["%i = call i64 @llvm.cttz.i64(i64 %left, i1 true)"]
    for n in places:
        lines.append(f"%q{n} = getelementptr {kind}, ptr %p{n}, i64 %i")
        lines.append(f"%y{n} = load {kind}, ptr %q{n}")
    lines += _asked(writer, libm, args, "%y")
    lines += ["%less = sub i64 %left, 1", "%rest = and i64 %left, %less"]
    # By a mask: a vector is not read from memory that was written in pieces.
    lines += ["%bit = xor i64 %left, %rest", f"%short = trunc i64 %bit to {bits}"]
    lines += [f"%here = bitcast {bits} %short to {tests}"]
    lines += [f"%first = insertelement {many} poison, {kind} %given, i64 0"]
    zeros = f"<{count} x i32> zeroinitializer"
    lines += [f"%same = shufflevector {many} %first, {many} poison, {zeros}"]
    lines += [f"%now = select {tests} %here, {many} %same, {many} %have"]
    lines += ["%more = icmp ne i64 %rest, 0"]
    lines += ["br i1 %more, label %one, label %end", "end:"]
    lines += [f"ret {many} %now"]
    return lines
