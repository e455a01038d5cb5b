"""apart: the threads that share a loop are on different processors.

Linux often wakes a thread on the processor of who woke it, and on a virtual machine
leaves the two there: idle processors look as if others had them. A loop is over before
that is put right. So a thread that finds its processor taken, by the caller or by
another thread of the crew, goes to one that is not; after that it may be anywhere, as
before.
"""

from __future__ import annotations

# What is asked of the C library; where it lacks one of these all stay where they are.
CALLED = ("sched_getcpu", "sched_getaffinity", "sched_setaffinity")
# As many processors as the C library's sets have, in words of 64.
PROCESSORS = 1024
WORDS = PROCESSORS // 64

_ANYWHERE = """
define internal void @begin_apart() {
  ret void
}

define internal void @be_apart() {
  ret void
}
"""
# `take` tells whether the processor was taken, and which it is.
_APART = """
declare i32 @sched_getcpu()
declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @sched_setaffinity(i32, i64, ptr)
declare i1 @llvm.vector.reduce.or.vWORDSi1(<WORDS x i1>)

define internal i1 @take() {
entry:
  %cpu = call i32 @sched_getcpu()
  %known = icmp ult i32 %cpu, PROCESSORS
  br i1 %known, label %mark, label %unknown
mark:
  %number = lshr i32 %cpu, 6
  %place = getelementptr i64, ptr TAKEN, i32 %number
  %low = and i32 %cpu, 63
  %wide = zext i32 %low to i64
  %bit = shl i64 1, %wide
  %before = atomicrmw or ptr %place, i64 %bit seq_cst
  %same = and i64 %before, %bit
  %was = icmp ne i64 %same, 0
  ret i1 %was
unknown:
  ret i1 false
}

define internal void @begin_apart() {
  store <WORDS x i64> zeroinitializer, ptr TAKEN, align 8
  %was = call i1 @take()
  ret void
}

define internal void @be_apart() {
entry:
  %own = alloca <WORDS x i64>, align 8
  %free = alloca <WORDS x i64>, align 8
  %was = call i1 @take()
  br i1 %was, label %ask, label %end
ask:
  %none = call i32 @sched_getaffinity(i32 0, i64 BYTES, ptr %own)
  %told = icmp sge i32 %none, 0
  br i1 %told, label %look, label %end
look:
  %may = load <WORDS x i64>, ptr %own, align 8
  %taken = load volatile <WORDS x i64>, ptr TAKEN, align 8
  %both = and <WORDS x i64> %may, %taken
  %left = xor <WORDS x i64> %may, %both
  store <WORDS x i64> %left, ptr %free, align 8
  %some = icmp ne <WORDS x i64> %left, zeroinitializer
  %any = call i1 @llvm.vector.reduce.or.vWORDSi1(<WORDS x i1> %some)
  br i1 %any, label %go, label %end
go:
  %gone = call i32 @sched_setaffinity(i32 0, i64 BYTES, ptr %free)
  %now = call i1 @take()
  %back = call i32 @sched_setaffinity(i32 0, i64 BYTES, ptr %own)
  br label %end
end:
  ret void
}
"""


def text(taken: str, can_move: bool) -> str:
    """LLVM's text of what a caller does first, and of what a thread does that joins.

    taken: the place of WORDS words, a bit for each processor
    """
    if not can_move:
        return _ANYWHERE
    made = _APART.replace("TAKEN", taken).replace("BYTES", str(8 * WORDS))
    return made.replace("WORDS", str(WORDS)).replace("PROCESSORS", str(PROCESSORS))
