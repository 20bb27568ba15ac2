internal import Cryptography
internal import FoundationEssentials
internal import PlugCore

/// The host's key: it wraps the connections' data keys, and seals what belongs to no connection.
struct HostKey: Sendable {
    /// Names the key without revealing it: 16 hex digits derived from it.
    let id: String
    private let wrapping: SecretBytes
    private let noting: SecretBytes
    private let naming: SecretBytes
    /// Keys already unwrapped, by everything that they are bound to.
    private let known = KeyCache()

    /// Derives the working keys from 32 secret bytes.
    init(_ secret: SecretBytes) {
        let extracted = HKDF.extract(secret)
        func derived(_ purpose: String, _ size: Int) -> SecretBytes {
            HKDF.expand(extracted, info: Array("plughost 1 host \(purpose)".utf8), count: size)
        }
        wrapping = derived("wrap", 32)
        noting = derived("note", 32)
        naming = derived("note name", 32)
        id = derived("id", 8).withUnsafeBytes { Hexadecimal.encoded($0) }
    }

    /// Forgets unwrapped keys: a key that is to be destroyed must not remain in memory.
    func forgetDataKeys() { known.forget() }

    /// A new data key and its wrapped form.
    func makeDataKey(id: Int64, connection: String, place: SealedPlace) throws -> (key: DataKey, wrapped: Data) {
        let root = SecretBytes.random(count: 32)
        let associated = place.associatedData(connection: connection, key: "\(self.id) \(id)")
        let wrapped = try AuthenticatedCipher.seal(root, key: wrapping, authenticating: associated)
        let key = known.key(of: KeyCache.Row(wrapped: wrapped, associated: associated)) {
            DataKey(id: id, connection: connection, root: root)
        }
        return (key, wrapped)
    }

    /// Unwraps a data key; refused as `state-damaged` if it is not what was written there.
    func unwrap(_ wrapped: Data, id: Int64, connection: String, place: SealedPlace) throws -> DataKey {
        let associated = place.associatedData(connection: connection, key: "\(self.id) \(id)")
        do {
            return try known.key(of: KeyCache.Row(wrapped: wrapped, associated: associated)) {
                let root = try AuthenticatedCipher.openSecret(wrapped, key: wrapping, authenticating: associated)
                guard root.count == 32 else { throw AuthenticatedCipher.Refused() }
                return DataKey(id: id, connection: connection, root: root)
            }
        } catch {
            throw StoreErrors.damaged(place.table, connection: connection)
        }
    }

    /// Rewraps a data key for another host key.
    func rewrap(_ wrapped: Data, id: Int64, connection: String, place: SealedPlace, for other: HostKey) throws -> Data {
        do {
            let old = place.associatedData(connection: connection, key: "\(self.id) \(id)")
            let root = try AuthenticatedCipher.openSecret(wrapped, key: wrapping, authenticating: old)
            guard root.count == 32 else { throw AuthenticatedCipher.Refused() }
            let new = place.associatedData(connection: connection, key: "\(other.id) \(id)")
            return try AuthenticatedCipher.seal(root, key: other.wrapping, authenticating: new)
        } catch {
            throw StoreErrors.damaged(place.table, connection: connection)
        }
    }

    // MARK: - Server notes

    /// A name under which a note is looked up; the real name may be a person's address.
    func hiddenName(ofNote name: String) -> Data {
        Data(HMAC.code(for: Array(name.utf8), key: naming).prefix(16))
    }

    /// Seals a note together with its name, for its row.
    func seal(_ note: ServerNote) throws -> Data {
        var writer = ByteWriter()
        writer.append(note.name)
        writer.append(note.bytes)
        return try AuthenticatedCipher.seal(
            writer.bytes,
            key: noting,
            authenticating: placeOfNote(hiddenName(ofNote: note.name), note.expiresAt)
        )
    }

    /// Opens a row's note; `nil` if it is not what was written there.
    func openNote(_ sealed: Data, row: Data, expiresAt: Int64) -> ServerNote? {
        let place = placeOfNote(row, expiresAt)
        guard let bytes = try? AuthenticatedCipher.open(sealed, key: noting, authenticating: place) else { return nil }
        var reader = ByteReader(bytes)
        guard let name = reader.text(), let bytes = reader.field() else { return nil }
        return ServerNote(name: name, bytes: bytes, expiresAt: expiresAt)
    }

    // MARK: - Consents

    /// Seals the content of a consent, for its row.
    func seal(_ consent: StoredConsent) throws -> Data {
        try AuthenticatedCipher.seal(
            Array(consent.content.reveal().utf8),
            key: noting,
            authenticating: placeOfConsent(consent)
        )
    }

    /// Opens the sealed content of a consent; `nil` if it is not what was written there.
    ///
    /// - Parameter row: The rest of the row.
    func openConsent(_ sealed: Data, of row: StoredConsent) -> Secret? {
        let bytes = try? AuthenticatedCipher.open(sealed, key: noting, authenticating: placeOfConsent(row))
        return bytes.map { Secret(String(decoding: $0, as: UTF8.self)) }
    }

    private func placeOfConsent(_ consent: StoredConsent) -> [UInt8] {
        let row = [
            Hexadecimal.encoded(consent.name), Hexadecimal.encoded(consent.session), consent.connection?.name ?? "",
            "\(consent.endsAt)", "\(consent.version)",
        ]
        return SealedPlace(table: "consent", row: row).associatedData(connection: "", key: id)
    }

    // MARK: - Places

    private func placeOfNote(_ row: Data, _ expiresAt: Int64) -> [UInt8] {
        SealedPlace(table: "server note", row: [Hexadecimal.encoded(row), "\(expiresAt)"])
            .associatedData(connection: "", key: id)
    }
}
