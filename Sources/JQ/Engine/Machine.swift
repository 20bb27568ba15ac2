import LosslessJSON

/// A place on the stack. Cells are linked, so that a fork can keep the ones below it while newer ones come and go.
struct Cell {
    var value: Value
    /// Where the value stands when paths are traced, `nil` when they are not.
    var path: PathNode?
    /// The cell below.
    var previous: Int
}

/// A place to go back to.
struct Fork {
    enum Kind {
        case plain
        case trying(keepsInput: Bool)
        /// A `try` whose body has given its output: an error from further on passes it and what it holds.
        case tried(Int)
        case label
        case each(Value, next: Int, isDeep: Bool, path: PathNode?)
        case range(next: Value, end: Value, step: Value, path: PathNode?)
    }

    var kind: Kind
    let address: Int
    let top: Int
    let cells: Int
    let frame: Frame
}

/// Runs a program on one input by backtracking: an explicit stack of cells and forks, so that no program can use up the
/// native one.
struct Machine {
    let code: Code
    let meter: Meter
    let globals: [Value]
    let outside = PathNode.outside()
    var cells: [Cell] = []
    var top = -1
    var forks: [Fork] = []
    var frame: Frame
    var address: Int
    private var hasStarted = false
    private var isFinished = false

    init(_ code: Code, input: Value, globals: [Value], limits: JQLimits) {
        self.code = code
        self.globals = globals
        meter = Meter(limits)
        frame = Frame(slots: Int(code.units[0].slots), parent: nil, returnFrame: nil, returnAddress: 0, closures: [])
        address = Int(code.units[0].entry)
        cells.append(Cell(value: input, path: nil, previous: -1))
        top = 0
    }

    /// The next output, `nil` after the last.
    mutating func next() throws(JQError) -> Value? {
        if isFinished { return nil }
        do throws(JQError) {
            if hasStarted {
                guard try backtrack() else { return finish() }
            }
            hasStarted = true
            while true {
                do throws(JQError) {
                    guard let value = try run() else { return finish() }
                    return value
                } catch {
                    guard try raise(error) else { return finish() }
                }
            }
        } catch {
            _ = finish()
            throw error
        }
    }

    private mutating func finish() -> Value? {
        isFinished = true
        // Newest first: a fork's frame may be the last reference to a long chain.
        while forks.popLast() != nil {}
        cells = []
        return nil
    }

    // MARK: Cells

    var limit: Int { forks.last?.cells ?? 0 }

    @inline(__always)
    mutating func push(_ value: Value, _ path: PathNode? = nil) throws(JQError) {
        if cells.count == cells.capacity { try meter.take(cells.count * MemoryLayout<Cell>.stride) }
        cells.append(Cell(value: value, path: path, previous: top))
        top = cells.count - 1
    }

    /// Takes the top off; a cell that a fork needs is copied.
    @inline(__always)
    mutating func popCell() -> Cell {
        let limit = limit
        let at = top
        if at >= limit {
            while cells.count > at + 1 { cells.removeLast() }
            let cell = cells.removeLast()
            top = cell.previous
            trim(limit)
            return cell
        }
        let cell = cells[at]
        top = cell.previous
        if cells.count > limit { trim(limit) }
        return cell
    }

    /// Drops what stands above the top and is needed by no fork.
    @inline(__always)
    private mutating func trim(_ limit: Int) {
        let wanted = max(top + 1, limit)
        while cells.count > wanted { cells.removeLast() }
    }

    @inline(__always)
    mutating func pop() -> Value { popCell().value }

    /// Replaces the top.
    @inline(__always)
    mutating func replace(_ value: Value, _ path: PathNode?) throws(JQError) {
        if top >= limit {
            cells[top].value = value
            cells[top].path = path
        } else {
            top = cells[top].previous
            try push(value, path)
        }
    }

    /// The path of a value that is no path, beside one with this path.
    @inline(__always)
    func left(_ path: PathNode?) -> PathNode? { path == nil ? nil : outside }

    @inline(__always)
    func cellIndex(_ depth: Int32) -> Int {
        var at = top
        for _ in 0..<depth { at = cells[at].previous }
        return at
    }

    // MARK: Forks

    mutating func fork(_ kind: Fork.Kind, to address: Int) throws(JQError) {
        if forks.count == forks.capacity { try meter.take(forks.count * MemoryLayout<Fork>.stride) }
        forks.append(Fork(kind: kind, address: address, top: top, cells: cells.count, frame: frame))
    }

    /// Drops forks from a place on.
    mutating func cut(to count: Int) { forks.removeSubrange(count...) }

    @inline(__always)
    private mutating func restore(_ fork: Fork) {
        cells.removeSubrange(fork.cells...)
        top = fork.top
        frame = fork.frame
        address = fork.address
    }

    /// Goes back to the newest fork that has something left; `false` when there is none.
    mutating func backtrack() throws(JQError) -> Bool {
        try meter.step()
        if meter.isDue { try meter.hold(heldBytes()) }
        while let at = forks.indices.last {
            switch forks[at].kind {
            case .plain:
                let fork = forks.removeLast()
                restore(fork)
                return true
            case .trying, .tried, .label: forks.removeLast()
            case .each(let container, let next, let isDeep, let path):
                restore(forks[at])
                if try resume(container, next, isDeep, path, at) { return true }
            case .range(let next, let end, let step, let path):
                restore(forks[at])
                let isUp = Order.compare(step, .integer(0), meter) > 0
                let order = Order.compare(next, end, meter)
                if isUp ? order < 0 : order > 0 {
                    forks[at].kind = .range(next: try Arithmetic.add(next, step), end: end, step: step, path: path)
                    try push(next, path)
                    return true
                }
                forks.removeLast()
            }
        }
        return false
    }

    private mutating func resume(
        _ container: Value,
        _ next: Int,
        _ isDeep: Bool,
        _ path: PathNode?,
        _ at: Int
    ) throws(JQError) -> Bool {
        guard let (key, value, isLast) = Paths.member(of: container, at: next, needsKey: path != nil) else {
            forks.removeLast()
            return false
        }
        if isLast {
            forks.removeLast()
        } else {
            forks[at].kind = .each(container, next: next + 1, isDeep: isDeep, path: path)
        }
        try push(value, extend(path, key))
        if isDeep { try descend(value) }
        return true
    }

    /// After a value of `..` its members follow.
    mutating func descend(_ value: Value) throws(JQError) {
        guard value.rank >= 5 else { return }
        let cell = cells[top]
        // The fork keeps the cells below the value, not the value's own.
        let below = cell.previous
        forks.append(
            Fork(
                kind: .each(value.iterable, next: 0, isDeep: true, path: cell.path),
                address: address,
                top: below,
                cells: max(below + 1, limit),
                frame: frame
            )
        )
        // The value's cell now lies above the fork's: it may be taken.
        try meter.take(MemoryLayout<Fork>.stride)
    }

    @inline(__always)
    func extend(_ path: PathNode?, _ key: Value) -> PathNode? {
        guard let path else { return nil }
        return path === outside ? outside : PathNode(path, key)
    }

    /// A key on top of its container has to be a text where an object is built.
    func checkKey() throws(JQError) {
        if case .string = cells[top].value { return }
        throw Failure.index(cells[cells[top].previous].value, cells[top].value)
    }

    // MARK: Errors

    /// Goes back to the `try` an error belongs to, or throws it on; `false` when nothing is left to do.
    private mutating func raise(_ error: JQError) throws(JQError) -> Bool {
        guard case .thrown(let value) = error.kind else { throw placed(error) }
        if address < code.instructions.count, case .optional = code.instructions[address] { return try backtrack() }
        let failed = placed(error)
        while let fork = forks.popLast() {
            switch fork.kind {
            case .trying(let keepsInput):
                restore(fork)
                if !keepsInput {
                    let input = popCell()
                    try push(Value(value), left(input.path))
                }
                return true
            case .tried(let count): cut(to: count)
            default: break
            }
        }
        throw named(failed)
    }

    /// A key that stands in the program is no secret.
    private func named(_ error: JQError) -> JQError {
        guard let key = error.unquotedKey, code.constants.contains(where: { $0.asText == key }) else { return error }
        var error = error
        error.withoutValues = error.message
        return error
    }

    private func placed(_ error: JQError) -> JQError {
        guard error.offset == nil else { return error }
        var error = error
        let at = min(max(address - 1, 0), code.offsets.count - 1)
        error.offset = Int(code.offsets[at])
        return error
    }
}
