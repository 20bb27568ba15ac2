internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime

/// `--outbox-limit`, `--outbox-total` and `--outbox-first`: what is kept here while a PDA does not take it. And
/// `--dead-letter-limit` and `--dead-letter-total`: what is kept because nobody can take it.
struct OutboxOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How much of one stream may wait here while its PDA is unreachable.", valueName: "size"))
    var outboxLimit = "8MiB"

    @Option(help: ArgumentHelp("How much may wait in the whole state folder.", valueName: "size"))
    var outboxTotal = "1GiB"

    @Flag(help: "Store each batch before sending it: for sources that return records only once.")
    var outboxFirst = false

    @Option(help: ArgumentHelp("How many dead letters of one connection may be kept.", valueName: "number"))
    var deadLetterLimit = 10_000

    @Option(help: ArgumentHelp("How much the dead letters of the whole state folder may take.", valueName: "size"))
    var deadLetterTotal = "1GiB"

    /// The bounds of dead letters.
    ///
    /// - Throws: `PlugError` `bad-size` (usage).
    func deadLetterLimits() throws(PlugError) -> DeadLetterLimits {
        var limits = DeadLetterLimits()
        limits.letters = max(1, deadLetterLimit)
        // 6 KiB a letter, as the usual number has it.
        limits.bytes = max(limits.bytes, limits.letters * (6 << 10))
        limits.hostBytes = try Self.size(deadLetterTotal, "--dead-letter-total")
        return limits
    }

    /// The bounds of the outbox.
    ///
    /// - Throws: `PlugError` `bad-size` (usage).
    func limits() throws(PlugError) -> OutboxLimits {
        var limits = OutboxLimits()
        limits.streamBytes = try Self.size(outboxLimit, "--outbox-limit")
        limits.hostBytes = try Self.size(outboxTotal, "--outbox-total")
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
