"""A CUDA device of the CPU's own: kernels compiled by g++ and run block by block, with checks no GPU makes."""
