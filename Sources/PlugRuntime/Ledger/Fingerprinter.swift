internal import JQ
internal import PlugCore
internal import PlugManifest

/// Computes the ledger's keyed hashes of what identifies a record; outsiders learn nothing from them.
struct Fingerprinter {
    /// What a change of a record's content means: another record, if the stream says nothing about versions.
    let contents: FingerprintSet.Contents
    private let hash: SipHash
    private let contentHash: ContentHash
    /// Identifies the program that produced the contents, so that a changed `map` does not count as a change of all records.
    let mapSignature: UInt64

    /// - Parameter key: The connection's secret key.
    init(_ stream: Stream, key: [UInt8]) {
        hash = SipHash(key: key)
        contentHash = ContentHash(key: key)
        contents = !stream.options.hasIdentity ? .ignored : stream.declaresVersion ? .toldApart : .decisive
        var program = Array((stream.map?.source ?? "").utf8)
        for field in stream.fields { program += Array("\n\(field.name): \(field.cast.signature)".utf8) }
        if stream.options.unknown == .drop { program += Array("\nunknown: drop".utf8) }
        if let raw = stream.options.raw { program += Array("\nraw: \(raw.rawValue)".utf8) }
        mapSignature = program.withUnsafeBytes { [hash] in hash.hash($0) }.high
    }

    /// The fingerprints of some records of a block, in order.
    func fingerprints(_ block: RecordBlock) -> [RecordFingerprint] {
        block.bytes.withUnsafeBytes { bytes in
            block.identities.withUnsafeBytes { identities in
                block.entries.map { entry in
                    if contents == .ignored { return hash(bytes, entry.range) }
                    let identity = hash(identities, entry.identity)
                    let content =
                        contents == .decisive ? hash(bytes, entry.range).low : contentHash(bytes, entry.range)
                    // Zero would match any content.
                    let low = identity.low & ~contents.mask | max(content & contents.mask, 2)
                    return RecordFingerprint(high: identity.high, low: low)
                }
            }
        }
    }

    /// The fingerprint of a source's record that could not be normalised.
    func fingerprint(_ letter: DeadLetter) -> RecordFingerprint {
        let text = Array("\(letter.code)\n".utf8) + letter.record
        return text.withUnsafeBytes { hash.hash($0) }
    }

    private func hash(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> RecordFingerprint {
        hash.hash(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}
