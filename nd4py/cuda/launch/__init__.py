"""Launches: arguments, geometry, streams and graphs.

The files, as the build lists them:

- current_stream.pyx: The device and the streams of the calling thread.
- dense_launch.pyx: From an operator to a launch without Python in between: dense operands of one layout, dtype and
  device.
- device_statistics.py: What happened on the devices, in numbers.
- divisor.py: Division by the size of an axis, as kernels do it.
- function_launches.py: How scans and the functions of `nd4py._spec.render.cuda_functors` are launched.
- geometry.py: How kernels are launched: which variant, how many blocks, and the bytes of its argument.
- graphs.py: Graphs: a step of fixed shapes, recorded once and then given to the device in one call.
- kernel_arguments.py: The structs that kernels take, in ctypes.
- launch_configuration.pyx: How kernels are launched: the limits that people may set, as in ND4J's CUDA environment.
- streams.py: Streams, events and waiting: the order of work on a device, and between devices and the host.
- submit.py: From a planned launch to the driver: which function, on this thread's stream.
"""
