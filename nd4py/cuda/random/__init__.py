"""Random numbers on devices.

The files, as the build lists them:

- device_random.py: Random numbers on a device, with the same bits as the host's.
"""
