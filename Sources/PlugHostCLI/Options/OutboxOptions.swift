internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime

/// `--outbox-limit`, `--outbox-total` and `--outbox-first`: what is kept here while a PDA does not take it.
struct OutboxOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How much of one stream may wait here while its PDA is away.", valueName: "size"))
    var outboxLimit = "8MiB"

    @Option(help: ArgumentHelp("How much may wait in the whole state folder.", valueName: "size"))
    var outboxTotal = "1GiB"

    @Flag(help: "Keep each batch here before it is sent: for sources that give nothing twice.")
    var outboxFirst = false

    /// The bounds.
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
            "bad-size",
            exit: .usage,
            "'\(DisplayText.escaped(text))' is not a size",
            advice: "write \(option) 500000, 64KiB, 8MiB or 1GiB"
        )
    }
}
