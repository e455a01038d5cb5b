"""Programs that change what is outside of a function, by all the ways to do so."""

from tests.conformance.outer_rows import THRICE, Row

WAYS: dict[str, Row] = {
    "by setattr": (
        """
class O: n=0
o=O()
""",
        """
def f(x):
    setattr(o,'n',o.n+1)
    return o.n*x
""",
        THRICE,
        "o.__dict__",
    ),
    "by vars": (
        """
class O: pass
o=O(); o.n=0
""",
        """
def f(x):
    vars(o)['n']+=1
    return o.n*x
""",
        THRICE,
        "o.__dict__",
    ),
    "by __dict__": (
        """
class O: pass
o=O(); o.n=0
""",
        """
def f(x):
    o.__dict__['n']+=1
    return o.n*x
""",
        THRICE,
        "o.__dict__",
    ),
    "by update of __dict__": (
        """
class O: pass
o=O(); o.n=0
""",
        """
def f(x):
    o.__dict__.update(n=o.n+1)
    return o.n*x
""",
        THRICE,
        "o.__dict__",
    ),
    "by globals()": (
        "n=0",
        """
def f(x):
    globals()['n']+=1
    return n*x
""",
        THRICE,
        "n",
    ),
    "slots": (
        """
class O:
    __slots__=('n',)
o=O(); o.n=0
""",
        """
def f(x):
    o.n+=1
    return o.n*x
""",
        THRICE,
        "o.n",
    ),
    "a property": (
        """
class O:
    _n=0
    @property
    def n(s): return s._n
    @n.setter
    def n(s,v): s._n=v
o=O()
""",
        """
def f(x):
    o.n+=1
    return o.n*x
""",
        THRICE,
        "o._n",
    ),
    "a __setattr__": (
        """
class O:
    def __setattr__(s,k,v): object.__setattr__(s,k,v); object.__setattr__(s,'last',k)
o=O(); o.n=0
""",
        """
def f(x):
    o.n+=1
    return o.n*x
""",
        THRICE,
        "o.__dict__",
    ),
    "deleted attributes": (
        """
class O: pass
o=O()
""",
        """
def f(x):
    if hasattr(o,'n'): del o.n
    else: o.n=x
    return x
""",
        THRICE,
        "o.__dict__",
    ),
    "deleted globals": (
        "g=1",
        """
def f(x):
    global g
    try:
        del g
    except NameError: g=x
    return x
""",
        THRICE,
        "globals().get('g')",
    ),
    "a target of for": (
        "i=5",
        """
def f(x):
    global i
    for i in range(int(x)+3): pass
    return x
""",
        THRICE,
        "i",
    ),
    "a target of for over data": (
        "i=5",
        """
def f(x):
    global i
    for i in range(x): pass
    return x
""",
        ["np.int64(2)", "np.int64(0)", "np.int64(4)"],
        "i",
    ),
    "a walrus": (
        "i=5",
        """
def f(x):
    global i
    if (i:=x)>1: return i
    return -i
""",
        THRICE,
        "i",
    ),
    "a context manager": (
        """
class C:
    n=0
    def __enter__(s): s.n+=1; return s
    def __exit__(s,*a): s.n+=10
c=C()
""",
        """
def f(x):
    with c as d:
        y=x*d.n
    return y
""",
        THRICE,
        "c.n",
    ),
    "an iterator of the user's": (
        """
class C:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        return s.n
c=C()
""",
        """
def f(x):
    return next(c)*x
""",
        THRICE,
        "c.n",
    ),
    "a cached property": (
        """
import functools
class C:
    k=0
    @functools.cached_property
    def v(s): s.k+=1; return s.k
c=C()
""",
        """
def f(x):
    return c.v*x
""",
        THRICE,
        "c.__dict__",
    ),
    "a recursion that counts": (
        "calls=0",
        """
def f(n):
    global calls
    calls+=1
    if n<=1: return 1
    return n*f(n-1)
""",
        ["np.int64(3)", "np.int64(1)", "np.int64(5)"],
        "calls",
    ),
    "a recursion that appends": (
        "calls=[]",
        """
def f(n):
    calls.append(n)
    if n<=1: return 1
    return n*f(n-1)
""",
        ["np.int64(3)", "np.int64(1)", "np.int64(5)"],
        "calls",
    ),
    "a helper's recursion": (
        """
calls=0
def fac(n):
    global calls
    calls+=1
    if n<=1: return 1
    return n*fac(n-1)
""",
        """
def f(n):
    return fac(n)
""",
        ["np.int64(3)", "np.int64(1)", "np.int64(5)"],
        "calls",
    ),
    "in a comprehension": (
        "l=[]",
        """
def f(x):
    return sum([l.append(v) or v for v in x])
""",
        ["np.array([1.,2])"] * 3,
        "l",
    ),
    "in a lambda": (
        "l=[]",
        """
def f(x):
    g=lambda v: l.append(v)
    for v in x: g(v)
    return x
""",
        ["np.array([1.,2])"] * 3,
        "l",
    ),
    "nonlocal of a nested function": (
        """
def mk():
    n=0
    def f(x):
        def inner(k):
            nonlocal n
            n+=k
        if x>0: inner(1)
        inner(2)
        return n*x
    return f,lambda:n
ff,get=mk()
""",
        "f=ff",
        THRICE,
        "get()",
    ),
    "a bytearray": (
        "b=bytearray(b'ab')",
        """
def f(x):
    b.append(3)
    return len(b)*x
""",
        THRICE,
        "b",
    ),
    "inserted": (
        "l=[3,1,2]",
        """
def f(x):
    l.reverse()
    l.insert(0,x)
    return l[-1]
""",
        THRICE,
        "l",
    ),
    "a heap": (
        """
import heapq
l=[]
""",
        """
def f(x):
    heapq.heappush(l,x)
    return l[0]
""",
        THRICE,
        "l",
    ),
    "arrays in a branch": (
        "l=[]",
        """
def f(x):
    if x.sum()>0: l.append(x)
    else: l.append(x*2)
    return len(l)
""",
        [
            "np.array([1.,2])",
            "np.array([1.,-2])",
            "np.array([1.,2])",
            "np.array([1.,-2])",
        ],
        "l",
    ),
    "items bound anew": (
        "l=[]",
        """
def f(x):
    l.append(x)
    l[0]=l[0]+1
    return l[-1]
""",
        ["np.array([1.,2])"] * 3,
        "l",
    ),
    "an array of a list, in place": (
        "l=[np.zeros(2)]",
        """
def f(x):
    l[0]+=x
    return l[0]
""",
        ["np.array([1.,2])"] * 3,
        "l",
    ),
}
