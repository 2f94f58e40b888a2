"""Recorded operations as nodes of ONNX.

The files, as the build lists them:

- element_functions.py: Functions of elements that expressions call, as nodes of ONNX.
- expressions.py: Expressions of the table of operations, read as nodes of ONNX.
- function_writer.py: A function that is being written as a graph: which value of the graph stands for each of the
  recording.
- open_sizes.py: Graphs of one function for several sizes of its inputs, joined to one for any sizes of the axes that
  are left open.
- recorded_assignments.py: Writing to arrays as nodes: to known places, and to those that the inputs name.
- recorded_functions.py: Functions with nodes of their own: products, normalizations, windows, attention.
- recorded_operations.py: The nodes of every kind of recorded operation, in one table.
- recorded_recurrences.py: Recurrent layers as nodes.
- recorded_reductions.py: Reductions, positions of the best elements, orders and counts as nodes.
- recorded_rows.py: Rows of elements as nodes: the operator of ONNX that the importer reads as the row, or the row's
  expression.
- recorded_scans.py: Running results along an axis, and their gradients, as nodes.
- recorded_spectra.py: Fourier transforms as nodes, and operations on complex numbers, which ONNX has as their two
  parts.
- recorded_views.py: Views, joins and indexing as nodes.
- size_formulas.py: Formulas of sizes that are open: what numbers and arrays of several runs are made of, as nodes.
"""
