internal import Glibc

/// Turns a file's text into UTF-8, piece by piece.
///
/// The encoding is taken, in this order, from a byte order mark, the manifest, the answer's header, an XML declaration, and
/// the zero bytes of UTF-16 and UTF-32; otherwise it is UTF-8. Byte sequences invalid in it become U+FFFD and are counted: one
/// wrong byte must not make a file of a million records unreadable.
///
/// Not Sendable: one task at a time uses it, as it belongs to one answer's decoder.
package final class Transcoder {
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    /// How many bytes determine the encoding, and what other kind of file it may be.
    private static let headSize = 1024

    private let given: Charset?
    private let declared: String?
    /// Whether to look for an XML declaration.
    private let isXML: Bool
    /// Whether to look for a `meta` element of HTML.
    private let isHTML: Bool
    /// Whether UTF-8 passes through unchanged, for decoders that find broken text themselves.
    private let trusts: Bool
    /// What has arrived while the encoding is unknown, then the beginning of a character whose end is still to come.
    private var rest: [UInt8] = []
    private var charset: Charset?
    /// The name of an encoding that is unknown here: UTF-8 is tried in its place.
    private var unknown: String?
    private var converter: iconv_t?
    private var output: [UInt8] = []
    /// How many byte sequences were invalid.
    package private(set) var replaced = 0

    /// A transcoder of one file.
    ///
    /// - Parameters:
    ///   - given: The encoding that the manifest states.
    ///   - declared: The name in the answer's header.
    package init(
        given: Charset? = nil,
        declared: String? = nil,
        isXML: Bool = false,
        isHTML: Bool = false,
        trustsUTF8: Bool = false
    ) {
        (self.given, self.declared, trusts) = (given, declared, trustsUTF8)
        (self.isXML, self.isHTML) = (isXML, isHTML)
    }

    deinit { if let converter { iconv_close(converter) } }

    /// Takes a piece, and visits its text, at most once for each piece, because decoders may rescan all they hold.
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
        if let kind = bytes.withUnsafeBytes({ BinaryFile.kind(of: $0) }) {
            throw DecodingFault(.otherFormat, "it is \(kind)")
        }
        let (charset, mark) = bytes.withUnsafeBytes { head in
            Charset.marked(head) ?? (told(head) ?? Charset.wide(head) ?? .utf8, 0)
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

    /// The encoding from the first source that names one known here.
    private func told(_ head: UnsafeRawBufferPointer) -> Charset? {
        if let given { return given.settled(head) }
        if let declared {
            if let charset = Charset(declared) { return charset.settled(head) }
            unknown = declared
        }
        let named = isXML ? Charset.nameInXML(head) : isHTML ? Charset.nameInHTML(head) : nil
        guard let name = named else { return nil }
        guard let charset = Charset(name) else {
            unknown = unknown ?? name
            return nil
        }
        // A declaration readable as ASCII is not in UTF-16: programs that hold text as UTF-16 write that name, and recode.
        return charset.unit > 1 ? .utf8 : charset
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
        case .iconv(let name, let unit): try byIconv(bytes, name, unit, isEnd, visit)
        }
    }

    private func check(
        _ bytes: UnsafeRawBufferPointer,
        _ isEnd: Bool,
        _ visit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        output.removeAll(keepingCapacity: true)
        var at = 0
        while at < bytes.count {
            let (count, end) = UTF8Check.length(bytes, from: at)
            let good = UnsafeRawBufferPointer(rebasing: bytes[at..<(at + count)])
            at += count
            if case .incomplete = end, !isEnd {
                rest = Array(bytes[at...])
                at = bytes.count
            }
            // If nothing before it was broken, it continues in place.
            if at == bytes.count, output.isEmpty {
                if !good.isEmpty { try visit(good) }
                return
            }
            output += good
            switch end {
            case .incomplete where !isEnd, .whole: break
            case .incomplete:
                try replace()
                at = bytes.count
            case .broken(let length):
                try replace()
                at += length
            }
        }
        if !output.isEmpty { try given(output, visit) }
    }

    private func replace() throws(DecodingFault) {
        if let unknown {
            let name = unknown.unicodeScalars.prefix(40).filter { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }
            var shown = String.UnicodeScalarView()
            shown.append(contentsOf: name)
            let reason =
                "its encoding is said to be '\(String(shown))', which is unknown here, and it is not UTF-8: 'encoding' in 'decode' "
                + "may name another one"
            throw DecodingFault(.otherFormat, reason)
        }
        replaced += 1
        output += Self.replacement
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
        _ name: String,
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
                // Shifts of the encoding, if any, would be forgotten.
                if !name.hasPrefix("iso-2022") { flush(converter) }
                output += Self.replacement
                replaced += 1
                input = input?.advanced(by: skipped)
                left -= skipped
            }
        }
        if isEnd { flush(converter) }
        if !output.isEmpty { try given(output, visit) }
    }

    /// Appends the letter that iconv holds back while an accent may follow it, as in Windows-1258.
    private func flush(_ converter: iconv_t) {
        var room = [CChar](repeating: 0, count: 64)
        let size = room.count
        let written = room.withUnsafeMutableBufferPointer { room in
            var to = room.baseAddress
            var free = size
            // Without input it writes what it holds, and resets.
            iconv(converter, nil, nil, &to, &free)
            return size - free
        }
        room.withUnsafeBytes { output += $0.prefix(written) }
    }
}
