internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime

/// The limits of a run, and of what it may store here.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "End a run after this time (90m); the next run continues where it stopped.",
            valueName: "duration"
        ),
        transform: { text in
            guard let limit = HumanDuration.parse(text) else {
                throw ValidationError(
                    "'\(DisplayText.escaped(text))' is not a duration: write a number and a unit, such as 90m"
                )
            }
            guard limit > .zero else { throw ValidationError("a time limit must be more than 0, such as 90m") }
            return limit
        }
    )
    var timeLimit = RunLimits.defaultTime

    @Option(
        help: ArgumentHelp("How much memory pages may use, for all connections together.", valueName: "size"),
        transform: { text in
            guard let size = HumanSize.parse(text), size >= 16 << 20 else {
                throw ValidationError("'\(DisplayText.escaped(text))' is not a size of 16MiB or more, such as 160MiB")
            }
            return size
        }
    )
    var memory = PageRoom.defaultTotal

    @Option(help: .of(.outbox))
    var outboxLimit = defaultSize(.outbox)

    @Option(help: .of(.outboxTotal))
    var outboxTotal = defaultSize(.outboxTotal)

    @Option(help: .of(.deadLetters))
    var deadLetterLimit = RunLimitKey.deadLetters.defaultValue

    @Option(help: .of(.deadLetterTotal))
    var deadLetterTotal = defaultSize(.deadLetterTotal)

    @Option(help: .of(.scratch))
    var scratchLimit = defaultSize(.scratch)

    /// The limits of each run.
    ///
    /// - Throws: `PlugError` `bad-size` (usage).
    func limits() throws(PlugError) -> RunLimits {
        var limits = RunLimits()
        limits.time = timeLimit
        guard deadLetterLimit >= 1 else {
            let option = RunLimitKey.deadLetters.option
            throw PlugError(
                .badSize,
                "\(option) must be 1 or more",
                advice: "write \(option) \(RunLimitKey.deadLetters.defaultValue)"
            )
        }
        limits.deadLetters.letters = deadLetterLimit
        let sizes: [(RunLimitKey, String)] = [
            (.outbox, outboxLimit), (.outboxTotal, outboxTotal), (.deadLetterTotal, deadLetterTotal),
            (.scratch, scratchLimit),
        ]
        for (limit, text) in sizes { limits[keyPath: limit.path] = try Self.size(text, limit.option) }
        return limits
    }

    private static func defaultSize(_ limit: RunLimitKey) -> String { HumanSize.notation(limit.defaultValue) }

    private static func size(_ text: String, _ option: String) throws(PlugError) -> Int {
        if let size = HumanSize.parse(text) { return size }
        throw PlugError(
            .badSize,
            "'\(DisplayText.escaped(text))' is not a size",
            advice: "write \(option) 500000, 64KiB, 8MiB or 1GiB"
        )
    }
}

extension ArgumentHelp {
    /// The help of an option that sets a limit of runs.
    fileprivate static func of(_ limit: RunLimitKey) -> Self {
        Self("\(limit.help)", valueName: limit.unit == .bytes ? "size" : "number")
    }
}
