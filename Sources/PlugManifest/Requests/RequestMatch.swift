/// Which requests a limit applies to: those whose path begins with these segments, below `http.base` or from the root.
package struct RequestMatch: Sendable, Equatable {
    /// The pattern as written, such as `/search` or `/users/*/events`.
    package let text: String
    /// The segments; `nil` matches any single one.
    private let segments: [Substring?]

    /// Reads a pattern; `nil` if it does not begin with a slash, or has a segment that no path can have.
    package init?(_ text: String) {
        guard text.hasPrefix("/"), text.utf8.count > 1 else { return nil }
        let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // What no path that is sent contains: dots, templates, characters that would be percent-encoded.
        let areSegments = parts.allSatisfy { part in
            part == "*" || (!part.isEmpty && ![".", ".."].contains(part) && part.utf8.allSatisfy(Self.isSent))
        }
        guard areSegments else { return nil }
        self.text = text
        segments = parts.map { $0 == "*" ? nil : $0 }
    }

    /// Whether it covers a path.
    ///
    /// - Parameters:
    ///   - path: The percent-encoded path, as it is sent.
    ///   - base: The path of `http.base`.
    package func covers(_ path: String, below base: String) -> Bool {
        let own = path.split(separator: "/")
        let prefix = base.split(separator: "/")
        if own.starts(with: prefix), begins(own.dropFirst(prefix.count)) { return true }
        return begins(own[...])
    }

    private func begins(_ path: ArraySlice<Substring>) -> Bool {
        path.count >= segments.count && zip(path, segments).allSatisfy { $1 == nil || $0 == $1 }
    }

    private static func isSent(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte && !"?#{}*\"<>^`|\\".utf8.contains(byte) }
}
