# Stands in for torch: runs the script on standard input and prints what it asked for.
import sys, types

class DType:
    def __init__(self, name):
        self.name = name
        self.is_floating_point = "float" in name
        self.is_complex = "complex" in name

class Tensor:
    def __init__(self, shape, dtype, strides=None):
        self.shape, self.dtype, self.strides = shape, dtype, strides
    def to(self, dtype): return Tensor(self.shape, dtype)
    def stride(self):
        steps, size = [], 1
        for n in reversed(self.shape):
            steps.insert(0, size)
            size *= n
        return tuple(steps)
    def copy_(self, other): return self
    def __repr__(self): return f"{self.dtype.name}{list(self.shape)}" + (f"@{list(self.strides)}" if self.strides else "")

class Argument:
    def __init__(self, name, kwarg_only): self.name, self.kwarg_only = name, kwarg_only

class Overload:
    def __init__(self, name, arguments, log):
        self._schema = types.SimpleNamespace(arguments=arguments)
        self.log = log
    def __call__(self, *args, **kwargs): self.log.append((args, kwargs))

class Packet:
    def __init__(self):
        self.log = []
        self.two = Overload("two", [Argument("self", False), Argument("other", False)], self.log)
        self.three = Overload("three", [Argument("self", False), Argument("other", False), Argument("alpha", True)], self.log)
    def overloads(self): return ["two", "three"]

torch = types.ModuleType("torch")
for name in ["float32", "float64", "float16", "bfloat16", "int64", "int32", "bool", "float8_e4m3fn"]:
    setattr(torch, name, DType(name))
torch.finfo = lambda dtype: types.SimpleNamespace(bits=8 if "float8" in dtype.name else 32)
torch.cuda = types.SimpleNamespace(is_available=lambda: False)
torch.randn = lambda shape, dtype, device: Tensor(shape, dtype)
torch.zeros = lambda shape, dtype, device: Tensor(shape, dtype)
torch.empty_strided = lambda shape, strides, dtype, device: Tensor(shape, dtype, strides)
packet = Packet()
torch.ops = types.SimpleNamespace(aten=types.SimpleNamespace(add=packet))
utils, benchmark = types.ModuleType("torch.utils"), types.ModuleType("torch.utils.benchmark")
class Timer:
    def __init__(self, stmt, globals, label): self.globals, self.label = globals, label
    def blocked_autorange(self):
        self.globals["call"]()
        return self.label + " " + repr(packet.log[-1])
benchmark.Timer = Timer
utils.benchmark = benchmark
torch.utils = utils
sys.modules.update({"torch": torch, "torch.utils": utils, "torch.utils.benchmark": benchmark})
exec(compile(sys.stdin.read(), "script", "exec"))
