"""Devices: where arrays are made, and operations on arrays that are not on the host.

The files, as the build lists them:

- asarray_by_device.py: asarray and from_dlpack on the device that is asked for.
- creation_by_device.pyx: empty, zeros, ones and arrays like others on the device that is asked for, else on the default
  one.
- device_functions.py: Scans, matrix products and slices by index on devices: checks as on the host, then the backend.
- device_operations.pyx: Operations on device arrays: promoted and broadcast as on the host, then run by their backend.
- inner_family.py: InnerFamily: what families share whose arrays stand for values of other families, inside of a
  function.
- placement.py: Device names, the default device, and copies between the host and devices.
"""
