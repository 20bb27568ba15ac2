import Cryptography
import Foundation
import PlugCore
import Testing

@testable import PlugStorage

/// Values that were sealed when another library had the ciphers. Every later version has to open them.
struct EarlierVersionTests {
    private let host = HostKey(SecretBytes([UInt8](0..<32)))

    @Test func aDataKeyAndWhatItSealedAreOpened() throws {
        #expect(host.id == "40c5617d75b77ad3")
        let wrapped = try bytes(
            """
            e710ea17e880ea1ee17019ddc47c910a2c5910847b1c28dc823eb1cf542b2464\
            10289ce193773f48918c63a83f550eb3b61e4e6793520f3513b98942
            """
        )
        let home = SealedPlace.dataKey(plug: "p", pda: "https://bob.example.org", createdAt: 1)
        let key = try host.unwrap(wrapped, id: 3, connection: "bob", place: home)
        #expect(
            try key.fingerprintKey == [UInt8](bytes("37410fa8fc230975cc0bd027da553741e5d1d5822edda9b8365051c80f692a98"))
        )
        let sealed = try bytes(
            """
            010000000000000003087a098f8011e23c4fe86977a0ccab85ba5cdaf7efce20\
            d68676df6b13446b7d2c23700b
            """
        )
        #expect(try key.open(sealed, in: .run(1)) == Array("a report".utf8))
        let empty = try bytes("010000000000000003a43c37df6db15c2a9fa611bb1131b63a9c3c5e15a303f6fb8953aa60")
        #expect(try key.open(empty, in: .run(1)) == [])
        #expect(try key.hiddenName(ofPart: "album/1", stream: "plays") == bytes("6bc1100b435a8e9a6d4bdd32a4e9a9e1"))
    }

    @Test func aServersNoteIsFoundAndOpened() throws {
        let row = try bytes("bd38ca0d07c71040d51fe527c3a63e06")
        #expect(host.hiddenName(ofNote: "ada@example.org") == row)
        let sealed = try bytes(
            """
            5e5146c9465e411942fb03dccd500ca0394078088c0fae8188c414b44d198150\
            145fa96092d85f9312e8d696d0616ed7f899211024f1bfd6b596a64ace61
            """
        )
        let note = ServerNote(name: "ada@example.org", bytes: [1, 2, 3], expiresAt: 7)
        #expect(host.openNote(sealed, row: row, expiresAt: 7) == note)
    }

    private func bytes(_ text: String) throws -> Data {
        let digits = try text.map { try #require($0.hexDigitValue) }
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
