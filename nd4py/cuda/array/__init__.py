"""DeviceArray: arrays in the memory of a device, and copies to and from them.

The files, as the build lists them:

- device_array.pyx: DeviceArray: typed elements in device memory, with the same ShapeInfo as arrays on the host.
- device_interop.pyx: Exchange of device memory with CuPy, PyTorch and others: DLPack and `__cuda_array_interface__`,
  both ways.
- device_views.pyx: Views of device arrays with strides of their own.
- transfer.pyx: Copies between host and device, and from device to device.
"""
