internal import PlugCore

/// Parses a URL or a reference.
struct URLParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// An absolute URL.
    mutating func absolute() throws(HTTPError) -> HTTPURL {
        try refuseControls()
        guard let scheme = readScheme() else { throw invalid("has no scheme: it must begin with https://") }
        return try rest(scheme: scheme)
    }

    /// A path and a query.
    mutating func path(at origin: URLOrigin) throws(HTTPError) -> HTTPURL {
        try refuseControls()
        guard bytes.first == 0x2F else { throw invalid("has a path that does not begin with /") }
        let path = try readPath()
        return HTTPURL(origin, path: URLPath.withoutDots(path), query: try readQuery())
    }

    /// A URL or a relative reference.
    ///
    /// - Parameter origin: That of the base.
    mutating func reference(against base: HTTPURL, at origin: URLOrigin) throws(HTTPError) -> HTTPURL {
        try refuseControls()
        if let scheme = readScheme() { return try rest(scheme: scheme) }
        if startsWith("//") { return try rest(scheme: base.scheme) }
        let path = try readPath()
        let query = try readQuery()
        func url(_ path: String, _ query: String?) -> HTTPURL { HTTPURL(origin, path: path, query: query) }
        if path.isEmpty { return url(base.path, query ?? base.query) }
        if path.hasPrefix("/") { return url(URLPath.withoutDots(path), query) }
        // Everything after the last slash of the base is replaced.
        let directory = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? "/"
        return url(URLPath.withoutDots(directory + path), query)
    }

    // MARK: - Parts

    private mutating func rest(scheme: String) throws(HTTPError) -> HTTPURL {
        guard scheme == "http" || scheme == "https" else {
            throw HTTPError(.schemeRefused, "a URL has a scheme other than https and http")
        }
        guard startsWith("//") else { throw invalid("has no // after its scheme") }
        position += 2
        let end = bytes[position...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
        let authority = bytes[position..<end]
        position = end
        let (host, port) = try URLHost.split(authority)
        let path = try readPath()
        let query = try readQuery()
        let (name, address) = try URLHost.normalise(host)
        let origin = URLOrigin(scheme: scheme, host: name, address: address, port: try URLHost.port(port))
        return HTTPURL(origin, path: path.isEmpty ? "/" : URLPath.withoutDots(path), query: query)
    }

    private func refuseControls() throws(HTTPError) {
        guard bytes.count <= HTTPURL.lengthLimit else { throw invalid("is longer than 16,384 bytes") }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw invalid("contains a control character or a backslash")
        }
        guard bytes.first != 0x20, bytes.last != 0x20 else { throw invalid("begins or ends with a space") }
    }

    /// A scheme with its colon, in lower case; consumes nothing if there is none.
    private mutating func readScheme() -> String? {
        guard let first = bytes.first, URLCharacters.isLetter(first),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[..<colon].allSatisfy({
                URLCharacters.isAlphanumeric($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
            })
        else { return nil }
        position = colon + 1
        return lowerCasedText(bytes[..<colon])
    }

    private mutating func readPath() throws(HTTPError) -> String {
        let end = bytes[position...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.count
        defer { position = end }
        return try encoded(bytes[position..<end], inQuery: false)
    }

    private mutating func readQuery() throws(HTTPError) -> String? {
        guard position < bytes.count, bytes[position] == 0x3F else { return nil }
        let end = bytes[position...].firstIndex(of: 0x23) ?? bytes.count
        defer { position = end }
        return try encoded(bytes[(position + 1)..<end], inQuery: true)
    }

    /// Keeps percent codes, encodes what must be encoded, refuses broken codes.
    private func encoded(_ part: ArraySlice<UInt8>, inQuery: Bool) throws(HTTPError) -> String {
        guard let first = part.firstIndex(where: { !URLCharacters.isPlain($0, inQuery: inQuery) }) else {
            return String(decoding: part, as: UTF8.self)
        }
        var output = Array(part[..<first])
        output.reserveCapacity(part.count)
        for index in part[first...].indices {
            let byte = part[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < part.endIndex, URLCharacters.isHexadecimal(part[index + 1]),
                    URLCharacters.isHexadecimal(part[index + 2])
                else { throw invalid("contains a % without two hexadecimal digits after it") }
                output.append(byte)
            } else if URLCharacters.isPlain(byte, inQuery: inQuery) {
                output.append(byte)
            } else {
                PercentEncoding.append(byte, to: &output)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func startsWith(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func invalid(_ what: String) -> HTTPError { HTTPError(.invalidURL, "a URL \(what)") }
}

/// The path of a URL.
enum URLPath {
    /// Removes `.` and `..`, also in percent-encoded spellings, as in RFC 3986 section 5.2.4.
    static func withoutDots(_ path: String) -> String {
        // A dot segment begins with a dot or an escape, and hardly any segment does.
        guard mayHaveDots(path) else { return path }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.contains(where: { dots($0) > 0 }) else { return path }
        var kept: [Substring] = []
        for segment in segments {
            switch dots(segment) {
            case 0: kept.append(segment)
            case 1: break
            default: _ = kept.popLast()
            }
        }
        // A path that ends with a dot segment names a directory.
        if let last = segments.last, dots(last) > 0 { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }

    private static func mayHaveDots(_ path: String) -> Bool {
        var last: UInt8 = 0
        for byte in path.utf8 {
            if last == 0x2F, byte == 0x2E || byte == 0x25 { return true }
            last = byte
        }
        return false
    }

    /// 1 for `.`, 2 for `..`, 0 for every other segment.
    private static func dots(_ segment: Substring) -> Int {
        guard segment.utf8.count <= 6, segment.utf8.first == 0x2E || segment.utf8.first == 0x25 else { return 0 }
        let parts = segment.lowercased().split(separator: "%2e", omittingEmptySubsequences: false)
        let plain = parts.joined(separator: ".")
        return plain == "." ? 1 : plain == ".." ? 2 : 0
    }
}
