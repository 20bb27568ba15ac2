internal import Compression

/// Decompresses a response body piece by piece, and knows whether it is complete: if only the end of the connection marks its
/// length, libcurl takes a truncated body for a complete one.
///
/// Not Sendable, and used only by the loop's thread: it belongs to one response.
final class BodyInflater {
    /// Why a body cannot be decompressed.
    enum Failure: Error, Equatable { case broken, outOfMemory }

    /// The content codings.
    enum Coding { case gzip, deflate }

    private enum State {
        /// The first bytes, which distinguish zlib's frame from a bare stream.
        case start([UInt8])
        case inside(Inflater)
        /// After a stream: another gzip member, or nothing but zeros. Holds the bytes of the next member's magic number so far.
        case between(Inflater, [UInt8])
    }

    private static let mark: [UInt8] = [0x1F, 0x8B]
    private static let size = 64 << 10

    private let coding: Coding
    private var state = State.start([])
    private let output: UnsafeMutableRawBufferPointer

    init(_ coding: Coding) {
        self.coding = coding
        output = .allocate(byteCount: Self.size, alignment: 16)
    }

    deinit { output.deallocate() }

    /// Whether the body may end here. An empty body is not a compressed one.
    var isWhole: Bool {
        switch state {
        case .start(let bytes): bytes.isEmpty
        case .inside: false
        case .between(_, let mark): mark.isEmpty || coding == .deflate
        }
    }

    /// Takes a piece.
    ///
    /// - Parameter give: Called with the output, which is valid during the call; `false` stops.
    func take(_ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Bool) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .start(var head):
                head.append(rest.removeFirst())
                state = .start(head)
                if head.count == 2 { guard try begin(head, give) else { return } }
            case .inside(let inflater):
                guard try inflate(inflater, &rest, give) else { return }
            case .between(let inflater, var mark):
                let byte = rest.removeFirst()
                // Zeros after the end are padding.
                if mark.isEmpty, byte == 0 { continue }
                mark.append(byte)
                if coding == .deflate, mark.count <= 4 {
                    // Some servers send zlib's checksum after a bare stream.
                    state = .between(inflater, mark)
                    continue
                }
                guard coding == .gzip, Self.mark.starts(with: mark) else { throw .broken }
                state = .between(inflater, mark)
                guard mark.count == 2 else { continue }
                inflater.reset()
                state = .inside(inflater)
                guard try feed(mark, inflater, give) else { return }
            }
        }
    }

    private func begin(_ head: [UInt8], _ give: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> Bool {
        // RFC 1950: the method is 8, and the two bytes are a multiple of 31. Some servers send a bare stream as "deflate".
        let isZlib = head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
        let frame: Inflater.Frame = coding == .gzip ? .gzip : isZlib ? .zlib : .none
        guard let inflater = try? Inflater(frame) else { throw .outOfMemory }
        state = .inside(inflater)
        return try feed(head, inflater, give)
    }

    private func feed(_ bytes: [UInt8], _ inflater: Inflater, _ give: (UnsafeRawBufferPointer) -> Bool) throws(Failure)
        -> Bool
    {
        var result: Result<Bool, Failure> = .success(true)
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            do throws(Failure) {
                var goesOn = true
                while goesOn, !rest.isEmpty { goesOn = try inflate(inflater, &rest, give) }
                result = .success(goesOn)
            } catch { result = .failure(error) }
        }
        return try result.get()
    }

    /// Decompresses until the input is used up or the stream ends.
    private func inflate(
        _ inflater: Inflater,
        _ rest: inout Slice<UnsafeRawBufferPointer>,
        _ give: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) -> Bool {
        while true {
            let step: Inflater.Step
            do throws(Inflater.Fault) {
                step = try inflater.step(UnsafeRawBufferPointer(rebasing: rest), into: output)
            } catch { throw error.kind == .outOfMemory ? .outOfMemory : .broken }
            rest = rest.dropFirst(step.taken)
            if step.given > 0, !give(UnsafeRawBufferPointer(rebasing: output[..<step.given])) { return false }
            if step.isEnd {
                state = .between(inflater, [])
                return true
            }
            // There may be more output than there was room for.
            if rest.isEmpty, step.given < output.count { return true }
        }
    }
}
