internal import PlugCore
internal import PlugTesting

/// Where to look for a test's finding: the place at the start of its message, or the manifest.
struct TestPlace {
    /// The file.
    let path: String
    /// The place in it; `nil` for the file as a whole.
    let location: Diagnostic.Location?
    /// The first line of the message without the place, and the text below it.
    let message: String

    /// - Parameter manifest: The path of the plug's manifest.
    init(_ one: PlugTestReport.Case, manifest: String) {
        let text = one.message ?? ""
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let first = lines.first ?? ""
        let rest = lines.count > 1 ? "\n\(lines[1])" : ""
        guard let found = Self.place(in: first) else {
            (path, location, message) = (manifest, nil, text)
            return
        }
        (path, location) = (found.path, found.location)
        message = "\(found.before)\(found.after)\(rest)"
    }

    /// `path:12:5: what`, or `path:12: what`, perhaps after `stream 'posts': `.
    private static func place(
        in line: Substring
    ) -> (path: String, location: Diagnostic.Location, before: Substring, after: Substring)? {
        var rest = line
        var before = line.prefix(0)
        if line.hasPrefix("stream '"), let end = line.firstRange(of: "': ") {
            before = line[..<end.upperBound]
            rest = line[end.upperBound...]
        }
        // A path may contain colons, so the numbers are searched for.
        var from = rest.startIndex
        while let colon = rest[from...].firstIndex(of: ":") {
            from = rest.index(after: colon)
            let parts = rest[from...].split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard let number = parts.first.flatMap({ Int($0) }), number > 0, colon > rest.startIndex else { continue }
            let path = String(rest[..<colon])
            // The port of an address is not a line number.
            if path.contains("://") { continue }
            if parts.count > 2, let column = Int(parts[1]), column > 0, parts[2].first == " " {
                return (path, .init(line: number, column: column), before, parts[2].dropFirst())
            }
            guard parts.count > 1, parts[1].first == " " else { continue }
            let after = rest[parts[1].startIndex...].dropFirst()
            return (path, .init(line: number, column: 1), before, after)
        }
        return nil
    }
}
