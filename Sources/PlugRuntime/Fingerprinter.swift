internal import Crypto
internal import JQ
internal import PlugCore
internal import PlugManifest

/// Makes the ledger's keyed hashes: the first bytes of SHA-256 over the connection's secret key and what identifies a
/// record. Cutting the digest off keeps it a keyed hash (no length extension), and outsiders learn nothing from it.
struct Fingerprinter {
    /// Whether a change of a record's content makes it another record: where the stream has no word about versions.
    let comparesContent: Bool
    private let hasIdentity: Bool
    private let key: [UInt8]
    /// Names the program that made the contents, so that a changed `map` is no change of all records.
    let mapSignature: UInt64

    init(_ stream: Stream, key: [UInt8]) {
        self.key = key
        hasIdentity = stream.hasIdentity
        comparesContent = stream.hasIdentity && !stream.declaresVersion
        var hash = SHA256()
        hash.update(data: key)
        hash.update(data: Array((stream.map?.source ?? "").utf8))
        for (name, cast) in stream.fields { hash.update(data: Array("\n\(name): \(cast.rawValue)".utf8)) }
        mapSignature = Self.halves(hash.finalize()).high
    }

    /// The fingerprint of a canonical record.
    func fingerprint(_ block: RecordBlock, _ entry: RecordBlock.Entry) -> RecordFingerprint {
        guard hasIdentity else { return hash(block.bytes, entry.range) }
        let identity = hash(block.identities, entry.identity)
        guard comparesContent else { return identity }
        return RecordFingerprint(high: identity.high, low: hash(block.bytes, entry.range).low)
    }

    /// The fingerprint of a source's record that could not be normalised.
    func fingerprint(_ letter: DeadLetter) -> RecordFingerprint {
        let text = Array("\(letter.code)\n".utf8) + letter.record
        return hash(text, text.indices)
    }

    private func hash(_ bytes: [UInt8], _ range: Range<Int>) -> RecordFingerprint {
        var hash = SHA256()
        key.withUnsafeBytes { hash.update(bufferPointer: $0) }
        bytes.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[range])) }
        return Self.halves(hash.finalize())
    }

    private static func halves(_ digest: SHA256.Digest) -> RecordFingerprint {
        digest.withUnsafeBytes { bytes in
            RecordFingerprint(
                high: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }
}
