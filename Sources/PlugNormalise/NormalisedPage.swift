package import PlugCore

/// The result of normalising a page's records.
package struct NormalisedPage: Sendable {
    /// The canonical records, in the source's order.
    package var block = RecordBlock()
    /// Records on which `map`, `key` or a cast failed.
    package var deadLetters: [DeadLetter] = []
    /// Records for which `map` produced nothing, or which `drop_if` dropped.
    package var dropped = 0
    /// Records of the block that are deletions, by index.
    package var deletions: [Int] = []
    /// The `_id`s of dead letters that have one.
    package var identifiedLetters: [String] = []
    /// How many dead letters have none: it is unknown which things they are about.
    package var unidentified = 0
    /// Characters that were replaced because a PDA's database rejects them.
    package var repaired = 0
    /// What the records show about the manifest.
    package var findings = RecordFindings()
    /// Which members the source's records have, if that was asked for.
    package var shape = SourceShape()

    /// An empty page.
    package init() {}

    /// Adds the records of another page after these.
    package mutating func append(_ other: NormalisedPage) {
        deletions += other.deletions.map { $0 + block.entries.count }
        for index in other.block.entries.indices { block.append(copying: index, of: other.block) }
        deadLetters += other.deadLetters
        dropped += other.dropped
        identifiedLetters += other.identifiedLetters
        unidentified += other.unidentified
        repaired += other.repaired
        findings.add(other.findings)
        shape.add(other.shape)
    }
}
