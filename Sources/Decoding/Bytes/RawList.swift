/// A list that reuses its memory, without an array's reference counting and exclusivity checks: parsers access theirs several
/// times for each element of a file.
///
/// A handle: copies of it are the same list. Its creator calls `deallocate` once, after which no copy may be used. Not for
/// use by several tasks at a time.
struct RawList<Element: BitwiseCopyable>: BitwiseCopyable {
    private struct State {
        var base: UnsafeMutablePointer<Element>
        var count: Int
        var capacity: Int
    }

    private let state: UnsafeMutablePointer<State>

    init(capacity: Int = 64) {
        state = .allocate(capacity: 1)
        state.initialize(to: State(base: .allocate(capacity: capacity), count: 0, capacity: capacity))
    }

    /// Frees the memory.
    func deallocate() {
        state.pointee.base.deallocate()
        state.deallocate()
    }

    @inline(__always)
    var count: Int { state.pointee.count }

    @inline(__always)
    subscript(_ at: Int) -> Element {
        get {
            check(at)
            return state.pointee.base[at]
        }
        nonmutating _modify {
            check(at)
            yield &state.pointee.base[at]
        }
    }

    /// The elements of a range; valid until something is appended.
    @inline(__always)
    subscript(_ range: Range<Int>) -> UnsafeBufferPointer<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside of the list")
        return UnsafeBufferPointer(start: state.pointee.base + range.lowerBound, count: range.count)
    }

    @inline(__always)
    private func check(_ at: Int) {
        precondition(UInt(bitPattern: at) < UInt(bitPattern: count), "an element outside of the list")
    }

    /// Removes all elements and keeps the memory.
    @inline(__always)
    func removeAll() { state.pointee.count = 0 }

    @inline(__always)
    func append(_ element: Element) {
        if count == state.pointee.capacity { grow(1) }
        (state.pointee.base + count).initialize(to: element)
        state.pointee.count += 1
    }

    @inline(__always)
    func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if state.pointee.capacity - count < elements.count { grow(elements.count) }
        (state.pointee.base + count).update(from: start, count: elements.count)
        state.pointee.count += elements.count
    }

    /// Lets `body` write up to `most` bytes, and advances the position it is given past them.
    @inline(__always)
    func write(_ most: Int, _ body: (inout UnsafeMutableRawPointer) -> Void) where Element == UInt8 {
        if state.pointee.capacity - count < most { grow(most) }
        let start = UnsafeMutableRawPointer(state.pointee.base + count)
        var end = start
        body(&end)
        state.pointee.count += end - start
    }

    @inline(never)
    private func grow(_ more: Int) {
        let capacity = max(state.pointee.capacity * 2, count + more)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.update(from: state.pointee.base, count: count)
        state.pointee.base.deallocate()
        (state.pointee.base, state.pointee.capacity) = (larger, capacity)
    }
}
