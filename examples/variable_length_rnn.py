"""A recurrent network over a batch of sequences of different lengths.

Each row of the batch stops at its own length: its state stays what it was and its
outputs are zero from there on. The loop runs as long as the longest sequence (J. Elman,
Finding structure in time, 1990).
"""

import numpy as np
from numpy.typing import NDArray

import autograph as ag

Floats = NDArray[np.float32]


@ag.function
def variable_length_rnn(
    sequences: Floats,
    lengths: NDArray[np.int64],
    w_in: Floats,
    w_state: Floats,
    bias: Floats,
) -> tuple[Floats, Floats]:
    """The outputs [batch, time, units] and the last state [batch, units].

    sequences: [batch, time, features]    lengths: [batch]
    w_in: [features, units]    w_state: [units, units]    bias: [units]
    """
    batch, time, _ = sequences.shape
    units = len(bias)
    state = np.zeros((batch, units), dtype=sequences.dtype)
    outputs = np.zeros((batch, time, units), dtype=sequences.dtype)
    for t in range(lengths.max()):
        proposed = np.tanh(sequences[:, t] @ w_in + state @ w_state + bias)
        running = (t < lengths)[:, np.newaxis]
        state = np.where(running, proposed, state)
        outputs[:, t] = np.where(running, proposed, 0.0)
    return outputs, state


PROGRAMS = (variable_length_rnn,)


def inputs() -> tuple[Floats, NDArray[np.int64], Floats, Floats, Floats]:
    """Sixteen sequences of up to 40 steps, 8 features each, and 32 units."""
    random = np.random.default_rng(11)
    return (
        random.standard_normal((16, 50, 8), dtype=np.float32),
        random.integers(5, 41, 16),
        0.3 * random.standard_normal((8, 32), dtype=np.float32),
        0.1 * random.standard_normal((32, 32), dtype=np.float32),
        np.zeros(32, dtype=np.float32),
    )


if __name__ == "__main__":
    arguments = inputs()
    outputs, state = variable_length_rnn(*arguments)
    print("lengths       ", arguments[1])
    print("outputs not 0 ", (outputs != 0.0).any(axis=2).sum(axis=1))
    print("first states  ", state[0, :4])
