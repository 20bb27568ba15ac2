internal import PlugCore

/// A request in canonical form, as AWS signs it.
struct AWSCanonicalRequest {
    let text: String
    /// The names of the headers in it, such as `host;x-amz-date`.
    let signedHeaders: String

    /// - Parameters:
    ///   - headers: Those that are signed besides `Host`.
    ///   - payload: The hash of the body.
    ///   - keepsPath: Whether dot segments and empty segments are kept in the path.
    ///   - encodesPathTwice: Whether percent codes in the path are encoded again, as required by all services but S3.
    init(
        _ request: SignableRequest,
        headers: [(name: String, value: String)],
        payload: String,
        keepsPath: Bool,
        encodesPathTwice: Bool
    ) {
        let fields = Self.fields([("host", request.authority)] + headers)
        signedHeaders = fields.map(\.name).joined(separator: ";")
        let path = keepsPath ? request.path : Self.normal(request.path)
        let encoded =
            encodesPathTwice
            ? PercentEncoding.encode(path.utf8, keepingSlashes: true)
            : PercentEncoding.encode(PercentEncoding.decode(Array(path.utf8)), keepingSlashes: true)
        text =
            ([request.method, encoded.isEmpty ? "/" : encoded, Self.query(request.query ?? "")]
            + fields.map { "\($0.name):\($0.value)" } + ["", signedHeaders, payload])
            .joined(separator: "\n")
    }

    /// A path without dot segments and empty segments (RFC 3986, section 5.2.4).
    private static func normal(_ path: String) -> String {
        var kept: [Substring] = []
        for segment in path.split(separator: "/") {
            if segment == ".." { _ = kept.popLast() } else if segment != "." { kept.append(segment) }
        }
        let isFolder = path.hasSuffix("/") || path.hasSuffix("/.") || path.hasSuffix("/..")
        return "/" + kept.joined(separator: "/") + (isFolder && !kept.isEmpty ? "/" : "")
    }

    /// The parameters, normalised and sorted.
    private static func query(_ query: String) -> String {
        let pairs = query.split(separator: "&").map { pair -> (name: String, value: String) in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEncoding.encode(PercentEncoding.decode(Array($0.utf8))) }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        return sortedByBytes(pairs).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// The headers by lower-case name, with equal names combined and runs of blanks collapsed.
    private static func fields(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for header in headers {
            let name = header.name.lowercased()
            if values[name] == nil { names.append(name) }
            let words = header.value.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
            values[name, default: []].append(words.joined(separator: " "))
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { ($0, (values[$0] ?? []).joined(separator: ",")) }
    }
}
