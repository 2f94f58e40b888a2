"""The driver: CuPy or another that compiles, launches and copies; which devices there are.

The files, as the build lists them:

- cupy_driver.py: The driver of real devices, through CuPy's bindings of the CUDA runtime, driver and compiler.
- driver.py: Driver: the few things that nd4py asks of a device, and how they fail.
- driver_choice.py: Which driver is in use: the one given to `use_driver`, else the one through CuPy where there is a
  device.
- peer_access.py: Access of kernels on one device to the memory of others.
- status.py: Whether CUDA devices can be used here, and if not, why: asked when a device is first needed, never at
  import.
"""
