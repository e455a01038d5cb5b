"""Recursion: Fibonacci, Ackermann, queens, sums of subsets, quicksort."""

from jit import jit


@jit
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@jit
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@jit
def queens(n, row, columns, left, right):
    if row == n:
        return 1
    count = 0
    for column in range(n):
        bit = 1 << column
        if not (columns & bit or left & bit or right & bit):
            count += queens(
                n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1
            )
    return count


@jit
def subsets(numbers, at, target):
    if target == 0:
        return 1
    if at == len(numbers) or target < 0:
        return 0
    return subsets(numbers, at + 1, target - numbers[at]) + subsets(
        numbers, at + 1, target
    )


@jit
def quicksort(items, low, high):
    if low >= high:
        return
    pivot = items[(low + high) // 2]
    i, j = low, high
    while i <= j:
        while items[i] < pivot:
            i += 1
        while items[j] > pivot:
            j -= 1
        if i <= j:
            items[i], items[j] = items[j], items[i]
            i += 1
            j -= 1
    quicksort(items, low, j)
    quicksort(items, i, high)


for n in 10, 18, 24:
    print("fib", n, fib(n))
for m, n in (1, 5), (2, 5), (2, 60):
    print("ackermann", m, n, ackermann(m, n))
for n in 4, 6, 8:
    print("queens", n, queens(n, 0, 0, 0, 0))
print("subsets", subsets([3, 34, 4, 12, 5, 2, 7, 9, 11, 6, 8, 1, 15, 13, 17], 0, 50))
for n in 100, 1000, 10000:
    items = [(i * 7919) % 10007 for i in range(n)]
    quicksort(items, 0, n - 1)
    print("sorted", n, items[:3], items[-3:])
