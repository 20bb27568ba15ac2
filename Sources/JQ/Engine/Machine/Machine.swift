import LosslessJSON

/// Runs a program on one input by backtracking: with an explicit stack of cells and forks, so that no program can exhaust the
/// native one.
struct Machine: ~Copyable {
    let code: LinkedCode
    let meter: Meter
    let globals: [Value]
    let outside: PathNode
    var cells: Stack<Cell>
    var top = -1
    var forks: Stack<Fork>
    var frame: Frame
    var address: Int
    /// The value that the program raised, on its way to the `try` that catches it.
    var raised: Value?
    private var hasStarted = false
    private var isFinished = false

    init(_ code: LinkedCode, input: Value, globals: [Value], limits: JQLimits, workspace: JQWorkspace?) {
        self.code = code
        self.globals = globals
        meter = workspace?.takeMeter(limits) ?? Meter(limits)
        cells = workspace?.takeCells() ?? Stack()
        forks = workspace?.takeForks() ?? Stack()
        outside = workspace?.outside ?? PathNode.outside()
        let slots = Int(code.units[0].slots)
        frame = workspace?.takeFrame(slots: slots) ?? Frame(slots: slots)
        address = Int(code.units[0].entry)
        cells.push(Cell(value: input, path: nil, previous: -1))
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
        forks.drop(to: 0)
        cells.drop(to: 0)
        return nil
    }

    /// Ends the machine and leaves its storage to the next one.
    consuming func leave(to workspace: JQWorkspace) { workspace.keep(cells, forks, meter, frame) }

    // MARK: Cells

    @inline(__always)
    var limit: Int { forks.count == 0 ? 0 : forks[forks.count - 1].cells }

    @inline(__always)
    mutating func push(_ value: consuming Value, _ path: consuming PathNode? = nil) throws(JQError) {
        if cells.isFull { try meter.take(cells.count * MemoryLayout<Cell>.stride) }
        cells.push(Cell(value: value, path: path, previous: top))
        top = cells.count - 1
    }

    /// Pops the top; a cell that a fork needs is copied.
    @inline(__always)
    mutating func popCell() -> Cell {
        let limit = limit
        let at = top
        if at >= limit {
            cells.drop(to: at + 1)
            let cell = cells.pop()
            top = cell.previous
            trim(limit)
            return cell
        }
        let cell = cells[at]
        top = cell.previous
        if cells.count > limit { trim(limit) }
        return cell
    }

    /// Drops cells above the top that no fork needs.
    @inline(__always)
    private mutating func trim(_ limit: Int) {
        cells.drop(to: max(top + 1, limit))
    }

    @inline(__always)
    mutating func pop() -> Value { popCell().value }

    /// Replaces the top by a value that is not a path.
    @inline(__always)
    mutating func answer(_ value: consuming Value) throws(JQError) {
        if top >= limit {
            cells[top].value = value
            if cells[top].path != nil { cells[top].path = outside }
        } else {
            let path = left(cells[top].path)
            top = cells[top].previous
            try push(value, path)
        }
    }

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

    /// The path for a value that is not a path, made from a value with this path.
    @inline(__always)
    func left(_ path: PathNode?) -> PathNode? { path == nil ? nil : outside }

    @inline(__always)
    func cellIndex(_ depth: Int32) -> Int {
        var at = top
        for _ in 0..<depth { at = cells[at].previous }
        return at
    }

    // MARK: Forks

    mutating func fork(
        _ kind: Fork.Kind,
        to address: Int,
        source: Value = .null,
        path: PathNode? = nil
    ) throws(JQError) {
        if forks.isFull { try meter.take(forks.count * MemoryLayout<Fork>.stride) }
        forks.push(
            Fork(
                kind: kind,
                address: address,
                top: top,
                cells: cells.count,
                frame: frame,
                source: source,
                path: path
            )
        )
    }

    /// Drops forks from a place on.
    mutating func cut(to count: Int) { forks.drop(to: count) }

    @inline(__always)
    mutating func restore(_ fork: borrowing Fork) {
        cells.drop(to: fork.cells)
        top = fork.top
        frame = fork.frame
        address = fork.address
    }

    /// Backtracks to a fork that stays.
    private mutating func restore(at: Int) {
        cells.drop(to: forks[at].cells)
        top = forks[at].top
        frame = forks[at].frame
        address = forks[at].address
    }

    /// Backtracks to the newest fork with anything left; `false` when there is none.
    mutating func backtrack() throws(JQError) -> Bool {
        try meter.step()
        if meter.isDue { try look() }
        while forks.count > 0 {
            let at = forks.count - 1
            switch forks[at].kind {
            case .plain:
                restore(forks.pop())
                return true
            case .trying, .tried, .label: forks.drop(to: at)
            case .each(let isDeep):
                restore(at: at)
                if try resume(isDeep, at) { return true }
            case .view(let view, let isDeep):
                restore(at: at)
                try resume(view, isDeep, at)
                return true
            case .range(let bounds):
                restore(at: at)
                let next = forks[at].source
                let isUp = Order.compare(bounds.step, .integer(0), meter) > 0
                let order = Order.compare(next, bounds.end, meter)
                try meter.check()
                if isUp ? order < 0 : order > 0 {
                    forks[at].source = try Arithmetic.add(next, bounds.step)
                    try push(next, forks[at].path)
                    return true
                }
                forks.drop(to: at)
            }
        }
        return false
    }

    private mutating func resume(_ isDeep: Bool, _ at: Int) throws(JQError) -> Bool {
        let next = forks[at].next
        let path = forks[at].path
        guard let (value, isLast) = Paths.member(of: forks[at].source, at: next) else {
            forks.drop(to: at)
            return false
        }
        let longer = path == nil ? nil : extend(path, Paths.key(of: forks[at].source, at: next))
        if isLast { forks.drop(to: at) } else { forks[at].next = next + 1 }
        try push(value, longer)
        if isDeep { try descend(value) }
        return true
    }

    /// There is always an element: the fork is removed with the last.
    private mutating func resume(_ view: JSONView, _ isDeep: Bool, _ at: Int) throws(JQError) {
        let path = forks[at].path
        let (value, next) = view.element(at: forks[at].next)
        let longer = path == nil ? nil : extend(path, .count(forks[at].passed))
        if let next {
            forks[at].next = next
            forks[at].passed += 1
        } else {
            forks.drop(to: at)
        }
        try push(value, longer)
        if isDeep { try descend(value) }
    }

    /// Begins to iterate over a container.
    mutating func each(_ value: Value, _ path: PathNode?) throws(JQError) {
        if case .view(let view) = value, let first = view.firstElement {
            try fork(.view(view, isDeep: false), to: address, path: path)
            forks[forks.count - 1].next = first
        } else {
            try fork(.each(isDeep: false), to: address, source: try value.opened(meter), path: path)
        }
    }

    /// After a value of `..`, visits its members.
    mutating func descend(_ value: Value) throws(JQError) {
        guard value.rank >= 5 else { return }
        var kind = Fork.Kind.each(isDeep: true)
        var source = Value.null
        var next = 0
        if case .view(let view) = value, let first = view.firstElement {
            kind = .view(view, isDeep: true)
            next = first
        } else {
            source = try value.opened(meter)
        }
        // The fork keeps the cells below the value, not the value's own.
        let below = cells[top].previous
        forks.push(
            Fork(
                kind: kind,
                address: address,
                top: below,
                cells: max(below + 1, limit),
                frame: frame,
                source: source,
                next: next,
                path: cells[top].path
            )
        )
        // The value's cell is now above the fork's: it may be taken.
        try meter.take(MemoryLayout<Fork>.stride)
    }

    @inline(__always)
    func extend(_ path: PathNode?, _ key: Value) -> PathNode? {
        guard let path else { return nil }
        return path === outside ? outside : PathNode(path, key)
    }

    /// A step from a value that has left the paths leads to no path.
    func checkPath(_ target: borrowing Cell, _ key: Value) throws(JQError) {
        if target.path === outside { throw Failure.nearAccess(target.value, key) }
    }

    /// A key on top of its container has to be a text when an object is built.
    func checkKey() throws(JQError) {
        if case .string = cells[top].value { return }
        throw Failure.index(cells[cells[top].previous].value, cells[top].value)
    }
}
