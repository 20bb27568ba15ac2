/// The variables of one call.
final class Frame {
    let slots: Slots
    fileprivate(set) var parent: Frame?
    fileprivate(set) var returnFrame: Frame?
    let returnAddress: Int
    fileprivate(set) var closures: [Closure]

    struct Slot {
        var value = Value.null
        var path: PathNode?
    }

    /// The slots, in memory that the frame owns: reading one checks no owners and starts no access.
    struct Slots {
        fileprivate let base: UnsafeMutablePointer<Slot>
        let count: Int

        fileprivate init(count: Int) {
            base = .allocate(capacity: count)
            base.initialize(repeating: Slot(), count: count)
            self.count = count
        }

        func clear() { for at in 0..<count { base[at] = Slot() } }

        @inline(__always)
        subscript(at: Int) -> Slot {
            _read {
                precondition(at >= 0 && at < count)
                yield base[at]
            }
            nonmutating _modify {
                precondition(at >= 0 && at < count)
                yield &base[at]
            }
        }
    }

    struct Closure {
        let unit: Int32
        let frame: Frame
    }

    init(slots: Int, parent: Frame?, returnFrame: Frame?, returnAddress: Int, closures: [Closure]) {
        self.slots = Slots(count: slots)
        self.parent = parent
        self.returnFrame = returnFrame
        self.returnAddress = returnAddress
        self.closures = closures
    }

    /// A program's own frame.
    convenience init(slots: Int) {
        self.init(slots: slots, parent: nil, returnFrame: nil, returnAddress: 0, closures: [])
    }

    func ancestor(_ hops: Int32) -> Frame {
        var frame = self
        for _ in 0..<hops { frame = frame.parent ?? frame }
        return frame
    }

    // A deep recursion leaves a long chain of frames; freeing it link by link would recurse equally deep.
    deinit {
        slots.base.deinitialize(count: slots.count)
        slots.base.deallocate()
        if parent == nil, returnFrame == nil, closures.isEmpty { return }
        var pending: [Frame] = []
        unlink(into: &pending)
        while var next = pending.popLast() {
            if isKnownUniquelyReferenced(&next) { next.unlink(into: &pending) }
        }
    }

    private func unlink(into pending: inout [Frame]) {
        if isKnownUniquelyReferenced(&parent), let only = parent { pending.append(only) }
        parent = nil
        if isKnownUniquelyReferenced(&returnFrame), let only = returnFrame { pending.append(only) }
        returnFrame = nil
        if closures.isEmpty { return }
        for closure in closures { pending.append(closure.frame) }
        closures = []
    }
}

/// A path, from its last step back to where `path(…)` began.
final class PathNode {
    private(set) var parent: PathNode?
    let key: Value
    let length: Int

    init(_ parent: PathNode?, _ key: Value) {
        self.parent = parent
        self.key = key
        length = (parent?.length ?? -1) + 1
    }

    /// Marks a value that is being traced and has left the paths; one per machine.
    static func outside() -> PathNode { PathNode(nil, .bool(false)) }

    var keys: [Value] {
        var keys: [Value] = []
        var node = self
        while let parent = node.parent {
            keys.append(node.key)
            node = parent
        }
        return keys.reversed()
    }

    deinit {
        var next = parent
        parent = nil
        while next != nil, isKnownUniquelyReferenced(&next) {
            let following = next?.parent
            next?.parent = nil
            next = following
        }
    }
}
