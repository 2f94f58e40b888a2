"""Elements that index arrays or boolean masks name, on devices.

The files, as the build lists them:

- gathering.py: Elements named by indices or masks on a device, read and written; all arrays are dense.
"""
