/// Addresses relative to another (RFC 3986, 5.2).
enum RelativeReference {
    /// A longer base is ignored: it would be repeated in each address of an entry.
    private static let baseLimit = 512

    private struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        /// From `?` on, without the fragment.
        var query: Substring
        /// From `#` on.
        var fragment: Substring

        init(_ text: String) {
            var rest = text[...]
            let first = rest.first
            if first?.isASCII == true, first?.isLetter == true,
                let end = rest.firstIndex(where: { !$0.isASCII || !($0.isLetter || $0.isNumber || "+-.".contains($0)) }
                ),
                rest[end] == ":"
            {
                scheme = rest[..<end]
                rest = rest[rest.index(after: end)...]
            }
            if rest.hasPrefix("//") {
                let from = rest.index(rest.startIndex, offsetBy: 2)
                let end = rest[from...].firstIndex { "/?#".contains($0) } ?? rest.endIndex
                authority = rest[from..<end]
                rest = rest[end...]
            }
            let hash = rest.firstIndex(of: "#") ?? rest.endIndex
            fragment = rest[hash...]
            let mark = rest[..<hash].firstIndex(of: "?") ?? hash
            query = rest[mark..<hash]
            path = rest[..<mark]
        }
    }

    /// The absolute address; the reference itself if there is no base to resolve it against.
    static func resolve(_ reference: String, against base: String?) -> String {
        guard let base, base.utf8.count <= baseLimit else { return reference }
        let (wanted, around) = (Parts(reference), Parts(base))
        guard wanted.scheme == nil, let scheme = around.scheme, around.authority != nil else { return reference }
        let tail = "\(wanted.query)\(wanted.fragment)"
        if let authority = wanted.authority { return "\(scheme)://\(authority)\(withoutDots(wanted.path))\(tail)" }
        let root = "\(scheme)://\(around.authority ?? "")"
        if wanted.path.isEmpty {
            return "\(root)\(around.path)\(wanted.query.isEmpty ? around.query : wanted.query)\(wanted.fragment)"
        }
        if wanted.path.hasPrefix("/") { return "\(root)\(withoutDots(wanted.path))\(tail)" }
        let folder = around.path.lastIndex(of: "/").map { around.path[...$0] } ?? "/"
        return "\(root)\(withoutDots(folder + wanted.path))\(tail)"
    }

    /// A path with `.` and `..` resolved.
    private static func withoutDots(_ path: Substring) -> String {
        var kept: [Substring] = []
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (at, step) in steps.enumerated() {
            let isLast = at == steps.count - 1
            switch step {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(step)
            }
        }
        return kept.isEmpty ? String(path) : "/" + kept.joined(separator: "/")
    }
}
