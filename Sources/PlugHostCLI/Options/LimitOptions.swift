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
    var timeLimit: Duration = .seconds(86_400)

    @Option(
        help: ArgumentHelp("How much memory pages may use, for all connections together.", valueName: "size"),
        transform: { text in
            guard let size = HumanSize.parse(text), size >= 16 << 20 else {
                throw ValidationError("'\(DisplayText.escaped(text))' is not a size of 16MiB or more, such as 160MiB")
            }
            return size
        }
    )
    var memory = PageRoom.usualTotal

    @Option(help: ArgumentHelp("How much of one stream may wait here while its PDA is unreachable.", valueName: "size"))
    var outboxLimit = "8MiB"

    @Option(help: ArgumentHelp("How much may wait in the whole state folder.", valueName: "size"))
    var outboxTotal = "1GiB"

    @Option(help: ArgumentHelp("How many dead letters of one connection may be kept.", valueName: "number"))
    var deadLetterLimit = 10_000

    @Option(help: ArgumentHelp("How much the dead letters of the whole state folder may take.", valueName: "size"))
    var deadLetterTotal = "1GiB"

    @Option(
        help: ArgumentHelp("How much of the disk large answers of a run may take together.", valueName: "size")
    )
    var scratchLimit = "16GiB"

    /// The limits of each run.
    ///
    /// - Throws: `PlugError` `bad-size` (usage).
    func limits() throws(PlugError) -> RunLimits {
        var limits = RunLimits()
        limits.time = timeLimit
        limits.outbox.streamBytes = try Self.size(outboxLimit, "--outbox-limit")
        limits.outbox.hostBytes = try Self.size(outboxTotal, "--outbox-total")
        limits.deadLetters.letters = max(1, deadLetterLimit)
        // 6 KiB a letter, in line with the default number.
        limits.deadLetters.bytes = max(limits.deadLetters.bytes, limits.deadLetters.letters * (6 << 10))
        limits.deadLetters.hostBytes = try Self.size(deadLetterTotal, "--dead-letter-total")
        limits.scratch = try Self.size(scratchLimit, ScratchRoom.option)
        return limits
    }

    private static func size(_ text: String, _ option: String) throws(PlugError) -> Int {
        if let size = HumanSize.parse(text) { return size }
        throw PlugError(
            .badSize,
            "'\(DisplayText.escaped(text))' is not a size",
            advice: "write \(option) 500000, 64KiB, 8MiB or 1GiB"
        )
    }
}
