#!/usr/bin/env python3
"""Registers, stack and frames of the samples' tasks on a GPU: lowered by hel-lower, and as Clang's own device coroutines.

    coroutines.py WORK_DIR HEL_LOWER CUDA_PATH CLANG

Both sides are compiled by the same Clang and get a kernel that does nothing but resume frames. Clang's coroutines have
bodies out of line, entered by calls through the frame. The test fails where the lowered tasks need more stack or spills
than they do; what users get from nvcc is held to a budget in tests/samples.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SAMPLES = ["fib", "producer_consumer", "host_rpc", "warp_sum"]  # whose tasks are for host and device
ARCH = "sm_90"
INCLUDES = ["-DHEL_NO_DEVICE_PROGRAM", f"-I{ROOT}/runtime/include", f"-I{ROOT}/stdlib/include", f"-I{ROOT}/samples"]
# Without it Clang sees that nobody ever sets the variable.
CONTEXT = ("__global__ void set_context(void* c) "
           "{ hel::device::device_state = static_cast<hel::resident::state*>(c); }\n")
# What ends the program is not on any task's way.
COLD = re.compile(r"hel\d*(4core)?.*(4trap|11device_trap)")


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def figures(log):
    """(registers of the kernel, largest stack frame, bytes of spills) from what ptxas -v says."""
    registers, stack, spills, name = 0, 0, 0, ""
    for line in log.split("\n"):
        m = re.search(r"Function properties for (\S+)", line)
        if m:
            name = m.group(1)
        m = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if m and not COLD.search(name):
            stack = max(stack, int(m.group(1)))
            spills += int(m.group(2)) + int(m.group(3))
        m = re.search(r"Used (\d+) registers", line)
        if m and "probe" in name:
            registers = int(m.group(1))
    return registers, stack, spills


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Compilers:
    def __init__(self, work, hel_lower, cuda, clang):
        self.work, self.hel_lower, self.cuda, self.clang = work, hel_lower, cuda, clang

    def to_ir(self, coroutine, path, *options):
        """`coroutine`: the directory of <coroutine>. Returns None, or what the compiler says."""
        done = run(self.clang, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={ARCH}", f"--cuda-path={self.cuda}",
                   "-isystem", coroutine, "-isystem", f"{self.cuda}/include/cccl", "-Wno-unknown-cuda-version", "-std=c++20",
                   "-w", *INCLUDES, *options, "-S", "-emit-llvm", path, "-o", f"{path}.ll")
        return done.stdout if done.returncode != 0 else None

    def figures(self, path):
        must(self.clang, "--target=nvptx64-nvidia-cuda", f"-march={ARCH}", "-x", "ir", "-O2", "-S", f"{path}.ll", "-o",
             f"{path}.ptx")
        return figures(must(f"{self.cuda}/bin/ptxas", "-v", f"-arch={ARCH}", f"{path}.ptx", "-o", f"{path}.cubin"))

    def lowered(self, sample):
        """Figures, and sizes of device frames by the mangled name of the coroutine."""
        path = f"{self.work}/{sample}.cu"
        must(self.hel_lower, "--target", "cuda", f"{ROOT}/samples/{sample}.cpp", "-o", path, "--", *INCLUDES)
        text = read(path)
        resume = re.search(r"__device__ void\* (resume_\w+)", text).group(1)
        made = "hel_promise_type::operator new(sizeof(hel_device_frame));"
        text = text.replace(made, made + ' asm volatile("// frame %0" ::"n"(sizeof(hel_device_frame)));')
        write(path, text + "#if defined(__CUDACC__)\n__global__ void probe(void* frame) "
              f"{{ while (frame) frame = hel::abi::device::{resume}(frame); }}\n{CONTEXT}#endif\n")
        shim = f"{ROOT}/runtime/include/hel-shim"
        error = self.to_ir(shim, path, "-O0")  # where nothing is inlined, each size is in its coroutine
        if error:
            sys.exit(error)
        sizes, function = {}, ""
        for line in read(f"{path}.ll").split("\n"):
            m = re.match(r"define .*@(\w+)\(", line)
            if m:
                function = m.group(1)
            m = re.search(r'"// frame \$0", "n"\(i64 (\d+)\)', line)
            if m:
                sizes[function] = int(m.group(1))
        error = self.to_ir(shim, path, "-O2")
        if error:
            sys.exit(error)
        return self.figures(path), sizes

    def coroutines(self, sample):
        """The same of Clang's coroutines; or None, nothing, and the first error."""
        path = f"{self.work}/{sample}.coroutines.cu"
        write(path, read(f"{ROOT}/samples/{sample}.cpp") + "\n#if defined(__CUDACC__)\n__global__ void probe(void* frame) "
              f"{{ std::coroutine_handle<>::from_address(frame).resume(); }}\n{CONTEXT}#endif\n")
        error = self.to_ir(f"{HERE}/clang", path, "-O2")
        if error:
            first = re.search(r"error\s*: .*", error)
            return None, {}, first.group(0) if first else error[:200]
        frames = re.findall(r"@(\w+)\.resume\(ptr [^%]*dereferenceable\((\d+)\)", read(f"{path}.ll"))
        return self.figures(path), {name: int(size) for name, size in frames}, ""


def main():
    work, hel_lower, cuda, clang = sys.argv[1:5]
    if not cuda or not clang:
        print("skipped: needs clang++-22 and a CUDA toolkit")
        return 77
    os.makedirs(work, exist_ok=True)
    compilers = Compilers(work, hel_lower, cuda, clang)
    problems, frames, compared = [], [], 0
    print(f"{ARCH}; bytes of stack: of the largest function; of spills: all stores and loads")
    print(f"{'':18} {'lowered by hel-lower':>30}   {'coroutines of Clang':>30}")
    print(f"{'sample':18} {'registers':>10} {'stack':>9} {'spills':>9}   {'registers':>10} {'stack':>9} {'spills':>9}")
    for sample in SAMPLES:
        ours, our_frames = compilers.lowered(sample)
        theirs, their_frames, error = compilers.coroutines(sample)
        if not our_frames:
            problems.append(f"{sample}: no device frames found")
        if theirs:
            compared += 1
            if ours[1] > theirs[1] or ours[2] > theirs[2]:
                problems.append(f"{sample}: lowered, it needs more stack or spills than Clang's own coroutines")
        right = f"{theirs[0]:10} {theirs[1]:9} {theirs[2]:9}" if theirs else f"not compiled: {error}"
        print(f"{sample:18} {ours[0]:10} {ours[1]:9} {ours[2]:9}   {right}")
        frames += [(sample, name, size, their_frames.get(name)) for name, size in our_frames.items()]
    print(f"\n{'frame of':60} {'lowered':>9} {'Clang':>9} bytes")
    names = must("c++filt", *(name for _, name, _, _ in frames)).split("\n")
    for (sample, _, ours, theirs), name in zip(frames, names):
        print(f"{(sample + ': ' + name)[:60]:60} {ours:9} {theirs if theirs else '-':>9}")
    if compared < len(SAMPLES):  # it compiles all of them with 22
        problems.append("Clang has not compiled every sample")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
