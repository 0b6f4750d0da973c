"""Inline PTX in LLVM IR, one instruction at a time, as ordinary IR.

translate() takes what stands in a `call ... asm` and returns the lines that do the same on the host. What it does not
know raises Unknown: there is no silent way through.
"""

import itertools
import re


class Unknown(Exception):
    pass


ORDERS = {"relaxed": "monotonic", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "sc": "seq_cst"}
SCOPES = {"cta", "cluster", "gpu", "sys"}
STATE_SPACES = {"global", "shared", "generic", "const", "shared::cta"}
BITS = re.compile(r"([bus]|f)(8|16|32|64)$")
ATOMS = {"add": "add", "and": "and", "or": "or", "xor": "xor", "exch": "xchg", "min": None, "max": None,
         "inc": "uinc_wrap", "dec": "udec_wrap"}
BARRIERS = {"bar.warp.sync": "bar_warp_sync"}

_fresh = itertools.count()


def fresh():
    return f"%hel.{next(_fresh)}"


class Asm:
    """One inline-assembly call: the result it assigns (or ''), its type, template, constraints and operands."""

    def __init__(self, result, type_, template, constraints, arguments):
        self.result, self.type, self.constraints, self.arguments = result, type_, constraints, arguments
        text = template.replace("\\0A", "\n").replace("\\09", " ").replace("\\22", '"').replace("%%", "%")
        text = re.sub(r"//[^\n]*", "", text)
        text = re.sub(r"\$\{(\d+)(:\w+)?\}", r"$\1", text).strip()
        if text.startswith("{") and text.endswith("}"):
            text = text[1:-1]
        self.instructions = [re.sub(r"\s+", " ", i).strip() for i in text.split(";") if i.strip()]
        self.outputs = sum(1 for c in constraints.split(",") if c.startswith("="))

    def operand(self, text):
        """(type, value) of `$3`, `[$3]` or a number."""
        m = re.fullmatch(r"\[?\s*\$(\d+)\s*(?:\+\s*0\s*)?\]?", text)
        if m:
            i = int(m.group(1)) - self.outputs
            if 0 <= i < len(self.arguments):
                return self.arguments[i]
        elif re.fullmatch(r"-?\d+", text):
            return ("i32", text)
        raise Unknown

    def assigns(self, text):
        if text != "$0" or self.outputs != 1 or not self.result:
            raise Unknown


def cast(lines, source_type, value, type_):
    """Value of one type as another of any width: PTX registers are wider than bytes and halves."""
    if source_type == type_:
        return value
    width = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64, "half": 16}
    a, b = width.get(source_type), width.get(type_)
    name = fresh()
    if source_type == "ptr" and type_ == "i64":
        lines.append(f"  {name} = ptrtoint ptr {value} to i64")
    elif type_ == "ptr" and source_type == "i64":
        lines.append(f"  {name} = inttoptr i64 {value} to ptr")
    elif a is None or b is None:
        raise Unknown
    elif a == b:
        lines.append(f"  {name} = bitcast {source_type} {value} to {type_}")
    elif source_type[0] == "i" and type_[0] == "i":
        lines.append(f"  {name} = {'zext' if a < b else 'trunc'} {source_type} {value} to {type_}")
    else:
        raise Unknown
    return name


def memory(asm, op, operands):
    """ld, st, atom and red with an order, volatile, or neither."""
    kind, *words = op.split(".")
    order, volatile, operation, bits = None, False, None, None
    for w in words:
        if w in ORDERS and order is None:
            order = ORDERS[w]
        elif w == "volatile":
            volatile = True
        elif w in SCOPES or w in STATE_SPACES or w in ("nc", "weak"):
            pass
        elif kind in ("atom", "red") and (w in ATOMS or w == "cas"):
            operation = w
        elif BITS.match(w):
            bits = w
        else:
            raise Unknown
    if bits is None:
        raise Unknown
    letter, size = BITS.match(bits).groups()
    type_ = {"32": "float", "64": "double", "16": "half"}[size] if letter == "f" else "i" + size
    align = int(size) // 8
    lines = []

    def assign(value, value_type):
        if asm.type == value_type:
            raise AssertionError("assigned directly")
        last = cast(lines, value_type, value, asm.type)
        lines[-1] = lines[-1].replace(f"{last} =", f"{asm.result} =", 1)

    def result_name(value_type):
        return asm.result if asm.type == value_type else fresh()

    if kind in ("ld", "st"):
        memory_type = "i" + size  # the bits; no conversion
        qualifier = ("atomic " if order else "") + ("volatile " if volatile else "")
        ordering = f" {order}" if order else ""
        if kind == "ld":
            asm.assigns(operands[0])
            type_, address = asm.operand(operands[1])
            address = cast(lines, type_, address, "ptr")
            name = result_name(memory_type)
            lines.append(f"  {name} = load {qualifier}{memory_type}, ptr {address}{ordering}, align {align}")
            if name != asm.result:
                assign(name, memory_type)
        else:
            type_, address = asm.operand(operands[0])
            address = cast(lines, type_, address, "ptr")
            value = cast(lines, *asm.operand(operands[1]), memory_type)
            lines.append(f"  store {qualifier}{memory_type} {value}, ptr {address}{ordering}, align {align}")
        return lines
    order = order or "monotonic"
    if kind == "red":
        operands = ["$0"] + operands
    else:
        asm.assigns(operands[0])
    address_type, address = asm.operand(operands[1])
    address = cast(lines, address_type, address, "ptr")
    values = [cast(lines, *asm.operand(o), type_) for o in operands[2:]]
    if operation == "cas":
        if letter == "f" or len(values) != 2:
            raise Unknown
        failure = {"monotonic": "monotonic", "release": "monotonic", "acquire": "acquire", "acq_rel": "acquire",
                   "seq_cst": "seq_cst"}[order]
        pair = fresh()
        lines.append(f"  {pair} = cmpxchg ptr {address}, {type_} {values[0]}, {type_} {values[1]} {order} {failure}, "
                     f"align {align}")
        name = result_name(type_)
        lines.append(f"  {name} = extractvalue {{ {type_}, i1 }} {pair}, 0")
    else:
        if operation is None or len(values) != 1:
            raise Unknown
        instruction = ATOMS[operation] or ("" if letter == "s" else "u") + operation
        if letter == "f":
            if operation != "add":
                raise Unknown
            instruction = "fadd"
        name = fresh() if kind == "red" else result_name(type_)
        lines.append(f"  {name} = atomicrmw {instruction} ptr {address}, {type_} {values[0]} {order}, align {align}")
    if kind == "atom" and name != asm.result:
        assign(name, type_)
    return lines


def call(asm, function, arguments=(), type_=None):
    """A call of one of the simulator's functions, whose declaration retarget.py adds."""
    lines = []
    parameters = ", ".join(f"{t} {v}" for t, v in arguments)
    if asm.result:
        asm_type = type_ or asm.type
        name = asm.result if asm_type == asm.type else fresh()
        lines.append(f"  {name} = call {asm_type} @hel_sim_nvvm_{function}({parameters})")
        if name != asm.result:
            last = cast(lines, asm_type, name, asm.type)
            lines[-1] = lines[-1].replace(f"{last} =", f"{asm.result} =", 1)
    else:
        lines.append(f"  call void @hel_sim_nvvm_{function}({parameters})")
    return lines


def instruction(asm, text):
    op, _, rest = text.partition(" ")
    operands = [o.strip() for o in rest.split(",")] if rest else []
    kind = op.split(".")[0]
    if kind in ("ld", "st", "atom", "red"):
        return memory(asm, op, operands)
    if kind == "mov" and len(operands) == 2 and operands[1].startswith("%"):  # a special register
        asm.assigns(operands[0])
        return call(asm, "read_ptx_sreg_" + operands[1][1:].replace(".", "_"))
    if kind == "mov" and len(operands) == 2 and len(asm.arguments) == 1:
        asm.assigns(operands[0])
        t, v = asm.operand(operands[1])
        lines = []
        if t == asm.type:
            return [f"  {asm.result} = select i1 true, {t} {v}, {t} {v}"]
        last = cast(lines, t, v, asm.type)
        lines[-1] = lines[-1].replace(f"{last} =", f"{asm.result} =", 1)
        return lines
    if op == "nanosleep.u32":
        return call(asm, "nanosleep", [asm.operand(operands[0])])
    if op == "activemask.b32":
        asm.assigns(operands[0])
        return call(asm, "activemask")
    if op in ("trap", "brkpt"):
        return ["  call void @hel_sim_trap()"]
    if op == "exit":
        return ["  call void @hel_sim_exit()"]
    if kind == "fence":
        words = op.split(".")[1:]
        order = next((ORDERS[w] for w in words if w in ORDERS), None)
        if all(w in ORDERS or w in SCOPES for w in words):
            return [f"  fence {order or 'acq_rel'}"]
    if kind == "membar":
        return ["  fence seq_cst"]
    if op in BARRIERS and len(operands) == 1:
        return call(asm, BARRIERS[op], [asm.operand(operands[0])])
    if op in ("bar.sync", "barrier.sync", "barrier.cta.sync", "barrier.sync.aligned"):
        arguments = [asm.operand(o) for o in operands]
        return call(asm, "barrier_cta_sync_all" if len(arguments) == 1 else "barrier_cta_sync_count", arguments)
    if op in ("bar.arrive", "barrier.arrive", "barrier.cta.arrive"):
        return call(asm, "barrier_cta_arrive_count", [asm.operand(o) for o in operands])
    if op in ("bfind.shiftamt.u32", "bfind.u32"):
        asm.assigns(operands[0])
        return call(asm, op.replace(".", "_"), [asm.operand(operands[1])])
    if op in ("rcp.approx.ftz.f32", "rcp.approx.f32"):
        asm.assigns(operands[0])
        return [f"  {asm.result} = fdiv float 1.0, {asm.operand(operands[1])[1]}"]
    if kind in ("prefetch", "prefetchu", "pragma"):
        return []
    raise Unknown


class Chain:
    """Integer arithmetic over several instructions with registers of their own: what is made of a carry."""

    OPERATION = re.compile(r"(addc?|subc?|madc?|mul)(\.lo|\.hi)?(\.cc)?\.([usb])(32|64)$")

    def __init__(self, asm):
        self.asm, self.registers, self.lines = asm, {}, []
        self.carry = None  # an i128

    def read(self, text, bits):
        m = re.fullmatch(r"\$(\d+)", text)
        if m and int(m.group(1)) < self.asm.outputs:
            value = self.registers[text]
        elif m or re.fullmatch(r"-?\d+", text):
            value = self.asm.operand(text)
            if not m:
                return text
        else:
            value = self.registers[text]
        return cast(self.lines, *value, f"i{bits}")

    def emit(self, text):
        name = fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def wide(self, text, bits, signed):
        value = self.read(text, bits)
        if re.fullmatch(r"-?\d+", value):
            return value
        return self.emit(f"{'sext' if signed else 'zext'} i{bits} {value} to i128")

    def arithmetic(self, m, operands):
        kind, part, sets_carry, letter, bits = m.groups()
        bits, signed = int(bits), letter == "s"
        if (part is None) != kind.startswith(("add", "sub")):
            raise Unknown
        values = [self.wide(o, bits, signed and part == ".hi") for o in operands[1:3]]
        if kind.startswith(("m",)):
            total = self.emit(f"mul i128 {values[0]}, {values[1]}")
            if part == ".hi":
                total = self.emit(f"lshr i128 {total}, {bits}")
            total = self.emit(f"and i128 {total}, {(1 << bits) - 1}")
            if kind != "mul":
                total = self.emit(f"add i128 {total}, {self.wide(operands[3], bits, False)}")
        else:
            total = self.emit(f"{kind[:3]} i128 {values[0]}, {values[1]}")
        if kind.endswith("c"):
            if self.carry is None:
                raise Unknown
            total = self.emit(f"{'sub' if kind == 'subc' else 'add'} i128 {total}, {self.carry}")
        if sets_carry:
            shifted = self.emit(f"lshr i128 {total}, {bits}")
            self.carry = self.emit(f"and i128 {shifted}, 1")
        self.registers[operands[0]] = (f"i{bits}", self.emit(f"trunc i128 {total} to i{bits}"))

    def move(self, operands):
        to, of = operands
        if of.startswith("{"):
            low, high = (self.wide(o.strip(), 32, False) for o in of[1:-1].split(","))
            total = self.emit(f"or i128 {low}, {self.emit(f'shl i128 {high}, 32')}")
            self.registers[to] = ("i64", self.emit(f"trunc i128 {total} to i64"))
        elif to.startswith("{"):
            value = self.read(of, 64)
            low, high = (o.strip() for o in to[1:-1].split(","))
            self.registers[low] = ("i32", self.emit(f"trunc i64 {value} to i32"))
            self.registers[high] = ("i32", self.emit(f"trunc i64 {self.emit(f'lshr i64 {value}, 32')} to i32"))
        else:
            raise Unknown

    def instruction(self, text):
        op, _, rest = text.partition(" ")
        operands = [o.strip() for o in re.split(r",(?![^{]*\})", rest)]
        m = self.OPERATION.match(op)
        if op == ".reg":
            return
        if m:
            self.arithmetic(m, operands)
        elif op == "mov.b64":
            self.move(operands)
        else:
            raise Unknown

    def translate(self):
        for i in self.asm.instructions:
            self.instruction(i)
        results = [self.registers[f"${i}"] for i in range(self.asm.outputs)]
        if len(results) == 1:
            t, v = results[0]
            self.lines.append(f"  {self.asm.result} = select i1 true, {t} {v}, {t} {v}")
            return self.lines
        built = "poison"
        for i, (t, v) in enumerate(results):
            name = self.asm.result if i == len(results) - 1 else fresh()
            self.lines.append(f"  {name} = insertvalue {self.asm.type} {built}, {t} {v}, {i}")
            built = name
        return self.lines


def translate(asm):
    """The lines for one call. Unknown where there is no translation."""
    try:
        if not asm.instructions:  # a barrier for the compiler: registers of the host instead
            return None
        if len(asm.instructions) == 1:
            return instruction(asm, asm.instructions[0])
        if asm.outputs == 0:
            return [line for i in asm.instructions for line in instruction(asm, i)]
        return Chain(asm).translate()
    except (KeyError, ValueError, IndexError, Unknown):
        pass
    raise Unknown("; ".join(asm.instructions))
