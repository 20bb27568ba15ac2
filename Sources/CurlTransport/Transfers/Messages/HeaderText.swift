/// The header lines of a request, checked: each ends with a zero byte. There is at least one.
struct HeaderText: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    /// The lines for a request's header fields, and those that requests have by default; those that libcurl would add are disabled.
    init(of request: HTTPRequest, userAgent: String) throws(HTTPError) {
        bytes.reserveCapacity(request.headers.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 })
        append("Expect:", "")
        append("Accept-Encoding: ", "gzip, deflate")
        var (hasAgent, hasType) = (false, request.body == nil)
        for header in request.headers {
            guard Self.isToken(header.name), !Self.ours.contains(where: { equalsIgnoringCase($0, header.name) }) else {
                throw HTTPError(.invalidRequest, "a request has a header field that cannot be set")
            }
            guard Self.isPrintable(header.value) else {
                throw HTTPError(.invalidRequest, "the header field \(header.name) contains a control character")
            }
            hasAgent = hasAgent || equalsIgnoringCase(header.name, "User-Agent")
            hasType = hasType || equalsIgnoringCase(header.name, "Content-Type")
            bytes += header.name.utf8
            // A field without a value is written with a semicolon; with a colon libcurl would remove it.
            let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            if isEmpty { append(";", "") } else { append(": ", header.value) }
        }
        if !hasAgent { append("User-Agent: ", userAgent) }
        if !hasType { append("Content-Type:", "") }
    }

    /// Appends the end of a line.
    private mutating func append(_ separator: StaticString, _ value: String) {
        separator.withUTF8Buffer { bytes += $0 }
        bytes += value.utf8
        bytes.append(0)
        count += 1
    }

    /// Whether a value has no control characters except tabs. Tokens are long, and a loop over memory is five times as fast.
    private static func isPrintable(_ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
    }

    /// Whether a text is a valid token, as methods and field names must be.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { URLCharacters.isAlphanumeric($0) || isMark($0) }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static let ours = [
        "Host", "Content-Length", "Transfer-Encoding", "Connection", "Expect", "Accept-Encoding", "TE", "Upgrade",
        "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Trailer", "HTTP2-Settings",
    ]
}
