#!/usr/bin/env python3
"""Rewrites LLVM IR of the NVPTX target so that the host's code generator takes it; lanes are fibers of the simulator.

    retarget.py IN.ll OUT.ll --host EMPTY_HOST.ll --id ID --provided FILE.cpp... [--rdc] [--attribute NAME]...

What becomes of what:
  target              that of EMPTY_HOST.ll
  address spaces      gone; __shared__ is thread_local, since a block runs on one thread; __constant__ becomes writable
  llvm.nvvm.*         functions hel_sim_nvvm_*, for as long as a file named by --provided defines them
  inline PTX          ordinary instructions (ptx.py)
  symbols             prefixed: host and device define the same inline functions. With --rdc one prefix for all files
  atomics, volatile   hel_sim_poll() before each: a loop that waits lets other lanes run
  kernels, variables  listed in a table that registers itself with the simulator under ID

An intrinsic, a function or an instruction without counterpart is an error that names it.
"""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ptx

SYMBOL = r'@(?:"[^"]*"|[\w.$-]+)'
STRING_OR_SYMBOL = re.compile(r'c"[^"]*"|' + SYMBOL)
# Functions of the device's C library, which the simulator has under names of its own.
LIBRARY = {"vprintf", "malloc", "free", "__assertfail", "_Znwm", "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm",
           "_ZnwmSt11align_val_t", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t", "__cxa_pure_virtual",
           "memcpy", "memset", "memmove", "memcmp", "strlen"}
C_LIBRARY = {"memcpy", "memset", "memmove", "memcmp", "strlen"}  # the host's serve
OWN_INTRINSICS = {"llvm.trap": "hel_sim_trap", "llvm.debugtrap": "hel_sim_trap", "llvm.ubsantrap": "hel_sim_trap"}


class Refused(Exception):
    pass


def bare(symbol):
    name = symbol[1:]
    return name[1:-1] if name.startswith('"') else name


def split_top(text, separator=","):
    """Splits at separators outside of brackets and strings."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


def argument(text):
    """(type, value) of a call's argument, without attributes."""
    type_, rest = first_type(text)
    return type_, re.sub(r"^(?:(?:no\w+|signext|zeroext|captures\([^)]*\)|align \d+|range\([^)]*\)|"
                         r"dereferenceable\w*\(\d+\)) )*", "", rest)


def first_type(text):
    """Splits `TYPE rest`."""
    depth = 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == " " and depth == 0:
            return text[:i], text[i + 1:]
    return text, ""


def matching(text, at):
    """The index of the bracket that closes the one at `at`."""
    depth, quoted = 0, False
    for i in range(at, len(text)):
        c = text[i]
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "([{<":
            depth += 1
        elif not quoted and c in ")]}>":
            depth -= 1
            if depth == 0:
                return i
    raise Refused(f"unbalanced brackets: {text[:200]}")


def first_operand(text):
    """Up to the comma that ends it: an operand may be a constant expression, with commas of its own."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            return text[:i]
    raise Refused(f"an operand without an end: {text[:200]}")


class Module:
    def __init__(self, options):
        self.options = options
        self.prefix = "hel_device." if options.rdc else f"hel_device.{options.id}."
        self.provided = set()
        for path in options.provided:
            with open(path, encoding="utf-8") as f:
                text = f.read()
            self.provided |= set(re.findall(r"\bhel_sim_(\w+)\(", text))
            # sreg(NAME, ...) and the like: a macro that defines hel_sim_nvvm_ ## NAME
            for macro, name in re.findall(r"^HEL_SIM_(\w+)\((\w+)", text, re.M):
                self.provided |= ({name + suffix for suffix in ("_i32", "_f32", "_i32p_pair", "_f32p_pair")}
                                  if macro == "SHUFFLE" else {name})
        self.defined, self.shared, self.dynamic = set(), {}, set()
        self.kernels, self.variables, self.aliases = [], [], {}
        self.declarations, self.needed = {}, {}
        self.uses = {}  # function -> symbols it names, for the shared memory of a kernel
        self.problems = []

    # --- names

    def new_name(self, name):
        if name in OWN_INTRINSICS:
            return OWN_INTRINSICS[name]
        if name.startswith("llvm.nvvm."):
            short = "nvvm_" + name[len("llvm.nvvm."):].replace(".", "_")
            if short not in self.provided and short + "_pair" not in self.provided:
                self.problems.append(f"intrinsic {name} has no counterpart (tests/device/simulator)")
            return "hel_sim_" + short
        if name.startswith("llvm."):
            return re.sub(r"\.p[1-5](?=\.|$)", ".p0", name)
        if name in self.dynamic:
            return "hel_sim_dynamic_shared"
        if name.startswith("hel_sim_"):
            return name
        name = self.aliases.get(name, name)
        if name not in self.defined and name in LIBRARY:
            return name if name in C_LIBRARY else "hel_sim_dev_" + name
        return self.prefix + name

    def rename(self, line):
        def replace(m):
            text = m.group(0)
            if text.startswith("c"):
                return text
            name = self.new_name(bare(text))
            return "@" + name if re.fullmatch(r"[\w.$-]+", name) else f'@"{name}"'
        return STRING_OR_SYMBOL.sub(replace, line)

    # --- lines

    @staticmethod
    def plain_addresses(line):
        def check(m):
            if int(m.group(1)) > 5:
                raise Refused(f"address space {m.group(1)}: {line.strip()[:200]}")
            return ""
        line = re.sub(r" addrspace\((\d+)\)", check, line)
        return line.replace("addrspacecast (", "bitcast (").replace(" addrspacecast ", " bitcast ")

    def global_variable(self, line):
        m = re.match(rf"({SYMBOL}) = (.*)", line)
        name, rest = bare(m.group(1)), m.group(2)
        if name in ("llvm.used", "llvm.compiler.used"):
            return None
        if name in self.aliases:
            return None
        if name.startswith("llvm."):
            raise Refused(f"@{name}: the device has no such thing")
        space = re.search(r"(?:^| )addrspace\((\d+)\)", rest.split('"')[0].split("{")[0])
        space = int(space.group(1)) if space else 0
        head = re.match(r"(.*?)\b(global|constant) (.*)", rest)
        qualifiers, kind, value = head.groups()
        type_, _ = first_type(value)
        type_ = type_.rstrip(",")
        if space == 3:
            if "external" in qualifiers.split():
                self.dynamic.add(name)
                return None
            self.shared[name] = type_
            qualifiers = re.sub(r"\b(local_)?unnamed_addr ", "", qualifiers)
            qualifiers = re.sub(r" ?addrspace\(3\) ?", " ", qualifiers) + "thread_local "
            return f"{m.group(1)} = {qualifiers.strip()} global {without_comdat(value)}"
        writable = "externally_initialized" in qualifiers
        if writable and "external" not in qualifiers.split():
            self.variables.append((name, type_))
        return f"{m.group(1)} = {qualifiers}{'global' if writable else kind} {without_comdat(value)}"

    def attribute_group(self, line):
        line = re.sub(r' "(target-cpu|target-features|nvvm\.[\w.]+|uniform-work-group-size)"="[^"]*"', "", line)
        return line.replace("{", "{ " + " ".join(self.options.attribute), 1) if self.options.attribute else line

    def definition(self, line, groups):
        m = re.search(rf"({SYMBOL})\(", line)
        name = bare(m.group(1))
        if re.search(r"\bptx_kernel\b", line[:m.start()]):
            close = matching(line, m.end() - 1)
            limit = re.search(r"#(\d+)", line[close:])
            limit = re.search(r'"nvvm\.maxntid"="([\d,]+)"', groups.get(limit.group(1), "")) if limit else None
            threads = 1024
            if limit:
                threads = 1
                for n in limit.group(1).split(","):
                    threads *= int(n)
            self.kernels.append((name, [self.parameter(p) for p in split_top(line[m.end():close])], threads))
        line = without_comdat(line.replace(" ptx_kernel ", " ").replace(" ptx_device ", " "))
        if self.options.attribute and not re.search(r"#\d+", line):
            line = line.replace(" {", f" {' '.join(self.options.attribute)} {{", 1)
        return line

    @staticmethod
    def parameter(text):
        """(type in memory, how it is passed): the value, or a copy of what it points to."""
        text = Module.plain_addresses(text)
        m = re.search(r"\bbyval\(", text)
        if not m:
            return first_type(text)[0], None
        type_ = text[m.end():matching(text, m.end() - 1)]
        align = re.search(r"\balign (\d+)", text)
        return type_, f"ptr byval({type_})" + (f" align {align.group(1)}" if align else "")

    def inline_assembly(self, line):
        m = re.match(r'\s*(?:(%\S+) = )?(?:tail |musttail |notail )?call ([^@"]*?)(?:asm) (?:sideeffect |alignstack |inteldialect |unwind )*'
                     r'"((?:[^"])*)", "([^"]*)"\(', line)
        if not m:
            raise Refused(f"cannot read {line.strip()[:200]}")
        result, type_, template, constraints = m.groups()
        words = [w for w in type_.split() if w not in ("noundef", "nonnull", "zeroext", "signext")]
        type_ = self.plain_addresses(" ".join(words))
        if type_.startswith("range("):
            type_ = type_[matching(type_, 5) + 1:].strip()
        close = matching(line, m.end() - 1)
        arguments = [argument(self.plain_addresses(a)) for a in split_top(line[m.end():close])]
        try:
            lines = ptx.translate(ptx.Asm(result or "", type_, template, constraints, arguments))
        except ptx.Unknown as unknown:
            self.problems.append(f"inline assembly without counterpart (tests/device/ptx.py): {unknown}")
            return []
        if lines is None:
            host = re.sub(r"(?<=[,=+&])[lhr](?=[,\"]|$)|^[lhr](?=,|$)", "r", constraints)
            return [line.replace(f'"{constraints}"', f'"{host}"', 1)]
        return lines

    def need(self, line):
        """Declares the simulator's functions that translations call."""
        m = re.search(r"call (\S+) @(hel_sim_\w+)\(", line)
        if m and m.group(2) not in self.needed:
            name = m.group(2)[len("hel_sim_"):]
            if name not in self.provided:
                self.problems.append(f"{name} has no counterpart (tests/device/simulator)")
            arguments = split_top(line[m.end():matching(line, m.end() - 1)])
            self.needed[m.group(2)] = f"declare {m.group(1)} @{m.group(2)}({', '.join(first_type(a)[0] for a in arguments)})"

    VOLATILE = re.compile(r"(.*\b(?:load|store)) volatile ((?:i8|i16|i32|i64|ptr|float|double)\b.*?)(, align \d+.*)$")

    POLLED = re.compile(r"\s+(?:%\S+ = )?(?:atomicrmw |cmpxchg |load atomic |load volatile )")

    SCOPED_ATOMIC = re.compile(r"(\s+%\S+ = )(?:tail )?call (?:noundef )?(\S+) @llvm\.nvvm\.atomic\.(\w+)\.gen\.([if])\.(?:cta|sys)\.[\w.]+\(")

    def scoped_atomic(self, line):
        """The intrinsics of atomicAdd_system() and the like."""
        m = self.SCOPED_ATOMIC.match(line)
        if not m:
            return [line]
        head, type_, operation, letter = m.groups()
        arguments = [argument(self.plain_addresses(a))[1] for a in split_top(line[m.end():matching(line, m.end() - 1)])]
        if operation == "cas":
            pair = ptx.fresh()
            return [f"  {pair} = cmpxchg ptr {arguments[0]}, {type_} {arguments[1]}, {type_} {arguments[2]} monotonic monotonic",
                    f"{head}extractvalue {{ {type_}, i1 }} {pair}, 0"]
        name = {"exch": "xchg", "inc": "uinc_wrap", "dec": "udec_wrap"}.get(operation, operation)
        return [f"{head}atomicrmw {'f' if letter == 'f' else ''}{name} ptr {arguments[0]}, {type_} {arguments[1]} monotonic"]

    def body(self, line):
        if re.search(r'\bcall\b[^@"]*\basm\b', line):
            lines = self.inline_assembly(line)
        elif "@llvm.nvvm.atomic." in line:
            lines = self.scoped_atomic(line)
        else:
            lines = [line]
        out = []
        for text in lines:
            self.need(text)
            if self.POLLED.match(text):
                # what libcu++ writes for a sequentially consistent operation: the fence belongs to it
                if out == [] and self.last.strip() == "fence seq_cst" and line is not text and "asm" in line:
                    text = re.sub(r"(?<=[ ])(acquire acquire|acq_rel acquire|monotonic monotonic|release monotonic|acquire|monotonic|acq_rel|release)(?=, align)",
                                  lambda m: " ".join(["seq_cst"] * len(m.group(1).split())), text)
                out.append("  call void @hel_sim_poll()")
                if changed := re.search(r"\b(?:atomicrmw (?:volatile )?\w+|cmpxchg (?:weak |volatile )*) *ptr (?:addrspace\(\d+\) )?", text):
                    out.append(self.plain_addresses(f"  call void @hel_sim_atomic(ptr {first_operand(text[changed.end():])})"))
            text = re.sub(r' syncscope\("[^"]*"\)', "", text)
            text = self.plain_addresses(text)
            # PTX ISA: as a relaxed operation of system scope
            text = self.VOLATILE.sub(r"\1 atomic volatile \2 monotonic\3", text)
            text = re.sub(r"\bcall ptx_(kernel|device) ", "call ", text)
            if "@llvm.nvvm." in text or "@hel_sim_" in text:
                text = re.sub(r"\bi1 (?=[%tf])", "i1 zeroext ", text)
            out.append(text)
        if out:
            self.last = out[-1]
        return out

    def declaration(self, line):
        line = self.plain_addresses(line)
        name = bare(re.search(SYMBOL, line).group(0))
        if name.startswith("llvm.nvvm.atomic."):
            return  # scoped_atomic(), or a problem at the call
        new = self.new_name(name)
        line = line.replace(" ptx_kernel ", " ").replace(" ptx_device ", " ")
        if new.startswith("hel_sim_"):
            line = re.sub(r"\bimmarg\b", "", line)
            line = re.sub(r"\bi1(?=[,)])", "i1 zeroext", line)
        if new.startswith(self.prefix) and not self.options.rdc:
            self.problems.append(f"function {name} is not defined on the device")
        pair = re.match(r"declare (?:\w+ )*(\{ (\w+), i1 \}) (@\S+?)\((.*)\)", line)
        if pair and new.startswith("hel_sim_"):
            # C++ passes such a pair otherwise: the second part goes through memory
            type_, value, _, parameters = pair.groups()
            types = [first_type(p)[0] for p in split_top(parameters)]
            names = [f"{t} %a{i}" for i, t in enumerate(types)]
            lines = [f"declare {value} @{new}_pair({', '.join(types + ['ptr'])})",
                     f"define internal {type_} @{new}({', '.join(names)}) convergent {{",
                     "  %p = alloca i8", f"  %v = call {value} @{new}_pair({', '.join(names + ['ptr %p'])})",
                     "  %b = load i8, ptr %p", "  %c = trunc i8 %b to i1",
                     f"  %x = insertvalue {type_} poison, {value} %v, 0", f"  %y = insertvalue {type_} %x, i1 %c, 1",
                     f"  ret {type_} %y", "}"]
            self.declarations[new] = "\n".join(lines)
            return
        self.declarations[new] = self.rename(line)

    # --- the whole

    def transform(self, text):
        lines = text.split("\n")
        groups = {}
        for line in lines:
            m = re.match(r"attributes #(\d+) = (.*)", line)
            if m:
                groups[m.group(1)] = m.group(2)
            m = (re.match(rf"define [^@]*({SYMBOL})\(", line) or
                 re.match(rf"({SYMBOL}) = (?!(?:\w+ )*external )", line))
            if m:
                self.defined.add(bare(m.group(1)))
            if re.match(rf"{SYMBOL} = [^{{\"]*\bexternal\b[^{{\"]*addrspace\(3\)", line):
                self.dynamic.add(bare(re.match(SYMBOL, line).group(0)))
        # Clang may name a variable that is local to a file in two ways, and defines one of them.
        for name in self.defined:
            base = re.sub(r"__(static|intern)__[0-9a-f]+$", "", name)
            if base not in self.defined:
                self.aliases[base] = name
        with open(self.options.host, encoding="utf-8") as f:
            target = [line for line in f.read().split("\n") if line.startswith("target ")]
        out, current = [], None
        for line in lines:
            if line.startswith("target "):
                out.extend(target)
                target = []
            elif line.startswith("@"):
                line = self.global_variable(line)
                if line:
                    out.append(self.rename(self.plain_addresses(line)))
            elif line.startswith("attributes #"):
                out.append(self.attribute_group(line))
            elif line.startswith("$"):
                pass  # comdat: linkage says enough on the host
            elif line.startswith("!nvvm") or line.startswith("!llvm.errno.tbaa"):
                pass
            elif line.startswith("declare "):
                self.declaration(line)
            elif line.startswith("define "):
                current = bare(re.search(rf"({SYMBOL})\(", line).group(1))
                self.uses[current] = set()
                self.last = ""
                out.append(self.rename(self.plain_addresses(self.definition(line, groups))))
            elif current is not None and line.startswith("}"):
                current = None
                out.append(line)
            elif current is not None:
                for text in self.body(line):
                    self.uses[current] |= {bare(s) for s in re.findall(SYMBOL, text)}
                    out.append(self.rename(text))
            elif line.startswith("module asm"):
                self.problems.append(f"assembly outside of functions: {line[:200]}")
            else:
                out.append(line)
        out.append("declare void @hel_sim_poll()")
        out.append("declare void @hel_sim_atomic(ptr)")
        if self.dynamic:
            out.append("@hel_sim_dynamic_shared = external thread_local global [0 x i8], align 1024")
        for name, line in self.needed.items():
            if name not in self.declarations and name not in ("hel_sim_poll", "hel_sim_atomic"):
                out.append(line)
        out.extend(self.declarations.values())
        out.extend(self.table())
        return "\n".join(out) + "\n"

    def shared_bytes(self, kernel):
        seen, todo = set(), [kernel]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo.extend(self.uses.get(name, ()))
        total = "0"
        for name in sorted(seen & set(self.shared)):
            total = f"add (i64 {total}, i64 {size_of(self.shared[name])})"
        return total

    def table(self):
        """hel_sim::module of module.hpp, and its registration."""
        out, strings = [], []

        def string(text):
            data = text.encode() + b"\0"
            name = f"@hel_sim_table.s{len(strings)}"
            escaped = "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in data)
            strings.append(f"{name} = private constant [{len(data)} x i8] c\"{escaped}\"")
            return name

        def symbol(name):
            return self.rename(f'@"{name}"')

        kernels = []
        for i, (name, parameters, threads) in enumerate(self.kernels):
            body, arguments, sizes = [], [], []
            for j, (type_, by_value) in enumerate(parameters):
                body.append(f"  %p{j} = getelementptr ptr, ptr %arguments, i64 {j}")
                body.append(f"  %a{j} = load ptr, ptr %p{j}")
                if by_value:
                    arguments.append(f"{by_value} %a{j}")
                else:
                    body.append(f"  %v{j} = load {type_}, ptr %a{j}, align 1")
                    arguments.append(f"{type_} %v{j}")
                sizes.append(f"i64 {size_of(type_)}")
            out.append(f"define internal void @hel_sim_table.run{i}(ptr %arguments) {{")
            out.extend(body)
            out.append(f"  call void {symbol(name)}({', '.join(arguments)})\n  ret void\n}}")
            out.append(f"@hel_sim_table.sizes{i} = private constant [{len(sizes)} x i64] [{', '.join(sizes)}]"
                       if sizes else f"@hel_sim_table.sizes{i} = private constant [0 x i64] zeroinitializer")
            kernels.append(f"{{ ptr, ptr, ptr, i64, i64, i64 }} {{ ptr {string(name)}, ptr @hel_sim_table.run{i}, "
                           f"ptr @hel_sim_table.sizes{i}, i64 {len(sizes)}, i64 {self.shared_bytes(name)}, i64 {threads} }}")
        variables = [f"{{ ptr, ptr, i64 }} {{ ptr {string(name)}, ptr {symbol(name)}, i64 {size_of(type_)} }}"
                     for name, type_ in self.variables]
        out.append("define internal void @hel_sim_table.shared(ptr %visit, ptr %argument) {")
        for name, type_ in self.shared.items():
            out.append(f"  call void %visit(ptr %argument, ptr {symbol(name)}, i64 {size_of(type_)})")
        out.append("  ret void\n}")
        identifier = string(self.options.id)
        for what, element, rows in (("kernels", "{ ptr, ptr, ptr, i64, i64, i64 }", kernels),
                                    ("variables", "{ ptr, ptr, i64 }", variables)):
            value = f"[{', '.join(rows)}]" if rows else "zeroinitializer"
            out.append(f"@hel_sim_table.{what} = private constant [{len(rows)} x {element}] {value}")
        out.append("@hel_sim_table.module = private global { i64, ptr, ptr, i64, ptr, i64, ptr, ptr } "
                   f"{{ i64 1, ptr {identifier}, ptr @hel_sim_table.kernels, i64 {len(kernels)}, "
                   f"ptr @hel_sim_table.variables, i64 {len(variables)}, ptr @hel_sim_table.shared, ptr null }}")
        out.append("declare void @hel_sim_register(ptr)")
        out.append("define internal void @hel_sim_table.enter() {\n"
                   "  call void @hel_sim_register(ptr @hel_sim_table.module)\n  ret void\n}")
        out.append("@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
                   "[{ i32, ptr, ptr } { i32 101, ptr @hel_sim_table.enter, ptr null }]")
        return strings + out


def without_comdat(line):
    return re.sub(r'("[^"]*")|,? comdat(?:\([^)]*\))?(?= |,|$)', lambda m: m.group(1) or "", line)


def size_of(type_):
    return f"ptrtoint (ptr getelementptr ({type_}, ptr null, i32 1) to i64)"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--host", required=True)
    parser.add_argument("--id", required=True)
    parser.add_argument("--provided", nargs="+", required=True)
    parser.add_argument("--rdc", action="store_true")
    parser.add_argument("--attribute", action="append", default=[])
    options = parser.parse_args()
    module = Module(options)
    with open(options.input, encoding="utf-8") as f:
        text = f.read()
    try:
        result = module.transform(text)
    except Refused as refused:
        module.problems.append(str(refused))
    if module.problems:
        for problem in dict.fromkeys(module.problems):
            print(f"{options.input}: error: {problem}", file=sys.stderr)
        return 1
    with open(options.output, "w", encoding="utf-8") as f:
        f.write(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
