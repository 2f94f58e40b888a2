"""Models that PyTorch exports to ONNX, run by nd4py, beside ONNX Runtime, PyTorch, torch.compile and JAX.

    python asv_bench/inference_peers.py --rounds 9
    python asv_bench/inference_peers.py --only ResNet --processor

A model is made and exported in memory once for a row; nd4py and ONNX Runtime are given its bytes.  Every library has a
process of its own, with a thread for each core, and takes its turn in every round, when the threads of the others are
asleep.  Printed are medians of the rounds, and the median of nd4py's ratio to the fastest other library; with
--processor, of the processor's time on one core, which says something on a machine that others use too.
"""

from network_work import inference_work, turns

if __name__ == "__main__":
    turns.main(inference_work, inference_work.exported)
