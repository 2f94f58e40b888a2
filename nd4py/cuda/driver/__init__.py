"""The driver: CuPy or another library that compiles, launches and copies; and the devices there are.

The files, as the build lists them:

- cupy_driver.py: The driver through CuPy's bindings of the CUDA runtime, driver and compiler.
- driver.py: The driver interface: the few calls that nd4py makes to a device, and their errors.
- driver_choice.py: The driver in use: the one given to `use_driver`, else the one through CuPy where there is a device.
- library_routines.py: Library routines for factorizations of matrices, Fourier transforms and sorting on devices.
- peer_access.py: Peer access: kernels on one device that use the memory of others.
- status.py: Status of CUDA: whether devices can be used, and if not, why.
"""
