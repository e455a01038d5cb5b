"""Rows of loops over numbers alone."""

from typing import Any

from tools.bench.rows.row import Row


def collatz_longest(limit: Any) -> Any:
    """The number below a limit whose sequence is the longest."""
    best, longest = 0, 0
    for first in range(1, limit):
        n, steps = first, 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > longest:
            best, longest = first, steps
    return best, longest


def gcd_sum(n: Any) -> Any:
    """Greatest common divisors of all pairs."""
    total = 0
    for i in range(1, n):
        for j in range(1, n):
            a, b = i, j
            while b:
                a, b = b, a % b
            total += a
    return total


def walk(count: Any, seed: Any) -> Any:
    """A walk by the numbers of a linear congruence."""
    x, y, state, far = 0, 0, seed, 0
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2147483648
        way = (state >> 16) & 3
        if way == 0:
            x += 1
        elif way == 1:
            x -= 1
        elif way == 2:
            y += 1
        else:
            y -= 1
        d = x * x + y * y
        if d > far:
            far = d
    return x, y, far


def curve(x: Any) -> Any:
    """What is integrated."""
    return x * x * x / (1.0 + x * x) + 0.5 * x


def trapezoid(a: Any, b: Any, n: Any) -> Any:
    """An integral by trapezoids, of a function of numbers."""
    h = (b - a) / n
    s = 0.5 * (curve(a) + curve(b))
    for i in range(1, n):
        s += curve(a + i * h)
    return s * h


def simpson(a: Any, b: Any, n: Any) -> Any:
    """An integral by parabolas."""
    h = (b - a) / n
    s = curve(a) + curve(b)
    for i in range(1, n):
        if i % 2 == 1:
            s += 4.0 * curve(a + i * h)
        else:
            s += 2.0 * curve(a + i * h)
    return s * h / 3.0


def bisection(count: Any) -> Any:
    """Roots of many cubics."""
    total = 0.0
    for k in range(1, count):
        low, high = 0.0, 10.0
        while high - low > 1e-10:
            mid = 0.5 * (low + high)
            if mid * mid * mid + mid > k * 0.1:
                high = mid
            else:
                low = mid
        total += low
    return total


def bit_counts(n: Any) -> Any:
    """The bits of all numbers, one after the other."""
    total = 0
    for i in range(n):
        k = i
        while k:
            total += k & 1
            k >>= 1
    return total


def bit_counts_fast(n: Any) -> Any:
    """The same, by the lowest bit."""
    total = 0
    for i in range(n):
        k = i
        while k:
            k &= k - 1
            total += 1
    return total


def perfect(n: Any) -> Any:
    """Numbers that are the sum of their divisors."""
    total = 0
    for i in range(2, n):
        s = 1
        d = 2
        while d * d <= i:
            if i % d == 0:
                s += d
                if d * d != i:
                    s += i // d
            d += 1
        if s == i:
            total += i
    return total


def primes(n: Any) -> Any:
    """Primes by division."""
    count = 0
    for i in range(2, n):
        is_prime = True
        d = 2
        while d * d <= i:
            if i % d == 0:
                is_prime = False
                break
            d += 1
        if is_prime:
            count += 1
    return count


def queens_by_bits(n: Any) -> Any:
    """Ways to place queens, of which three ints say what is free."""
    full = (1 << n) - 1
    count, row = 0, 0
    columns = left = right = 0
    stack = 0
    free = full
    c1 = l1 = r1 = 0
    total = 0
    for first in range(n):
        bit = 1 << first
        columns, left, right = bit, bit << 1, bit >> 1
        for second in range(n):
            b2 = 1 << second
            free = full & ~(columns | left | right)
            if free & b2:
                c1, l1, r1 = columns | b2, (left | b2) << 1, (right | b2) >> 1
                free = full & ~(c1 | l1 | r1)
                while free:
                    bit = free & -free
                    free ^= bit
                    c2, l2, r2 = c1 | bit, (l1 | bit) << 1, (r1 | bit) >> 1
                    rest = full & ~(c2 | l2 | r2)
                    while rest:
                        rest &= rest - 1
                        total += 1
    return total + count + row + stack


def fibonacci_modulo(n: Any) -> Any:
    """Numbers of Fibonacci modulo a prime."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % 1000007
    return a


def digits(n: Any) -> Any:
    """Sums of digits."""
    total = 0
    for i in range(n):
        k = i
        while k > 0:
            total += k % 10
            k //= 10
    return total


def power_modulo(count: Any) -> Any:
    """Powers by squares."""
    total = 0
    for k in range(count):
        base, exponent, found = k + 2, 65537, 1
        while exponent > 0:
            if exponent & 1:
                found = found * base % 1000003
            base = base * base % 1000003
            exponent >>= 1
        total += found
    return total


def triples(n: Any) -> Any:
    """Right triangles of whole sides."""
    count = 0
    for a in range(1, n):
        for b in range(a, n):
            c = b
            while c * c < a * a + b * b:
                c += 1
            if c * c == a * a + b * b:
                count += 1
    return count


def nested_sum(n: Any) -> Any:
    """Ints of two counters, added up."""
    total = 0
    for i in range(n):
        for j in range(n):
            total += (i ^ j) & 7
    return total


def logistic(n: Any) -> Any:
    """A map of floats."""
    x = 0.3
    above = 0
    for _ in range(n):
        x = 3.9 * x * (1.0 - x)
        if x > 0.5:
            above += 1
    return x, above


def pi(n: Any) -> Any:
    """Leibniz's series."""
    s, sign = 0.0, 1.0
    for k in range(n):
        s += sign / (2 * k + 1)
        sign = -sign
    return 4 * s


def pair_energy(count: Any, step: Any) -> Any:
    """The energy of pairs of particles in a row, and their mean distance, by powers."""
    energy, far = 0.0, 0.0
    for i in range(1, count):
        r = ((step * i) ** 2 + 0.7 * i) ** 0.5
        energy += 4.0 * (r**-12 - r**-6) + 1.0 / r**1.5
        far += r
    return energy, far / count


ROWS = (
    Row("Collatz, longest", collatz_longest, {"10,000": lambda: (10_000,)}),
    Row("gcd of pairs", gcd_sum, {"120": lambda: (120,)}),
    Row("random walk", walk, {"100,000": lambda: (100_000, 42)}),
    Row("trapezoids", trapezoid, {"100,000": lambda: (0.0, 2.0, 100_000)}),
    Row("Simpson", simpson, {"100,000": lambda: (0.0, 2.0, 100_000)}),
    Row("bisection", bisection, {"1,000": lambda: (1_000,)}),
    Row("bits", bit_counts, {"20,000": lambda: (20_000,)}),
    Row("bits, lowest", bit_counts_fast, {"20,000": lambda: (20_000,)}),
    Row("perfect numbers", perfect, {"3,000": lambda: (3_000,)}),
    Row("primes", primes, {"10,000": lambda: (10_000,)}),
    Row("queens by bits", queens_by_bits, {"12": lambda: (12,)}),
    Row("Fibonacci modulo", fibonacci_modulo, {"100,000": lambda: (100_000,)}),
    Row("digits", digits, {"20,000": lambda: (20_000,)}),
    Row("powers by squares", power_modulo, {"2,000": lambda: (2_000,)}),
    Row("triples", triples, {"100": lambda: (100,)}),
    Row("nested sum", nested_sum, {"400": lambda: (400,)}),
    Row("logistic map", logistic, {"100,000": lambda: (100_000,)}),
    Row("Leibniz", pi, {"100,000": lambda: (100_000,)}),
    Row("powers of floats", pair_energy, {"20,000": lambda: (20_000, 1e-3)}),
)
