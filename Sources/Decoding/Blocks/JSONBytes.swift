internal import Glibc

/// JSON under construction: memory to which bytes are appended without a call for each.
///
/// Not Sendable: one task at a time uses it, as it belongs to the block it is written for.
final class JSONBytes {
    /// The storage, behind a pointer of its own because each access to a property of a class is checked at run time, and there
    /// are several for each cell of a file.
    private struct State {
        var base: UnsafeMutablePointer<UInt8>
        var count: Int
        var capacity: Int
    }

    private let state: UnsafeMutablePointer<State>

    init(capacity: Int = 64 << 10) {
        let capacity = max(64, capacity)
        state = .allocate(capacity: 1)
        state.initialize(to: State(base: .allocate(capacity: capacity), count: 0, capacity: capacity))
    }

    deinit {
        state.pointee.base.deallocate()
        state.deallocate()
    }

    /// The number of bytes written.
    @inline(__always)
    var count: Int { state.pointee.count }

    /// What was written; valid until something is appended.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: state.pointee.base, count: count) }

    /// Empties it and keeps the capacity, unless one large record has made it very large.
    func removeAll() {
        state.pointee.count = 0
        guard state.pointee.capacity > 8 << 20 else { return }
        state.pointee.base.deallocate()
        state.pointee.capacity = 64 << 10
        state.pointee.base = .allocate(capacity: state.pointee.capacity)
    }

    /// Discards what was written after the first `count` bytes.
    func truncate(to count: Int) { state.pointee.count = min(self.count, count) }

    @inline(__always)
    private func reserve(_ more: Int) { if state.pointee.count + more > state.pointee.capacity { grow(more) } }

    @inline(never)
    private func grow(_ more: Int) {
        state.pointee.capacity = max(state.pointee.capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: state.pointee.capacity)
        larger.update(from: state.pointee.base, count: count)
        state.pointee.base.deallocate()
        state.pointee.base = larger
    }

    /// Lets `body` write up to `most` bytes, and advances the position it is given past them.
    @inline(__always)
    func write<Result>(_ most: Int, _ body: (inout UnsafeMutableRawPointer) -> Result) -> Result {
        reserve(most)
        let start = UnsafeMutableRawPointer(state.pointee.base + state.pointee.count)
        var end = start
        let result = body(&end)
        state.pointee.count += end - start
        return result
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        state.pointee.base[state.pointee.count] = byte
        state.pointee.count += 1
    }

    /// Punctuation and names, written as they are.
    @inline(__always)
    func append(_ syntax: StaticString) {
        let length = syntax.utf8CodeUnitCount
        reserve(length)
        memcpy(state.pointee.base + state.pointee.count, syntax.utf8Start, length)
        state.pointee.count += length
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        memcpy(state.pointee.base + state.pointee.count, start, bytes.count)
        state.pointee.count += bytes.count
    }

    func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// A number.
    func append(_ number: Int) {
        var text = String(number)
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// A whole JSON string.
    func appendString(_ text: UnsafeRawBufferPointer) {
        append("\"")
        appendEscaped(text)
        append("\"")
    }

    /// A whole JSON string.
    func appendString(_ text: String) {
        var text = text
        text.withUTF8 { appendString(UnsafeRawBufferPointer($0)) }
    }

    /// A whole JSON string.
    func appendString(_ text: [UInt8]) { text.withUnsafeBytes { appendString($0) } }

    /// The inside of a JSON string: UTF-8 in which `"`, `\` and control characters are escaped.
    func appendEscaped(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        var at = 0
        while at < text.count {
            // In pieces, because each byte may become six.
            let piece = min(text.count - at, 4096)
            write(piece * JSONEscaping.growth + JSONEscaping.slack) { JSONEscaping.write(start + at, piece, to: &$0) }
            at += piece
        }
    }
}
