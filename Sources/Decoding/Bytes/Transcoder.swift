internal import Glibc

/// Turns a file's text into UTF-8, piece by piece.
///
/// The encoding is, in this order, what a byte order mark says, the manifest, the answer's header, an XML declaration, and the
/// zero bytes of UTF-16 and UTF-32; else UTF-8. What is no text in it becomes U+FFFD and is counted: one wrong byte must not
/// make a file of a million records unreadable.
///
/// Not Sendable, and used by one task at a time: it belongs to one answer's decoder.
package final class Transcoder {
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    /// How many bytes the encoding is told by.
    private static let headSize = 256

    private let given: Charset?
    private let declared: Charset?
    /// Whether an XML declaration is looked for.
    private let isXML: Bool
    /// Whether UTF-8 goes through as it is, for decoders that find broken text themselves.
    private let trusts: Bool
    /// What has come while the encoding is unknown, then the beginning of a character whose end is still to come.
    private var rest: [UInt8] = []
    private var charset: Charset?
    private var converter: iconv_t?
    private var output: [UInt8] = []
    /// How many byte sequences were no text.
    package private(set) var replaced = 0

    /// A transcoder of one file.
    ///
    /// - Parameters:
    ///   - given: What the manifest says.
    ///   - declared: What the answer's header says.
    package init(given: Charset? = nil, declared: Charset? = nil, isXML: Bool = false, trustsUTF8: Bool = false) {
        (self.given, self.declared, self.isXML, trusts) = (given, declared, isXML, trustsUTF8)
    }

    deinit { if let converter { iconv_close(converter) } }

    /// Takes a piece in, and visits what it gives.
    package func take(
        _ bytes: UnsafeRawBufferPointer,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        guard charset == nil else { return try convert(bytes, isEnd: false, visit) }
        rest += bytes
        if rest.count >= Self.headSize { try begin(visit) }
    }

    /// Ends the file.
    package func finish(_ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void) throws(DecodingFault) {
        if charset == nil { try begin(visit) }
        try convert(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true, visit)
    }

    private func begin(_ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void) throws(DecodingFault) {
        var bytes = rest
        rest = []
        let (charset, mark) = bytes.withUnsafeBytes { head in
            if let marked = Charset.marked(head) { return marked }
            let told = given ?? declared ?? (isXML ? Charset.declaredByXML(head) : nil)
            return (told ?? Charset.wide(head) ?? .utf8, 0)
        }
        self.charset = charset
        if case .iconv(let name, _) = charset.way {
            guard let opened = Charset.open(name) else {
                throw DecodingFault(.refused, "its encoding is unknown to this system")
            }
            converter = opened
        }
        bytes.removeFirst(mark)
        try converted(bytes, visit)
    }

    /// A view of an array, whose bytes `visit` only reads.
    private func converted(
        _ bytes: [UInt8],
        isEnd: Bool = false,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var outcome: Result<Void, DecodingFault> = .success(())
        bytes.withUnsafeBytes { all in
            do throws(DecodingFault) { try convert(all, isEnd: isEnd, visit) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func convert(
        _ bytes: UnsafeRawBufferPointer,
        isEnd: Bool,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        if !rest.isEmpty {
            let joined = rest + bytes
            rest = []
            return try converted(joined, isEnd: isEnd, visit)
        }
        switch charset?.way ?? .utf8 {
        case .utf8 where trusts: if !bytes.isEmpty { try visit(bytes) }
        case .utf8: try check(bytes, isEnd, visit)
        case .windows1252: try mapped(bytes, visit)
        case .iconv(_, let unit): try byIconv(bytes, unit, isEnd, visit)
        }
    }

    private func check(
        _ bytes: UnsafeRawBufferPointer,
        _ isEnd: Bool,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var at = 0
        while at < bytes.count {
            let (count, end) = UTF8Check.length(bytes, from: at)
            if count > 0 { try visit(UnsafeRawBufferPointer(rebasing: bytes[at..<(at + count)])) }
            at += count
            switch end {
            case .whole: return
            case .incomplete where !isEnd:
                rest = Array(bytes[at...])
                return
            case .incomplete:
                try replace(visit)
                return
            case .broken(let length):
                try replace(visit)
                at += length
            }
        }
    }

    private func replace(_ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void) throws(DecodingFault) {
        replaced += 1
        try given(Self.replacement, visit)
    }

    private func given(
        _ bytes: [UInt8],
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var outcome: Result<Void, DecodingFault> = .success(())
        bytes.withUnsafeBytes { all in
            do throws(DecodingFault) { try visit(all) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func mapped(
        _ bytes: UnsafeRawBufferPointer,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        output.removeAll(keepingCapacity: true)
        for byte in bytes {
            if byte < 0x80 { output.append(byte) } else { output += Charset.windows1252[Int(byte) - 0x80] }
        }
        if !output.isEmpty { try given(output, visit) }
    }

    private func byIconv(
        _ bytes: UnsafeRawBufferPointer,
        _ unit: Int,
        _ isEnd: Bool,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        guard let converter else { return }
        output.removeAll(keepingCapacity: true)
        var room = [CChar](repeating: 0, count: 16 << 10)
        // iconv does not write to its input, whose type is older than const.
        var input = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: CChar.self).baseAddress)
        var left = bytes.count
        while left > 0 {
            let size = room.count
            let (status, written) = room.withUnsafeMutableBufferPointer { room in
                var to = room.baseAddress
                var free = size
                let status = iconv(converter, &input, &left, &to, &free)
                return (status == -1 ? errno : 0, size - free)
            }
            room.withUnsafeBytes { output += $0.prefix(written) }
            switch status {
            case 0, E2BIG: continue
            case EINVAL where !isEnd:
                // A character whose end is still to come.
                rest = Array(bytes.suffix(left))
                left = 0
            default:
                let skipped = min(left, unit)
                output += Self.replacement
                replaced += 1
                input = input?.advanced(by: skipped)
                left -= skipped
            }
        }
        if !output.isEmpty { try given(output, visit) }
    }
}
