"""Numbers: primes, Collatz, digits, common divisors, perfect numbers, Pythagoras."""

from jit import jit


@jit
def sieve(n):
    is_prime = [True] * (n + 1)
    is_prime[0] = is_prime[1] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
        i += 1
    return sum(is_prime)


@jit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@jit
def longest(limit):
    best, where = 0, 0
    for n in range(1, limit):
        steps = collatz(n)
        if steps > best:
            best, where = steps, n
    return where, best


@jit
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@jit
def coprime(n):
    count = 0
    for a in range(1, n):
        for b in range(a + 1, n):
            if gcd(a, b) == 1:
                count += 1
    return count


@jit
def perfect(limit):
    found = []
    for n in range(2, limit):
        total = 1
        d = 2
        while d * d <= n:
            if n % d == 0:
                total += d + n // d if d * d != n else d
            d += 1
        if total == n:
            found.append(n)
    return found


@jit
def digits(n):
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total


for n in 1000, 10_000, 200_000:
    print("primes", n, sieve(n))
for limit in 100, 1000, 10_000:
    print("collatz", limit, longest(limit))
for n in 50, 100, 300:
    print("coprime", n, coprime(n))
print("perfect", perfect(9000))
print("digits", sum(digits(n) for n in range(20_000)))
