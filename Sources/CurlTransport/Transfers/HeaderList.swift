import CLibCURL

/// Owns the header fields of one request in libcurl's form, which must live as long as the transfer.
final class HeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// `nil` if memory is short.
    init?(_ lines: [String]) {
        for line in lines {
            // curl_slist_append copies the text and returns the list's head, or NULL, leaving the list unchanged.
            guard let longer = curl_slist_append(pointer, line) else { return nil }
            pointer = longer
        }
    }

    deinit { curl_slist_free_all(pointer) }

    /// The lines for the header fields, with those that libcurl would add automatically disabled.
    static func lines(of headers: [HTTPHeader], hasBody: Bool) throws(HTTPError) -> [String] {
        var lines = ["Expect:"]
        for header in headers {
            guard isToken(header.name), !ours.contains(where: { equalsIgnoringCase($0, header.name) }) else {
                throw HTTPError(.invalidRequest, "a request has a header field that cannot be set")
            }
            guard isPrintable(header.value) else {
                throw HTTPError(.invalidRequest, "the header field \(header.name) contains a control character")
            }
            // A field without a value is written with a semicolon; with a colon libcurl would remove it.
            let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        if hasBody, !headers.contains(where: { equalsIgnoringCase($0.name, "Content-Type") }) {
            lines.append("Content-Type:")
        }
        return lines
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
