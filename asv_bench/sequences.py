"""Recurrent layers and a transformer's encoder layer, beside PyTorch, torch.compile, JAX and ONNX Runtime.

    python asv_bench/sequences.py --rounds 9
    python asv_bench/sequences.py --only lstm

Every library has a process of its own, with two threads, and takes its turn in every round, when the threads of the
others are asleep.  Printed are medians of the rounds, and the median of nd4py's ratio to the fastest other library.
A step is a loss, and the gradients of it for the input and all parameters.
"""

from network_work import sequence_work, turns

if __name__ == "__main__":
    turns.main(sequence_work)
