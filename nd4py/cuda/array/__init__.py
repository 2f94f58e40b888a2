"""DeviceArray: arrays in the memory of a device, and copies to and from them.

The files, as the build lists them:

- device_array.pyx: DeviceArray: typed elements in the memory of a device, seen through the same ShapeInfo as arrays on
  the host.
- device_interop.pyx: Sharing the memory of devices with CuPy, PyTorch and others: DLPack and
  `__cuda_array_interface__`, both ways.
- device_views.pyx: Views of arrays on a device with strides of their own.
- transfer.pyx: Elements from the host to a device, back, and from device to device.
"""
