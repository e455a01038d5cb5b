"""Those of the programs of `objects` that have no objects: constants alone."""

# mypy: ignore-errors


def towers(function):
    """Twelve discs."""

    @function
    def move(count, source, target, other):
        if count == 0:
            return 0
        moves = move(count - 1, source, other, target)
        target.append(source.pop())
        return moves + 1 + move(count - 1, other, target, source)

    @function
    def run(count):
        pegs = [[*range(count, 0, -1)], [], []]
        return move(count, *pegs), pegs[1]

    return lambda: run(12)


def subsets(function):
    """All subsets of ten, by lists."""

    @function
    def of(items):
        if not items:
            return [[]]
        rest = of(items[1:])
        return rest + [[items[0], *one] for one in rest]

    @function
    def run(items):
        return [one for one in of(items) if sum(one) % 5 == 0]

    return lambda: run([*range(10)])


def change(function):
    """Ways to give change, with a memory in a dict."""

    @function
    def ways(amount, coins, known):
        if amount == 0:
            return 1
        if amount < 0 or not coins:
            return 0
        key = amount, len(coins)
        if key not in known:
            with_it = ways(amount - coins[0], coins, known)
            known[key] = with_it + ways(amount, coins[1:], known)
        return known[key]

    return lambda: ways(200, (50, 20, 10, 5, 2, 1), {})
