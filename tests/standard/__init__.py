"""Tests that the namespace is the Python array API standard, revision 2025.12, complete.

`tables/names.py` is the table of everything the standard names; `special_*.py` hold the special cases of its text in a
short notation; the tests read both.  The text: https://data-apis.org/array-api/2025.12/
"""
