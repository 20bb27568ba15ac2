import PlugCore

/// Reads a response header by header and piece by piece, and refuses anything too large. No clock and no network; the disk only
/// for large bodies of requests that allow it.
struct ResponseReader {
    /// Why a response is refused; the text follows the host's name.
    struct Refusal: Equatable {
        var code: HTTPError.Code
        var text: String
    }

    /// All header lines together, including those of 1xx responses and trailers.
    static let headerLimit = 64 << 10
    /// Also used by the transport, whose libcurl refuses a single line of more than 100 KiB before it is seen here.
    static let headerTooLarge = Refusal(
        code: .headerTooLarge,
        text: "sent a header of more than \(headerLimit >> 10) KiB"
    )
    /// Header fields of the final response.
    static let fieldLimit = 256
    /// Bodies that decompress to less are exempt from the ratio limit: a page of blanks is harmless.
    static let ratioFloor = 1 << 20

    private(set) var status = 0
    private(set) var fields: [HTTPHeader] = []
    private(set) var body = GrowingBody()
    private var headerBytes = 0
    private var isHeaderDone = false
    /// Decompresses the body; `nil` if it is not compressed.
    private var inflater: BodyInflater?
    /// Bytes of the body received so far, as sent.
    private var wire = 0

    private let bodyLimit: Int
    private let wireLimit: Int
    private let ratioLimit: Int
    private let isHead: Bool
    private let allowed: HTTPSpooling?

    init(_ request: HTTPRequest) {
        bodyLimit = request.bodyLimit
        wireLimit = request.wireLimit
        ratioLimit = max(1, request.ratioLimit)
        isHead = request.method == "HEAD"
        allowed = request.spooling
    }

    /// Takes one header line, including its line ending.
    mutating func header(_ line: UnsafeRawBufferPointer) -> Refusal? {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            return Self.headerTooLarge
        }
        let line = trimmed(line)
        if status == 0 || (isHeaderDone && status < 200), line.starts(with: "HTTP/".utf8) {
            fields.removeAll(keepingCapacity: true)
            isHeaderDone = false
            status = statusCode(in: line)
            return status < 100 ? Refusal(code: .badResponse, text: "sent a status line without a status") : nil
        }
        // Anything after the final header is a trailer, which was not asked for.
        if isHeaderDone { return nil }
        if line.isEmpty {
            isHeaderDone = true
            return status < 200 ? nil : judgeHeader()
        }
        return addField(line)
    }

    /// Takes a piece of the body, as it was sent.
    mutating func piece(_ bytes: UnsafeRawBufferPointer) -> Refusal? {
        wire += bytes.count
        guard let inflater else { return add(bytes) }
        if wire > limits.wire { return tooLarge }
        var refusal: Refusal?
        do throws(BodyInflater.Failure) {
            try inflater.take(bytes) { plain in
                refusal = add(plain)
                return refusal == nil
            }
        } catch {
            switch error {
            case .broken: return Refusal(code: .badEncoding, text: "sent a body that cannot be decompressed")
            case .outOfMemory:
                return Refusal(code: .noMemory, text: "sent a body for which there is not enough memory")
            }
        }
        return refusal
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) -> Refusal? {
        let size = body.count + bytes.count
        guard size <= limits.body else { return tooLarge }
        if let refusal = judgeGrowth(to: size, from: wire + Self.unreceived) { return refusal }
        do throws(FileError) { try body.append(bytes, spooling, memoryLimit: bodyLimit) } catch {
            return Refusal(
                code: .notKept,
                text: "sent a body that cannot be kept in a temporary file: \(error.reason)"
            )
        }
        return nil
    }

    /// Where a large body goes: error bodies are quoted, so they stay in memory.
    private var spooling: HTTPSpooling? { (200...299).contains(status) ? allowed : nil }

    /// How large the body may be, decompressed and as sent.
    private var limits: (body: Int, wire: Int) {
        spooling?.bodyLimit.map { ($0, $0) } ?? (bodyLimit, wireLimit)
    }

    /// Checks the complete response.
    func end() -> Refusal? {
        if let inflater, !inflater.isWhole {
            return Refusal(code: .truncated, text: "ended its answer early: the compressed body is incomplete")
        }
        return judgeGrowth(to: body.count, from: wire)
    }

    // MARK: - Header

    private mutating func addField(_ line: UnsafeRawBufferPointer) -> Refusal? {
        guard !line.contains(0) else { return Refusal(code: .badResponse, text: "sent a zero byte in its header") }
        if let first = line.first, first == 0x20 || first == 0x09 {
            return Refusal(code: .badResponse, text: "sent a folded header line")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return Refusal(code: .badResponse, text: "sent a header line without a colon")
        }
        guard fields.count < Self.fieldLimit else {
            return Refusal(code: .headerTooLarge, text: "sent more than \(Self.fieldLimit) header fields")
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]), front: true)
        fields.append(HTTPHeader(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        return nil
    }

    private mutating func judgeHeader() -> Refusal? {
        if words("Transfer-Encoding").contains(where: { $0 != "chunked" && $0 != "identity" }) {
            return Refusal(code: .badEncoding, text: "sent a transfer coding that was not requested")
        }
        let lengths = words("Content-Length")
        guard lengths.allSatisfy({ $0 == lengths.first }) else {
            return Refusal(code: .badResponse, text: "sent two different lengths")
        }
        if isHead || status == 204 || status == 304 { return nil }

        let codings = words("Content-Encoding").filter { $0 != "identity" }
        guard codings.count <= 1, codings.allSatisfy({ ["gzip", "x-gzip", "deflate"].contains($0) }) else {
            return Refusal(code: .badEncoding, text: "sent a body in a coding that was not requested, or in several")
        }
        inflater = codings.first.map { BodyInflater($0 == "deflate" ? .deflate : .gzip) }
        let isCompressed = inflater != nil
        guard let text = lengths.first else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy(URLCharacters.isDigit) else {
            return Refusal(code: .badResponse, text: "sent a length that is not a number")
        }
        guard let length = Int(text), length <= (isCompressed ? limits.wire : limits.body) else { return tooLarge }
        // The length is only the server's claim: room for all of it is reserved only if it is small.
        let most = min(8 << 20, bodyLimit, spooling?.threshold ?? .max)
        body.reserve(min(isCompressed ? length * 4 : length, most))
        return nil
    }

    /// Added to the bytes received when an unfinished body is judged: its start may compress better than the rest.
    private static let unreceived = 60 << 10

    private func judgeGrowth(to size: Int, from wire: Int) -> Refusal? {
        guard inflater != nil, size > Self.ratioFloor, size / ratioLimit > wire else { return nil }
        let text = "sent a body that expands more than \(ratioLimit) times when decompressed"
        return Refusal(code: .growsTooMuch, text: text)
    }

    private var tooLarge: Refusal {
        let limit = inflater != nil ? "\(limits.wire) bytes compressed or \(limits.body)" : "\(limits.body)"
        return Refusal(code: .tooLarge, text: "sent a body of more than \(limit) bytes")
    }

    // MARK: - Text

    private func statusCode(in line: UnsafeRawBufferPointer) -> Int {
        guard let blank = line.firstIndex(of: 0x20) else { return 0 }
        let digits = line[(blank + 1)...].prefix(3)
        guard digits.count == 3, digits.allSatisfy(URLCharacters.isDigit) else { return 0 }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// What all fields of a name list, in lower case.
    private func words(_ name: String) -> [String] {
        var words: [String] = []
        for field in fields where equalsIgnoringCase(field.name, name) {
            for word in Array(field.value.utf8).split(separator: UInt8(ascii: ",")) {
                let start = word.drop { $0 == 0x20 || $0 == 0x09 }
                words.append(lowerCasedText(start.prefix { $0 != 0x20 && $0 != 0x09 }))
            }
        }
        return words
    }

    private func trimmed(_ line: UnsafeRawBufferPointer, front: Bool = false) -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var (start, end) = (0, line.count)
        while end > start, isBlank(line[end - 1]) { end -= 1 }
        while front, start < end, isBlank(line[start]) { start += 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }
}
