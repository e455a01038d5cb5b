"""Rows of builtin_rows.py for the standard library: math, operator, itertools ..."""

from __future__ import annotations

from tests.conformance.builtin_rows import ROWS as ROWS
from tests.conformance.builtin_rows import programs, rows

_ONE = """
acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs
floor frexp gamma isfinite isinf isnan lgamma log log10 log1p log2 modf radians sin sinh
sqrt tan tanh trunc ulp
""".split()
_TWO = """
atan2 copysign fmod hypot isclose log nextafter pow remainder
""".split()
for name in _ONE:
    rows("math", f"math.{name}(x)", f"math.{name}(r)")
for name in _TWO:
    rows("math", f"math.{name}(x, y)", f"math.{name}(r, 2)")
for name in ("comb", "gcd", "lcm", "perm"):
    rows("math", f"math.{name}(n, j)", f"math.{name}(i, 2)", f"math.{name}(x, 2)")
rows(
    "math",
    "math.factorial(n)",
    "math.factorial(i)",
    "math.isqrt(n)",
    "math.isqrt(i)",
    "math.sqrt(i)",
    "math.sqrt(n)",
    "math.sqrt(a)",
    "math.sqrt(a[:1])",
    "math.floor(n)",
    "math.floor(a[0])",
    "math.ceil(i)",
    "math.ldexp(x, 3)",
    "math.ldexp(r, n)",
    "math.ldexp(x, i)",
    "math.fsum(a)",
    "math.fsum([x, y, 0.1])",
    "math.fsum(v * v for v in a)",
    "math.prod(a)",
    "math.prod(k)",
    "math.prod([x, i])",
    "math.prod([n, 2])",
    "math.prod(a, start=x)",
    "math.prod([], start=n)",
    "math.prod(range(1, n))",
    "math.hypot(x, y, 1.0)",
    "math.hypot(*a)",
    "math.dist([x, y], [0, 1])",
    "math.dist(a, a)",
    "math.dist((x,), (r,))",
    "math.gcd(n, j, 12)",
    "math.gcd()",
    "math.gcd(n)",
    "math.lcm(n, 6)",
    "math.isclose(x, y, rel_tol=1e-3)",
    "math.isclose(a[0], 1.5, abs_tol=x)",
    "math.log(x, 2)",
    "math.log(n, 10)",
    "math.log(n)",
    "math.pow(n, 2)",
    "math.perm(n)",
    "math.pi * x",
    "math.nan + x",
    "math.inf > x",
    "math.exp(1000 * x)",
    "math.exp('a')",
    "math.sin()",
    "math.floor(c)",
    "math.sqrt(b)",
    "math.floor(x) // 2",
    "math.modf(x)[0]",
    "math.frexp(x)[1] + n",
    "[math.sqrt(abs(v)) for v in a]",
)
for name in (
    "acos acosh asin asinh atan atanh cos cosh exp isfinite isinf isnan log log10 "
    "phase polar sin sinh sqrt tan tanh"
).split():
    rows("cmath", f"cmath.{name}(c)", f"cmath.{name}(x)")
rows("cmath", "cmath.rect(x, y)", "cmath.isclose(c, z)", "cmath.log(c, 2)")

for name in (
    "add and_ concat contains countOf eq floordiv ge getitem gt iadd iand ifloordiv "
    "ilshift imod imul index indexOf inv invert ior ipow irshift is_ is_not isub "
    "itruediv ixor le lshift lt mod mul ne neg not_ or_ pos pow rshift sub truediv "
    "truth xor abs"
).split():
    if name in ("inv", "invert", "neg", "not_", "pos", "truth", "abs", "index"):
        rows("operator", *(f"operator.{name}({v})" for v in "xni"))
    elif name in ("concat", "contains", "countOf", "indexOf"):
        rows("operator", f"operator.{name}([x, y], [y])", f"operator.{name}([x, y], y)")
        rows("operator", f"operator.{name}(a, 2.5)")
    elif name == "getitem":
        rows("operator", "operator.getitem(a, 1)", "operator.getitem([x, y], 0)")
        rows("operator", "operator.getitem([1, 2, 3, 4], j)", "operator.getitem(a, j)")
    else:
        rows("operator", f"operator.{name}(x, y)", f"operator.{name}(n, 2)")
        rows("operator", f"operator.{name}(i, j)", f"operator.{name}(k, 2)")
rows(
    "operator",
    "operator.matmul(a, a)",
    "operator.length_hint(a)",
    "operator.itemgetter(1)(a)",
    "operator.itemgetter(0, 2)(a)",
    "operator.itemgetter('u')({'u': x})",
    "operator.attrgetter('real')(x)",
    "operator.attrgetter('shape', 'ndim')(a)",
    "operator.methodcaller('sum')(a)",
    "operator.methodcaller('scaled', x)(Thing(y))",
    "operator.itemgetter(i)([1, 2, 3, 4])",
    "sorted([(x, 1), (y, 0)], key=operator.itemgetter(1))",
)
programs(
    "operator",
    setitem="b = a.copy()\noperator.setitem(b, 1, x)\nreturn b",
    setitem_list="b = [0, 0]\nif x > 0:\n    operator.setitem(b, 1, x)\nreturn b",
    delitem="b = [x, y, 1]\noperator.delitem(b, 0)\nreturn b",
    iadd_array="b = a\nb = operator.iadd(b, 1)\nreturn a, b",
    iadd_list="b = [x]\noperator.iadd(b, [y])\nreturn b",
)
rows(
    "functools",
    "functools.reduce(operator.add, a)",
    "functools.reduce(lambda u, v: u * v, a, 1)",
    "functools.reduce(lambda u, v: u if u > v else v, a)",
    "functools.reduce(lambda u, v: u if u > v else v, [x, y, 1.0])",
    "functools.reduce(max, [x, y])",
    "functools.reduce(max, a)",
    "functools.reduce(operator.mul, range(1, n + 1), 1)",
    "functools.reduce(operator.add, [], x)",
    "functools.reduce(operator.add, [])",
    "functools.reduce(operator.add, a[:0])",
    "functools.reduce(operator.add, [[x], [y]])",
    "functools.partial(pow, x)(2)",
    "functools.partial(max, x)(y)",
    "functools.partial(lambda u, v: u if u > v else v, v=x)(y)",
    "squared(x)",
    "squared(n)",
    "squared(3) * x",
    "positive(x)",
    "positive.__name__",
    "functools.cmp_to_key(lambda u, v: u - v)(x) < functools.cmp_to_key(None)(y)",
    "sorted([3, 1, 2], key=functools.cmp_to_key(lambda u, v: u - v)) + [x]",
)
rows(
    "itertools",
    "list(itertools.chain([x], (y, 1)))",
    "list(itertools.chain(a, k))",
    "list(itertools.chain.from_iterable([[x], [y]]))",
    "sum(itertools.chain(a, [x]))",
    "list(itertools.product([x, y], [1, 2]))",
    "[u * v for u, v in itertools.product(a, k)]",
    "list(itertools.product([x, 1], repeat=2))",
    "list(itertools.accumulate(a))",
    "list(itertools.accumulate([x, y, 1]))",
    "list(itertools.accumulate(a, operator.mul))",
    "list(itertools.accumulate(a, max))",
    "list(itertools.accumulate(a, lambda u, v: u if u > v else v))",
    "list(itertools.accumulate([1, 2], initial=x))",
    "list(itertools.islice(a, 2))",
    "list(itertools.islice([x, y, 1], 1, None))",
    "list(itertools.islice(itertools.count(n), 3))",
    "list(itertools.islice(a, i))",
    "list(itertools.takewhile(lambda v: v > 1, a))",
    "list(itertools.takewhile(lambda v: v < 2, [1, 2, 3]))",
    "list(itertools.dropwhile(lambda v: v > 1, a))",
    "sum(itertools.takewhile(lambda v: v > 1, a))",
    "list(itertools.repeat(x, 3))",
    "list(itertools.repeat(x, n))",
    "list(itertools.pairwise(a))",
    "list(itertools.pairwise([x, y, 1]))",
    "list(itertools.combinations(a, 2))",
    "list(itertools.permutations([x, y]))",
    "list(itertools.combinations_with_replacement([x, y], 2))",
    "list(itertools.zip_longest(a, [x]))",
    "list(itertools.zip_longest([x, y], [1], fillvalue=0))",
    "list(itertools.starmap(pow, [(x, 2), (y, 1)]))",
    "list(itertools.starmap(lambda u, v: u if u > v else v, [(x, y), (y, 1)]))",
    "list(itertools.filterfalse(lambda v: v > 0, a))",
    "list(itertools.filterfalse(lambda v: v > 1, [1, 2]))",
    "list(itertools.compress([x, y], [1, 0]))",
    "list(itertools.compress([1, 2], [x > 0, y > 0]))",
    "[(u, list(v)) for u, v in itertools.groupby(a)]",
    "[(u, len(list(v))) for u, v in itertools.groupby([1, 1, 2])] + [x]",
    "[next(itertools.cycle(a)) for _ in range(4)]",
    "list(itertools.tee(a)[1])",
)
programs(
    "itertools",
    count_with_break="""
t = 0.0
for m in itertools.count():
    t = t + 0.5
    if t > y or m > 5:
        break
return t, m
""",
    count_staged_start="""
for m in itertools.count(n, 2):
    if m > 50:
        break
return m
""",
    cycle_with_break="""
t = 0
for v in itertools.cycle([1, 2, 3]):
    t = t + v
    if t > i:
        break
return t
""",
    repeat_with_break="""
t = 0
for v in itertools.repeat(x):
    t = t + 1
    if t > i:
        break
return t, v
""",
    chain_loop="""
t = 0.0
for v in itertools.chain(a, k):
    if v > 1:
        t = t + v
return t
""",
    takewhile_loop="""
t = 0.0
for v in itertools.takewhile(lambda v: v > 1, a):
    t = t + v
return t
""",
    dropwhile_loop="""
t = 0.0
for v in itertools.dropwhile(lambda v: v > 1, a):
    t = t + v
return t
""",
    islice_loop="""
t = 0.0
for v in itertools.islice(a, 1, None):
    t = t + v
return t
""",
    pairwise_loop="""
t = 0
for u, v in itertools.pairwise(a):
    if u < v:
        t += 1
return t
""",
    product_loop="""
t = 0.0
for u, v in itertools.product(a, k):
    if u > v:
        t = t + u * v
return t
""",
    accumulate_loop="""
t = 0.0
for v in itertools.accumulate(a):
    if v > t:
        t = v
return t
""",
    zip_longest_loop="""
t = 0.0
for u, v in itertools.zip_longest(a, k, fillvalue=0):
    if u > v:
        t = t + u * v
return t
""",
)
rows(
    "iteration",
    "list(a)",
    "tuple(a)",
    "set([x])",
    "list(zip(a, k))",
    "list(zip(a, [1, 2]))",
    "list(zip([x, y], 'ab'))",
    "list(enumerate(a))",
    "list(enumerate([x, y], 1))",
    "list(enumerate(a, n))",
    "list(map(abs, a))",
    "list(map(lambda v: v if v > 0 else 0.0, a))",
    "list(map(pow, [x, y], [2, 1]))",
    "list(map(math.floor, [x, 1.5]))",
    "list(map(float, a))",
    "list(filter(None, [1, 0, 2])) + [x]",
    "list(filter(lambda v: v > 0, a))",
    "list(filter(lambda v: v > 1, [1, 2, 3])) + [x]",
    "len(list(filter(lambda v: v > 0, a)))",
    "sum(filter(lambda v: v > 0, a))",
    "list(reversed(a))",
    "list(reversed([x, y]))",
    "next(iter(a))",
    "next(iter([x, y]))",
    "next(iter([]), x)",
    "next(v for v in [x, y])",
    "next((v for v in a if v > 1), None)",
    "dict(zip('ab', [x, y]))",
    "dict(u=x, v=y)",
    "dict([('u', x)])",
    "list(range(n))",
    "list(range(3)) + [x]",
    "list({'a': x}.items())",
    "slice(1, n)",
    "a[slice(0, 2)]",
    "list(a[:n])",
    "frozenset([1, 2]) == {1, 2} or x",
    "bytes(n)",
    "memoryview(b'ab')[0] + n",
    "[*a, *k]",
    "vars(Thing(x))",
    "dir(x)[0]",
    "list(a.flat)",
    "aiter(x)",
    "iter(x)",
    "iter(n)",
    "next(x)",
    "reversed(x)",
    "list(x)",
    "len(reversed([x]))",
    "list(iter(lambda: 1, 1)) + [x]",
)
rows(
    "sorted",
    "sorted(a)",
    "sorted(k)",
    "sorted(a, reverse=True)",
    "sorted([x, y, 1.0])",
    "sorted([x, y])",
    "sorted((n, 2, 1))",
    "sorted(a, key=abs)",
    "sorted(a, key=lambda v: -v)",
    "sorted(a, key=lambda v: v > 1, reverse=True)",
    "sorted([x, y], key=abs)",
    "sorted([(x, 1), (y, 2)])",
    "sorted([(x, 1), (y, 2)], key=lambda v: v[0])",
    "sorted([(x, i), (x, j)])",
    "sorted([1, 2, 3], key=lambda v: v * x)",
    "sorted(['b', 'a']) + [x]",
    "sorted({'b': x, 'a': y})",
    "sorted([])",
    "sorted(x)",
    "sorted([x])",
    "sorted(a, reverse=p)",
    "sorted([a, a])",
    "sorted(v * v for v in a)",
    "sorted(range(n))",
)
programs(
    "sorted",
    list_sort="b = [x, y, 1.0]\nb.sort()\nreturn b",
    list_sort_key="b = [x, y, 1.0]\nb.sort(key=abs, reverse=True)\nreturn b",
)
programs(
    "attributes",
    getattr_constant="t = Thing(x)\nreturn getattr(t, 'value')",
    getattr_default="t = Thing(x)\nreturn getattr(t, 'other', y)",
    getattr_tensor="return getattr(x, 'real'), getattr(a, 'foo', n)",
    hasattr_="t = Thing(x)\nreturn hasattr(t, 'value'), hasattr(t, 'w')",
    hasattr_number="return hasattr(n, 'shape'), hasattr(x, 'shape'), hasattr(r, 'hex')",
    setattr_branch="""
t = Thing(y)
if x > 0:
    setattr(t, 'value', x)
return t.value
""",
    setattr_loop="""
t = Thing(0.0)
m = 0
while m < i:
    setattr(t, 'value', t.value + x)
    m += 1
return t.value
""",
    delattr_="""
t = Thing(y)
t.w = x
delattr(t, 'w')
return hasattr(t, 'w'), t.value
""",
    setattr_method="""
t = Thing(y)
if x > 0:
    t.__setattr__('value', x)
return t.value
""",
    object_setattr="""
t = Thing(y)
if x > 0:
    object.__setattr__(t, 'value', x)
return t.value
""",
    vars_write="""
t = Thing(y)
if x > 0:
    vars(t)['value'] = x
return t.value
""",
    dict_update="""
t = Thing(y)
if x > 0:
    t.__dict__.update(value=x)
return t.value
""",
    dict_update_of_several="""
t = Thing(y)
if x > 0:
    t.__dict__.update(a=1, value=x)
return t.value, hasattr(t, 'a'), getattr(t, 'a', None)
""",
    delattr_branch="""
t = Thing(y)
if x > 0:
    delattr(t, 'value')
    t.value = x
return t.value
""",
)
rows(
    "copy",
    "copy.copy(a)",
    "copy.copy(x)",
    "copy.deepcopy(a)",
    "copy.copy([x, y])",
    "copy.deepcopy([x, [y]])",
    "copy.deepcopy({'u': a})",
    "copy.copy(Thing(x)).value",
    "copy.deepcopy(Thing(x)).value",
    "copy.copy(n)",
    "copy.deepcopy((x, n))",
)
programs(
    "copy",
    copy_is_fresh="b = copy.copy(a)\nb[0] = 9.0\nreturn a, b",
    deepcopy_is_fresh="b = copy.deepcopy([a])\nb[0][0] = 9.0\nreturn a, b",
    deepcopy_in_branch="""
b = [x, y]
if x > 0:
    d = copy.deepcopy(b)
    d[0] = 1.0
    b = d
return b
""",
    copy_thing_in_branch="""
t = Thing(x)
if x > 0:
    u = copy.copy(t)
    u.value = y
    t.value = t.value + u.value
return t.value
""",
)
programs(
    "random",
    random_random="return random.random() + x",
    randint="return random.randint(1, 6) + n",
    randint_staged="return random.randint(0, abs(n))",
    choice="return random.choice([1, 2, 3]) * x",
    choice_of_array="return random.choice(a)",
    uniform="return random.uniform(0, x)",
    gauss="return random.gauss(x, 1)",
    shuffle="b = [1, 2, 3]\nrandom.shuffle(b)\nreturn b",
    shuffle_tensors="b = [x, y]\nrandom.shuffle(b)\nreturn b",
    shuffle_array="random.shuffle(a)\nreturn a",
    sample="return random.sample(range(10), 3)",
    seed="random.seed(3)\nreturn random.random() + x",
    seed_staged="random.seed(n)\nreturn random.random()",
    in_branch="if x > 0:\n    random.random()\nreturn random.random()",
    in_loop="""
t = 0.0
m = 0
while m < i:
    t += random.random()
    m += 1
return t
""",
    own_generator="g = random.Random(3)\nreturn g.random() + x, g.randint(0, 9)",
    randrange="return random.randrange(10) + n",
    getrandbits="return random.getrandbits(8) + n",
    choices="return random.choices([1, 2, 3], k=2)",
    normalvariate="return random.normalvariate(0, 1) + x",
    decided_by_random="if random.random() < 0.5:\n    return x\nreturn y",
)
programs(
    "time",
    perf_counter="t = time.perf_counter()\nu = time.perf_counter()\nreturn u >= t, x",
    time_time="t = time.time()\nreturn time.time() - t < 5, type(t).__name__, x",
    monotonic="t = time.monotonic()\nreturn time.monotonic() >= t, x",
    sleep="time.sleep(0.0)\nreturn x",
    time_ns="return time.time_ns() > 10**18, x",
    sleep_staged="time.sleep(abs(n) * 0)\nreturn x",
    datetime_now="return datetime.datetime.now().year > 2000, x",
    uuid4="return len(str(uuid.uuid4())), x",
    environ="return os.environ.get('NO_SUCH_NAME', 'none'), x",
    environ_item="if 'NO_SUCH' in os.environ:\n    return x\nreturn y",
    getenv="return os.getenv('NO_SUCH_NAME'), x",
)
rows(
    "decimal, fractions, statistics",
    "decimal.Decimal(1) + 1 and x",
    "float(decimal.Decimal('1.5')) * x",
    "decimal.Decimal(n)",
    "decimal.Decimal(x)",
    "fractions.Fraction(n, 3)",
    "fractions.Fraction(1, 3) * n",
    "float(fractions.Fraction(1, 4)) * x",
    "statistics.mean(a)",
    "statistics.mean([x, y])",
    "statistics.median(a)",
    "statistics.stdev(a)",
    "statistics.fmean(a)",
    "statistics.mode(k)",
    "statistics.pstdev([x, y])",
    "decimal.Decimal(1) + n",
    "decimal.Decimal(1) < x",
)
programs(
    "collections",
    namedtuple_="t = Point(x, y)\nreturn t.u + t.v, t._replace(u=y), t._asdict()",
    namedtuple_branch="""
t = Point(x, y)
if x > 0:
    t = t._replace(u=y)
return t
""",
    deque_="q = deque([x, y])\nq.append(1.0)\nreturn q.popleft(), list(q)",
    deque_branch="""
q = deque([x, y])
if x > 0:
    q[0] = 5.0
return list(q)
""",
    deque_rotate="q = deque([x, y, 1.0])\nq.rotate(1)\nreturn list(q)",
    deque_maxlen="""
q = deque([0.0, 0.0], maxlen=2)
for v in a:
    q.append(v)
return list(q)
""",
    defaultdict_="""
d = defaultdict(float)
if x > 0:
    d['a'] += x
else:
    d['a'] += y
return dict(d)
""",
    defaultdict_one_path="""
d = defaultdict(float)
d['a'] += x
if x > 0:
    d['a'] += x
return dict(d)
""",
    ordered_dict="""
d = OrderedDict(u=x, v=y)
if x > 0:
    d['u'] = d['v']
d.move_to_end('u')
return list(d), list(d.values())
""",
    counter_constant="d = Counter('abca')\nreturn d['a'] * x, d.most_common(1)",
    counter_branch="""
d = Counter(u=0, v=0)
for v in a:
    if v > 1:
        d['u'] += 1
    else:
        d['v'] += 1
return dict(d)
""",
    counter_of_tensor="return Counter(k)",
    counter_total="d = Counter(u=n)\nreturn d.total()",
    chain_map="d = collections.ChainMap({'u': x}, {'v': y})\nreturn d['u'] + d['v']",
)
programs(
    "integers",
    factorial_beyond_int64="""
m, t = 0, 1
while m < i:
    m += 1
    t *= m
return t
""",
    shift_beyond_int64="return 1 << abs(n) * 3",
    power_beyond_int64="return 10 ** abs(n)",
    sum_beyond_int64="return sum([n, 2**63])",
    compare_beyond_int64="return n < 2**70",
    constant_beyond_int64="return n + 2**70",
    beside_array="m = 1\nwhile m < i:\n    m *= 2\nreturn k * m",
    beside_array_too_big="return k * (n * 10**18)",
)
programs(
    "string arrays",
    compare="s = np.array(['a', 'bb', 'c'])\nreturn s == 'bb', s < 'bb', s[k[0] % 3]",
    unicode_index="s = np.array(['a', 'bb', 'c'])\nreturn s[int(abs(i)) % 3]",
    string_dtype="""
s = np.array(['a', 'bb', 'c'], dtype=np.dtypes.StringDType())
return s == 'bb', len(s), s[abs(i) % 3] == 'bb'
""",
    where_strings="return np.where(a > 1, 'big', 'small')",
    where_string_dtype="""
s = np.array(['a', 'bb', 'c'], dtype=np.dtypes.StringDType())
return np.where(a > 1, s, 'none')
""",
    strings_add="""
s = np.array(['a', 'b', 'c'])
return np.strings.add(s, np.where(a > 1, 'x', 'yy'))
""",
    print_strings="s = np.where(a > 1, 'big', 'small')\nprint(s, s[0])\nreturn len(s)",
    strings_plus="""
s = np.where(a > 1, 'x', 'y').astype(np.dtypes.StringDType())
return s + '!', 'a' + s
""",
    str_len="return np.strings.str_len(np.where(a > 1, 'big', 'small'))",
    upper="return np.strings.upper(np.where(a > 1, 'big', 'small'))",
    branch_on_string="""
s = np.where(a > 1, 'x', 'y')
if s[0] == 'x':
    return 1.0
return 2.0
""",
    in_strings="s = np.where(a > 1, 'x', 'y')\nreturn 'x' in s, 'z' in s",
    loop_strings="""
t = 0
for w in np.where(a > 1, 'x', 'y'):
    if w == 'x':
        t += 1
return t
""",
    string_scalar_in_list="w = np.where(a > 1, 'x', 'y')[0]\nreturn w in ['x', 'z']",
    string_join_of_scalars="w = np.where(a > 1, 'x', 'y')\nreturn f'{w[0]}-{w[1]}'",
    multiply_strings="""
return np.strings.multiply(np.array(['a', 'b', 'c']), abs(k) % 3)
""",
    sort_strings="return np.sort(np.where(a > 1, 'x', 'y'))",
    string_type_operations="""
s = np.array(['a', 'bb', 'c'], dtype=np.dtypes.StringDType())
t = np.where(a > 1, s, 'none')
t = np.strings.add(t, '!')
return t, t[0], np.sort(t), np.strings.str_len(t), t == s, s.copy(), t[::-1]
""",
    string_type_in_branch="""
s = np.array(['a', 'bb', 'c'], dtype=np.dtypes.StringDType())
if x > 1:
    s[0] = 'longer'
else:
    s = s + '?'
return s
""",
    strings_in_loop="""
s = np.array(['', ''], dtype=np.dtypes.StringDType())
m = 0
while m < i:
    s = s + 'ab'
    m += 1
return s, len(s)
""",
    strings_of_one_length_in_branch="""
s = np.array(['a', 'b'])
if x > 1:
    s = np.array(['ccc', 'd'])
return s
""",
    string_and_number="return np.add(a, 'x')",
)
