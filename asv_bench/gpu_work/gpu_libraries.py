"""The libraries that `gpu_peers.py` compares: arrays on a device, and the wait for its work."""

from peer_libraries import Library, Nd4py, Torch, is_expression


class Nd4pyOnDevice(Nd4py):
    """nd4py; on "cpu" too, where its results are checked."""

    def __init__(self, device):
        super().__init__()
        self.device = device
        self.names |= {"device": device, "flushed": self.flushed}

    def from_numpy(self, array, dtype):
        return super().from_numpy(array, dtype).to_device(self.device)

    def to_numpy(self, result):
        return super().to_numpy(result.to_device("cpu") if hasattr(result, "to_device") else result)

    def calls(self, text, setup, arrays):
        """What is deferred is launched while its result is held, and not waited for."""
        with self.module.device(self.device):
            return Library.calls(self, f"flushed({text})" if is_expression(text) else text, setup, arrays)

    def flushed(self, result):
        self.module.flush()
        return result

    def synchronize(self):
        self.module.synchronize()

    def give_back(self):
        """Let other libraries have the memory that is cached."""
        if self.device != "cpu":
            self.module.cuda.memory.trim(self.device)


class TorchOnDevice(Torch):
    """PyTorch, eager."""

    def __init__(self, device):
        super().__init__()
        self.device = device.replace("cuda:0", "cuda")
        self.names["device"] = self.device

    def from_numpy(self, array, dtype):
        return super().from_numpy(array, dtype).to(self.device)

    def to_numpy(self, result):
        return super().to_numpy(self.module.as_tensor(result).detach().cpu())

    def synchronize(self):
        if self.device != "cpu":
            self.module.cuda.synchronize()

    def give_back(self):
        if self.device != "cpu":
            self.module.cuda.empty_cache()


class Cupy(Library):
    """CuPy, which has no CPU."""

    name = "cupy"
    no_dtypes = ("bfloat16",)

    def __init__(self, device):
        super().__init__()

    def from_numpy(self, array, dtype):
        return self.module.asarray(array.astype(dtype))

    def to_numpy(self, result):
        return self.module.asnumpy(result)

    def synchronize(self):
        self.module.cuda.Device().synchronize()

    def give_back(self):
        self.module.get_default_memory_pool().free_all_blocks()
