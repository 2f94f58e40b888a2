"""Arrays in another shape, joined, repeated or padded.

The files, as the build lists them:

- manipulation.py: Arrays seen in another shape, and arrays joined.
- padding.py: Arrays with a frame around them.
- rearranging.py: Copies of arrays with their elements repeated, moved or left out.
- repeating.py: Slices repeated, each as often as a count says.
"""
