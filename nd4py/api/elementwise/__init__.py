"""Elementwise functions and comparisons of arrays.

The files, as the build lists them:

- arithmetic.py: Arithmetic composed of the table's functions, under NumPy's names.
- bessel.py: The modified Bessel function i0.
- comparisons.py: Whether arrays are equal, or nearly.
- complex_rows.py: Rows without a loop for complex numbers, made of others: order, and what follows from it, as NumPy
  has it.
- elementwise.py: Elementwise functions.
- float_parts.py: Parts of floating numbers: mantissa and exponent, fraction and whole part, distance to the next
  number.
- joined_bits.py: Whole numbers joined along an axis by loops of their own: bits, and greatest common divisors.
- number_kinds.py: What kind of numbers there are: real, complex, scalar; and the angle of complex ones.
- rounding.py: Rounding to a number of decimals, and toward zero.
- ufunc_at.py: `nd.add.at` and its like: functions applied in place at indices, as often as each occurs.
- ufunc_attributes.py: What NumPy's universal functions have beside the call: methods such as `nd.add.reduce`, and
  `nin`, `nout`.
- ufunc_methods.py: The methods of NumPy's universal functions: `nd.add.reduce` and its like, for the rows of the table.
- ufunc_reduceat.py: `nd.add.reduceat` and its like: the elements of segments joined by a function.
- ufunc_types.py: What type checkers know of universal functions: their call, and the attributes that `ufunc_attributes`
  gives them.
- where_clip.py: where and clip, in the forms users call.
- zero_products.py: Products of elements one of which is zero, where partial products overflow.
"""
