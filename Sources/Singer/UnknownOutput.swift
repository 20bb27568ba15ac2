internal import PlugCore

/// The unknown streams and message types that a program has used.
struct UnknownOutput {
    /// How many of each kind are reported by name: a program may have thousands of streams.
    private static let named = 20
    /// How much of a name is reported.
    private static let length = 100

    /// Streams that the manifest does not name, with the number of records received.
    var streams: [(name: String, count: Int)]
    /// Types of messages, with the number received.
    var types: [(name: String, count: Int)]
    /// Hides secrets in a name, before it is truncated.
    var hiding: @Sendable (String) -> String

    /// Warnings about them: the first ones by name, the rest by number.
    var warnings: [PlugError] {
        told(streams, "'", "more stream", Self.unused)
            + told(types, "the unknown type '", "more unknown type", Self.unknown)
    }

    private func told(
        _ all: [(name: String, count: Int)],
        _ prefix: String,
        _ others: String,
        _ warning: (Int, String) -> PlugError
    ) -> [PlugError] {
        let first = all.prefix(Self.named).map { name, count in
            warning(count, "\(prefix)\(DisplayText.escaped(String(hiding(name).prefix(Self.length))))'")
        }
        let rest = all.dropFirst(Self.named)
        if rest.isEmpty { return first }
        let count = rest.reduce(0) { $0 + $1.count }
        return first + [warning(count, rest.count.counted(others))]
    }

    private static func unused(_ count: Int, _ streams: String) -> PlugError {
        let (records, were) = count == 1 ? ("1 record", "it was") : ("\(count) records", "they were")
        let text =
            "the program has sent \(records) of \(streams), which the manifest does not name: \(were) not delivered, and "
            + "its STATE is not kept"
        return PlugError(
            .programStreamUnused,
            text,
            advice: "name the stream in the manifest, or list it in 'exec.ignore'"
        )
    }

    private static func unknown(_ count: Int, _ types: String) -> PlugError {
        let messages = count.counted("message")
        return PlugError(.programMessageUnknown, "the program has written \(messages) of \(types)")
    }
}
