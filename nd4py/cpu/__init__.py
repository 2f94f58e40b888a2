"""The CPU backend: loops, built once per instruction set, and their drivers.

The files, as the build lists them:

- attention/: Attention and its gradient.
- bits/: Bits of whole numbers.
- conv/: Convolution of images and its gradients.
- copy/: Copies and conversions between layouts and dtypes, transposition, repetition.
- elementwise/: Elementwise operations, and evenly spaced numbers.
- histogram/: Counting elements by bin.
- index/: Indexing by index arrays and boolean masks.
- isa/: Instruction sets: the choice of loops for this processor, and the frame of all loop modules.
- linalg/: Factorizations, eigenvalues and singular values of stacks of matrices, by LAPACK.
- matmul/: Matrix products, by BLAS or by loops of our own, and correlation of two rows.
- onednn/: Convolution by the oneDNN library, where it is installed and faster.
- parallel/: Parallel regions: numbered tasks on several threads, and tiles of a plan.
- pooling/: Pooling of images and its gradients.
- program/: Programs: several operations in one pass over memory.
- random/: Random numbers: distributions that fill arrays from one counter-based stream.
- recurrent/: Recurrent layers and their gradients.
- reduce/: Reductions, the index of the largest or smallest element, and normalization along an axis.
- scan/: Scans: running results along an axis, such as cumulative sums.
- sort/: Sorting, argsort, the largest elements, binary search, and groups of equal elements.
"""
