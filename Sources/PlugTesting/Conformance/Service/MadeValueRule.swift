import LosslessJSON

/// How values are made up for members of which only the names are known.
struct MadeValueRule {
    /// Whether values of unknown type are numbers.
    private let isNumber: Bool
    /// Whether values are derived from the names.
    private let usesNames: Bool

    /// The likeliest first.
    static let all = [
        MadeValueRule(isNumber: false, usesNames: true), MadeValueRule(isNumber: true, usesNames: true),
        MadeValueRule(isNumber: false, usesNames: false), MadeValueRule(isNumber: true, usesNames: false),
    ]

    func value(for path: [RecordPaths.Step], isTime: Bool) -> JSONValue {
        var written = ""
        for case .member(let member) in path { written = member }
        let name = written.lowercased()
        if isTime || usesNames && (Self.isTime(name) || written.hasSuffix("At")) {
            return .text("2025-06-01T10:00:00Z")
        }
        if usesNames, name.contains("url") || name.contains("link") {
            return .text("https://service.example.org/\(name)/1001")
        }
        if usesNames, name.hasPrefix("is_") || name.hasPrefix("has_") { return .bool(true) }
        return isNumber ? .integer(1001) : .text("1001")
    }

    private static func isTime(_ name: String) -> Bool {
        ["_at", "date", "time", "created", "updated", "modified", "timestamp"].contains { name.hasSuffix($0) }
    }
}
