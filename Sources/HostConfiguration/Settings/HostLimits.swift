internal import LosslessJSON
package import PlugCore
internal import PlugManifest

/// How much of this machine the host may use. A new limit of the host is a property with its default here, and a line of `own`; a
/// new limit of runs is one of `RunLimitKey.all`. Code that enforces it reads the property.
package struct HostLimits: Sendable, Equatable {
    /// The number of connections synced at a time.
    package var parallel = Setting(64, .default)
    /// The number of bytes that pages may hold.
    package var memory = Setting(160 << 20, .default)
    /// The limits of each run, in the order of `RunLimitKey.all`.
    private var runs = RunLimitKey.all.map { Setting($0.defaultValue, .default) }

    /// The limits of each run.
    package var ofEachRun: RunLimits {
        var limits = RunLimits()
        limits.time = RunLimits.defaultTime
        for (limit, setting) in zip(RunLimitKey.all, runs) { limits[keyPath: limit.path] = setting.value }
        return limits
    }

    private static let own: [Limit] = [
        Limit("parallel", \.parallel, .integer(1...10_000), "How many connections are synced at a time."),
        Limit(
            "memory",
            \.memory,
            .sizeFrom(16 << 20),
            "How much memory pages may use, for all connections together; at least 16MiB."
        ),
    ]
    private static let all =
        own
        + RunLimitKey.all.enumerated().map { index, limit in
            Limit(
                limit.key,
                \.runs[index],
                limit.unit == .bytes ? .sizeFrom(0) : .integer(1...1_000_000_000),
                limit.help
            )
        }

    /// One limit: its key, where its value is kept, its allowed values, and its text in the reference.
    private struct Limit: Sendable {
        let key: String
        let path: any WritableKeyPath<HostLimits, Setting<Int>> & Sendable
        let shape: Shape
        let help: String

        init(
            _ key: String,
            _ path: any WritableKeyPath<HostLimits, Setting<Int>> & Sendable,
            _ shape: Shape,
            _ help: String
        ) {
            (self.key, self.path, self.shape, self.help) = (key, path, shape, help)
        }

        /// Whether it is a number, and not a size.
        var isCount: Bool { if case .integer = shape { true } else { false } }

        /// The value as it would be written in the file.
        func text(_ value: Int) -> String { isCount ? "\(value)" : HumanSize.notation(value) }
    }

    /// The keys of `limits`.
    static let table = KeyTable(
        "limits",
        all.map { .key($0.key, $0.shape, default: $0.text(HostLimits()[keyPath: $0.path].value), $0.help) },
        instead: ["outbox_limit": "write 'outbox'"]
    )

    /// Reads the limits as written.
    init(_ builder: HostBuilder) {
        for limit in Self.all {
            let key = "limits.\(limit.key)"
            let usual = self[keyPath: limit.path].value
            self[keyPath: limit.path] = limit.isCount ? builder.number(key, usual) : builder.size(key, usual)
        }
    }

    private init() {}

    /// Every value, in the order of the table of keys.
    var rows: [HostSettings.Row] {
        Self.all.map { limit in
            let setting = self[keyPath: limit.path]
            let value = limit.isCount ? JSONValue.integer(setting.value) : .text(limit.text(setting.value))
            return HostSettings.Row("limits.\(limit.key)", value, setting.origin)
        }
    }
}
