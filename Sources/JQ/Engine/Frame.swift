/// The variables of one call.
final class Frame {
    var slots: [Slot]
    fileprivate(set) var parent: Frame?
    fileprivate(set) var returnFrame: Frame?
    let returnAddress: Int
    fileprivate(set) var closures: [Closure]

    struct Slot {
        var value = Value.null
        var path: PathNode?
    }

    struct Closure {
        let unit: Int32
        let frame: Frame
    }

    init(slots: Int, parent: Frame?, returnFrame: Frame?, returnAddress: Int, closures: [Closure]) {
        self.slots = Array(repeating: Slot(), count: slots)
        self.parent = parent
        self.returnFrame = returnFrame
        self.returnAddress = returnAddress
        self.closures = closures
    }

    func ancestor(_ hops: Int32) -> Frame {
        var frame = self
        for _ in 0..<hops { frame = frame.parent ?? frame }
        return frame
    }

    // A deep recursion leaves a long chain of frames; freeing it link by link would recurse as deep.
    deinit {
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

    /// Marks a value that is being traced and has left the paths; one for each machine.
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
