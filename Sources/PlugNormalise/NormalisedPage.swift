public import PlugCore

/// What became of a page's records.
public struct NormalisedPage: Sendable {
    /// The canonical records, in the source's order.
    public var block = RecordBlock()
    /// Records that `map`, `key` or a cast could not take.
    public var deadLetters: [DeadLetter] = []
    /// Records that `map` or `drop_if` gave nothing for.
    public var dropped = 0
    /// Characters that were replaced because a PDA's database refuses them.
    public var repaired = 0
    /// What the records show of the manifest.
    public var findings = RecordFindings()

    /// An empty page.
    public init() {}

    /// Adds the records of another page behind these.
    public mutating func append(_ other: NormalisedPage) {
        for entry in other.block.entries {
            block.append(other.block.bytes[entry.range], identity: other.block.identities[entry.identity])
        }
        deadLetters += other.deadLetters
        dropped += other.dropped
        repaired += other.repaired
        findings.add(other.findings)
    }
}
