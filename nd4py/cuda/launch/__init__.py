"""Kernel launches: arguments, geometry, streams and graphs.

The files, as the build lists them:

- current_stream.pyx: The device and the streams of the calling thread.
- dense_launch.pyx: Fast launches for dense operands of one layout, dtype and device, without Python in between.
- device_statistics.py: Statistics of CUDA: memory, loaded kernels, chains and fallbacks.
- divisor.py: Fast division by the size of an axis, as kernels do it.
- faults.py: Faults that kernels note: indices out of range, told when the host next looks at what was computed.
- function_launches.py: Launches of scans and of the functions of `nd4py._spec.render.cuda_functors`.
- geometry.py: Launch geometry: the kernel's variant, the number of blocks, and the bytes of its argument.
- graphs.py: CUDA graphs: steps of fixed shapes, recorded once and then launched in one call.
- kernel_arguments.py: Argument structs of kernels, in ctypes.
- launch_configuration.pyx: Launch configuration: limits that users may set, as in ND4J's CUDA environment.
- streams.py: Streams, events and synchronization: the order of work on devices and the host.
- submit.py: Submission of planned launches to the thread's stream.
"""
