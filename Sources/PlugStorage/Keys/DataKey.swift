internal import Cryptography
internal import FoundationEssentials
internal import PlugCore

/// A connection's own key: once it is destroyed, no one can open what it sealed.
///
/// A sealed value is a version byte, eight bytes of key id, then nonce, ciphertext and tag. The id says which key opens it, so
/// that keys can be changed while old values stay readable.
final class DataKey: Sendable {
    /// The key's number in this store; never reused.
    let id: Int64
    /// The connection's name.
    let connection: String
    /// The key of the hash that fingerprints this connection's records: 32 bytes.
    let fingerprintKey: [UInt8]
    /// The beginning of what it seals.
    private let header: [UInt8]
    private let sealing: SecretBytes
    private let naming: SecretBytes

    /// Derives the working keys from the root key's 32 bytes, once: a run seals and opens a dozen values.
    init(id: Int64, connection: String, root: SecretBytes) {
        let extracted = HKDF.extract(root)
        func derived(_ purpose: String) -> SecretBytes {
            HKDF.expand(extracted, info: Array("plughost 1 \(purpose)".utf8), count: 32)
        }
        self.id = id
        self.connection = connection
        header = Self.header(id)
        fingerprintKey = derived("fingerprint").withUnsafeBytes { [UInt8]($0) }
        sealing = derived("seal")
        naming = derived("part")
    }

    /// Seals a value for one place.
    func seal(_ plain: [UInt8], in place: SealedPlace) throws -> Data {
        let associated = place.associatedData(connection: connection, key: "\(id)")
        return try AuthenticatedCipher.seal(plain, key: sealing, authenticating: associated, after: header)
    }

    /// Opens a value from one place; anything other than what was written there is refused as `state-damaged`.
    func open(_ sealed: Data, in place: SealedPlace) throws -> [UInt8] {
        guard sealed.starts(with: header) else { throw StoreErrors.damaged(place.table, connection: connection) }
        let associated = place.associatedData(connection: connection, key: "\(id)")
        do {
            let box = sealed.dropFirst(header.count)
            return try AuthenticatedCipher.open(box, key: sealing, authenticating: associated)
        } catch {
            throw StoreErrors.damaged(place.table, connection: connection)
        }
    }

    /// A name under which a part's state is looked up. Parts are named after parents, which may be private.
    func hiddenName(ofPart part: String, stream: String) -> Data {
        var writer = ByteWriter()
        writer.append(stream)
        writer.append(part)
        return Data(HMAC.code(for: writer.bytes, key: naming).prefix(16))
    }

    /// Identifies a dead letter, to tell whether it is kept already.
    func mark(of letter: DeadLetter, stream: String) -> Data {
        var writer = ByteWriter()
        writer.append("dead letter")
        for text in [stream, letter.stage.rawValue, letter.path?.namespace ?? "", letter.path?.endpoint ?? ""] {
            writer.append(text)
        }
        writer.append(letter.record)
        return Data(HMAC.code(for: writer.bytes, key: naming).prefix(16))
    }

    private static func header(_ id: Int64) -> [UInt8] {
        var header = [SealedPlace.version]
        withUnsafeBytes(of: id.bigEndian) { header.append(contentsOf: $0) }
        return header
    }
}
