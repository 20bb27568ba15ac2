import Cryptography
import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugStorage

struct SealingTests {
    private let host = HostKey(SecretBytes([UInt8](0..<32)))
    private let home = SealedPlace.dataKey(plug: "p", pda: pda, createdAt: 1)

    private func dataKey(_ id: Int64 = 1, _ connection: String = "bob") throws -> DataKey {
        try host.makeDataKey(id: id, connection: connection, place: home).key
    }

    @Test func aSealedValueOpensInItsPlaceAndNowhereElse() throws {
        let key = try dataKey()
        let place = SealedPlace.state(stream: "plays", part: "album/1")
        let sealed = try key.seal([1, 2, 3], in: place)
        #expect(try key.open(sealed, in: place) == [1, 2, 3])
        let elsewhere: [SealedPlace] = [
            .state(stream: "plays", part: "album/2"), .state(stream: "likes", part: "album/1"),
            .state(stream: "playsa", part: "lbum/1"), .token(issuedAt: 1), .run(1),
            .deadLetter(1, stream: "plays", at: 1), .outbox(1, stream: "plays", at: 1),
            SealedPlace(table: "token", row: ["plays", "album/1"]),
        ]
        for other in elsewhere { #expect(refusal { try key.open(sealed, in: other) } == "state-damaged") }
    }

    @Test func everyFlippedBitAndEveryCutIsNoticed() throws {
        let key = try dataKey()
        let place = SealedPlace.run(1)
        let sealed = try key.seal(Array("a report".utf8), in: place)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(refusal { try key.open(changed, in: place) } == "state-damaged", "bit \(bit)")
        }
        for length in 0..<sealed.count {
            #expect(refusal { try key.open(sealed.prefix(length), in: place) } == "state-damaged", "\(length) bytes")
        }
        #expect(refusal { try key.open(sealed + [0], in: place) } == "state-damaged")
    }

    @Test func anotherConnectionsKeyDoesNotOpenAValue() throws {
        let place = SealedPlace.run(1)
        let sealed = try dataKey().seal([1], in: place)
        for other in [try dataKey(), try dataKey(2), try dataKey(1, "eve")] {
            #expect(refusal { try other.open(sealed, in: place) } == "state-damaged")
        }
    }

    @Test func aWrappedKeyOpensWithItsHostForItsConnectionOnly() throws {
        let (key, wrapped) = try host.makeDataKey(id: 3, connection: "bob", place: home)
        let again = try host.unwrap(wrapped, id: 3, connection: "bob", place: home)
        #expect(again.fingerprintKey == key.fingerprintKey)
        let stranger = HostKey(SecretBytes.random(count: 32))
        let moved = SealedPlace.dataKey(plug: "p", pda: "https://eve.example.org", createdAt: 1)
        #expect(refusal { try stranger.unwrap(wrapped, id: 3, connection: "bob", place: home) } == "state-damaged")
        #expect(refusal { try host.unwrap(wrapped, id: 3, connection: "eve", place: home) } == "state-damaged")
        #expect(refusal { try host.unwrap(wrapped, id: 4, connection: "bob", place: home) } == "state-damaged")
        #expect(refusal { try host.unwrap(wrapped, id: 3, connection: "bob", place: moved) } == "state-damaged")
    }

    @Test func equalValuesAreSealedDifferently() throws {
        let key = try dataKey()
        let sealed = try (0..<1_000).map { _ in try key.seal([7], in: .run(1)) }
        #expect(Set(sealed).count == 1_000)
    }

    @Test func aKeysPurposesGiveDifferentKeys() throws {
        let key = try dataKey()
        let names = [
            key.hiddenName(ofPart: "a", stream: "b"), key.hiddenName(ofPart: "b", stream: "a"),
            key.hiddenName(ofPart: "", stream: "ab"), Data(key.fingerprintKey.prefix(16)),
        ]
        #expect(Set(names).count == 4)
        #expect(names[0] == key.hiddenName(ofPart: "a", stream: "b"))
    }

    @Test(arguments: ["", "x", "ab\n", String(repeating: "g", count: 64), String(repeating: "a", count: 63)])
    func whatIsNoKeyIsNotTakenForOne(_ text: String) {
        #expect(KeyText.key(in: Array(text.utf8)) == nil)
    }

    @Test func aKeyIsReadInEachForm() {
        let key = [UInt8](0..<32)
        let hexadecimal = Hexadecimal.encoded(key)
        #expect(hexadecimal == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(KeyText.key(in: key) == key)
        #expect(KeyText.key(in: Array("\(hexadecimal)\n".utf8)) == key)
        #expect(KeyText.key(in: Array(hexadecimal.uppercased().utf8)) == key)
        #expect(KeyText.key(in: Array("\(Data(key).base64EncodedString())\r\n".utf8)) == key)
    }
}

/// The code of the `PlugError` that some work throws.
private func refusal(_ work: () throws -> some Any) -> String? {
    do {
        _ = try work()
        return nil
    } catch {
        return (error as? PlugError)?.code.text ?? "\(error)"
    }
}
