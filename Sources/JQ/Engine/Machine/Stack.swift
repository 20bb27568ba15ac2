/// A stack in its own memory. An array would check for other owners at each push, and be split by calls.
struct Stack<Element>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 16) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// Whether the next push allocates.
    @inline(__always)
    var isFull: Bool { count == capacity }

    /// Whether its memory is worth keeping for the next run.
    var isSmall: Bool { capacity <= 1_024 }

    @inline(__always)
    subscript(at: Int) -> Element {
        _read {
            precondition(at >= 0 && at < count)
            yield base[at]
        }
        _modify {
            precondition(at >= 0 && at < count)
            yield &base[at]
        }
    }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if isFull { grow() }
        (base + count).initialize(to: element)
        count += 1
    }

    @inline(__always)
    mutating func pop() -> Element {
        precondition(count > 0)
        count -= 1
        return (base + count).move()
    }

    /// Pops elements, newest first, until this many are left.
    @inline(__always)
    mutating func drop(to wanted: Int) {
        while count > max(wanted, 0) {
            count -= 1
            (base + count).deinitialize(count: 1)
        }
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
