import LosslessJSON

extension Machine {
    /// Runs until the next output, which is returned, or the end.
    mutating func run() throws(JQError) -> Value? {
        while true {
            let instruction = code.instructions[address]
            address += 1
            switch instruction {
            case .constant(let at): try answer(code.constants[Int(at)])
            case .pushConstant(let at): try push(code.constants[Int(at)])
            case .pop: _ = popCell()
            case .copy(let depth): try push(cells[cellIndex(depth)].value)
            case .take(let depth):
                let at = cellIndex(depth)
                var value = Value.null
                if at >= limit { swap(&value, &cells[at].value) } else { value = cells[at].value }
                try push(value)
            case .duplicate: try push(cells[top].value, cells[top].path)
            case .lift(let depth): try lift(depth)
            case .refresh:
                if top < limit {
                    let cell = popCell()
                    try push(cell.value, cell.path)
                }
            case .strip: if cells[top].path != nil { try replace(cells[top].value, nil) }
            case .takeKept:
                var value = Value.null
                swap(&value, &cells[top].value)
                try push(value)
            case .refreshTaking:
                var value = Value.null
                swap(&value, &cells[top].value)
                top = cells[top].previous
                try push(value)
            case .checkKey: try checkKey()
            case .settle:
                let value = pop()
                try answer(value)
            case .under:
                let cell = popCell()
                try replace(cell.value, cell.path)
            case .load(let hops, let slot):
                let found = frame.ancestor(hops).slots[Int(slot)]
                try replace(found.value, cells[top].path == nil ? nil : found.path ?? outside)
            case .global(let at): try answer(globals[Int(at)])
            case .store(let slot):
                let cell = popCell()
                frame.slots[Int(slot)] = Frame.Slot(value: cell.value, path: cell.path)
            case .storeKeeping(let slot):
                frame.slots[Int(slot)] = Frame.Slot(value: cells[top].value, path: cells[top].path)
            case .clear(let slot): frame.slots[Int(slot)] = Frame.Slot()
            case .moveOut(let slot):
                var moved = Frame.Slot()
                swap(&moved, &frame.slots[Int(slot)])
                try push(moved.value, moved.path)
            case .fork(let jump): try fork(.plain, to: address - 1 + Int(jump))
            case .markedFork(let slot, let jump):
                frame.slots[Int(slot)].value = .count(forks.count)
                try fork(.plain, to: address - 1 + Int(jump))
            case .jump(let jump): address += Int(jump) - 1
            case .jumpUnless(let jump): if !pop().isTruthy { address += Int(jump) - 1 }
            case .truth: try answer(.bool(cells[top].value.isTruthy))
            case .backtrack: guard try backtrack() else { return nil }
            case .tryBegin(let slot, let jump, let keepsInput):
                frame.slots[Int(slot)].value = .count(forks.count)
                try fork(.trying(keepsInput: keepsInput), to: address - 1 + Int(jump))
            case .tryEnd(let slot):
                let count = position(frame, slot)
                if forks.count == count + 1 { forks.drop(to: count) } else { try fork(.tried(count), to: address) }
            case .optional: break
            case .label(let slot):
                frame.slots[Int(slot)].value = .count(forks.count)
                try fork(.label, to: address)
            case .breakTo(let hops, let slot):
                cut(to: position(frame.ancestor(hops), slot))
                guard try backtrack() else { return nil }
            case .cut(let slot): cut(to: position(frame, slot))
            case .limitBegin(let slot):
                let count = pop()
                guard let wanted = count.asDouble, !wanted.isNaN else { throw Failure.notANumber("limit", count) }
                if wanted < 0 { throw JQError("limit doesn't support negative count") }
                frame.slots[Int(slot)].value = .integer(Int64(min(wanted.rounded(.up), 1e18)))
                if wanted == 0 { guard try backtrack() else { return nil } }
            case .limitCount(let slot):
                let left = (frame.slots[Int(slot)].value.asInteger ?? 0) - 1
                frame.slots[Int(slot)].value = .integer(max(left, -1))
                if left == 0 { cut(to: position(frame, slot + 1)) }
            case .found(let slot):
                if cells[top].value.isTruthy {
                    frame.slots[Int(slot)].value = .bool(true)
                } else {
                    guard try backtrack() else { return nil }
                }
            case .unlessFound(let slot):
                if frame.slots[Int(slot)].value.isTruthy { guard try backtrack() else { return nil } }
            case .index:
                let target = popCell()
                let key = pop()
                try checkPath(target, key)
                try push(try Paths.index(target.value, key, meter), extend(target.path, key))
            case .note(let site): code.coverage?.note(cells[top].value, at: site)
            case .indexConstant(let at):
                if cells[top].path === outside { throw Failure.nearAccess(cells[top].value, code.constants[Int(at)]) }
                let value = try Paths.index(cells[top].value, code.constants[Int(at)], meter)
                if cells[top].path == nil {
                    try answer(value)
                } else {
                    try replace(value, extend(cells[top].path, code.constants[Int(at)]))
                }
            case .copyIndex(let depth, let at):
                try push(try Paths.index(cells[cellIndex(depth)].value, code.constants[Int(at)], meter))
            case .writtenIndexConstant(let at):
                try answer(try Paths.written(cells[top].value, code.constants[Int(at)], meter))
            case .writtenCopyIndex(let depth, let at):
                try push(try Paths.written(cells[cellIndex(depth)].value, code.constants[Int(at)], meter))
            case .slice(let hasFrom, let hasTo):
                let target = popCell()
                let to = hasTo ? pop() : .null
                let from = hasFrom ? pop() : .null
                let key = Value.object(
                    ValueObject([ValueObject.Member("start", from), ValueObject.Member("end", to)])
                )
                try checkPath(target, key)
                try push(try Paths.index(target.value, key, meter), extend(target.path, key))
            case .iterate:
                let cell = popCell()
                if cell.path === outside { throw Failure.nearIteration(cell.value) }
                guard cell.value.rank >= 5 else { throw Failure.notIterable(cell.value) }
                try each(cell.value, cell.path)
                guard try backtrack() else { return nil }
            case .recurse: try descend(cells[top].value)
            case .range:
                let step = pop()
                let end = pop()
                let cell = popCell()
                let input = popCell()
                guard cell.value.isNumber, end.isNumber, step.isNumber else {
                    throw JQError("Range bounds must be numeric")
                }
                if step.asDouble != 0 {
                    // Compared at each step: the digits of an integer are read only here.
                    var last = Arithmetic.plain(end)
                    if case .double = last { last = end }
                    let bounds = Fork.RangeBounds(end: last, step: step)
                    let next = Arithmetic.plain(cell.value)
                    try fork(.range(bounds), to: address, source: next, path: left(input.path))
                }
                guard try backtrack() else { return nil }
            case .collectBegin(let slot): frame.slots[Int(slot)].value = .array(ValueArray([]))
            case .append(let slot):
                let value = pop()
                try meter.take(MemoryLayout<Value>.stride)
                try collect(value, slot)
            case .collectEnd(let slot):
                var collected = Value.null
                swap(&collected, &frame.slots[Int(slot)].value)
                try answer(collected)
            case .makeObject(let shape): try makeObject(code.shapes[Int(shape)])
            case .interpolate(let text): try interpolate(code.texts[Int(text)])
            case .format(let at):
                let value = cells[top].value
                try answer(.text(try code.texts[Int(at)].format.text(of: value, meter)))
            case .negate: try answer(try Arithmetic.negate(cells[top].value))
            case .binary(let operation):
                var a = pop()
                let b = pop()
                if operation == .add {
                    try Arithmetic.add(to: &a, b, meter)
                } else {
                    a = try Arithmetic.apply(operation, a, b, meter)
                }
                try answer(a)
            case .binaryConstant(let operation, let at):
                let cell = popCell()
                try push(try Arithmetic.apply(operation, cell.value, code.constants[Int(at)], meter), left(cell.path))
            case .native(let at, let count):
                var arguments = Arguments()
                for argument in 0..<Int(count) { arguments[argument] = pop() }
                try meter.step()
                if top >= limit {
                    // Nothing else needs the input.
                    try meter.read(cells[top].value)
                    try Natives.all[Int(at)].body(&cells[top].value, arguments, meter)
                    if cells[top].path != nil { cells[top].path = outside }
                } else {
                    var value = cells[top].value
                    try meter.read(value)
                    try Natives.all[Int(at)].body(&value, arguments, meter)
                    try answer(value)
                }
            case .host(let at, let count):
                let arguments = popArguments(count)
                let cell = popCell()
                try meter.step()
                let input = try cell.value.exported(meter)
                var values: [JSONValue] = []
                for argument in arguments { values.append(try argument.exported(meter)) }
                let result = Value(opening: try code.hosts[Int(at)].body(input, values))
                try push(result, left(cell.path))
            case .call(let unit, let hops, let closures, let isTail):
                try enter(unit, frame.ancestor(hops), code.closures[Int(closures)], isTail)
            case .callParameter(let hops, let index, let isTail):
                let closure = frame.ancestor(hops).closures[Int(index)]
                try enter(closure.unit, closure.frame, [], isTail)
            case .leave:
                address = frame.returnAddress
                frame = frame.returnFrame ?? frame
            case .emit: return pop()
            case .raise:
                raised = pop()
                throw Failure.raised
            case .pathBegin: try replace(cells[top].value, PathNode(nil, .null))
            case .pathEnd:
                let cell = cells[top]
                guard let path = cell.path, path !== outside else { throw Failure.notAPath(cell.value) }
                try meter.copy(elements: path.length)
                let keys = Value.array(ValueArray(path.keys))
                try replace(keys, nil)
            case .getPath:
                let keys = pop()
                let cell = popCell()
                guard let steps = try keys.array(meter) else { throw JQError("Path must be specified as an array") }
                var path = cell.path
                if path != nil { for step in steps { path = extend(path, step) } }
                try push(try Paths.get(cell.value, steps[...], meter), path)
            case .modifyBegin(let base): try modifyBegin(Int(base))
            case .modifyNext(let base, let jump):
                if try !modifyNext(Int(base)) { address += Int(jump) - 1 }
            case .modifyStore(let base): try modifyStore(Int(base))
            case .modifyDelete(let base):
                _ = popCell()
                try modifyDelete(Int(base))
            case .modifyEnd(let base): try modifyEnd(Int(base))
            case .assign(let base): try assign(Int(base))
            }
        }
    }

    @inline(__always)
    func position(_ frame: Frame, _ slot: Int32) -> Int { Int(frame.slots[Int(slot)].value.asInteger ?? 0) }

    mutating func enter(_ unit: Int32, _ parent: Frame, _ sources: [ClosureSource], _ isTail: Bool) throws(JQError) {
        try meter.step()
        var closures: [Frame.Closure] = []
        for source in sources {
            switch source {
            case .unit(let unit): closures.append(Frame.Closure(unit: unit, frame: frame))
            case .parameter(let hops, let index): closures.append(frame.ancestor(hops).closures[Int(index)])
            }
        }
        let (entry, slots) = code.units[Int(unit)]
        // A frame's own size, its slots and its closures.
        try meter.take(96 + Int(slots) * MemoryLayout<Frame.Slot>.stride + closures.count * 16)
        if meter.isDue { try look() }
        frame = Frame(
            slots: Int(slots),
            parent: parent,
            returnFrame: isTail ? frame.returnFrame : frame,
            returnAddress: isTail ? frame.returnAddress : address,
            closures: closures
        )
        address = Int(entry)
    }
}
