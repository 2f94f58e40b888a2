"""Where arrays are made, and operations on arrays that are not on the host.

The files, as the build lists them:

- asarray_by_device.py: Arrays made of anything, on the device that is asked for, and over memory of a device that
  others lend.
- creation_by_device.pyx: empty, zeros and ones as everybody calls them: on the device that is asked for, else on the
  default one.
- device_functions.py: Scans, matrix products and slices by index on devices: shapes and dtypes as on the host, then
  their backend.
- device_operations.pyx: Operations on arrays that are not on the host: promoted and broadcast as everywhere, then their
  backend's kernels.
- placement.py: Where arrays are made: device names, the default device, and the way there and back.
"""
