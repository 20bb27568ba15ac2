import Cryptography
import Foundation
import Testing

@testable import PlugStorage

/// Project Wycheproof's vectors for AES-GCM against our cipher: those of our key, nonce and tag size by value, the
/// others as what our cipher must not take.
struct WycheproofTests {
    private static let file =
        (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? sharedData) + "/wycheproof/aes_gcm_test.json"

    private static let sharedData = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data").standardizedFileURL.path

    private struct Suite: Decodable {
        var testGroups: [Group]
    }

    private struct Group: Decodable {
        var ivSize: Int
        var keySize: Int
        var tagSize: Int
        var tests: [Vector]
    }

    private struct Vector: Decodable {
        var tcId: Int
        var key: String
        var iv: String
        var aad: String
        var msg: String
        var ct: String
        var tag: String
        var result: String
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: file), "no Wycheproof vectors in PLUGHOST_TEST_DATA"))
    func theCipherAgreesWithEveryVector() throws {
        let suite = try JSONDecoder().decode(Suite.self, from: Data(contentsOf: URL(filePath: Self.file)))
        var counts = ["valid": 0, "invalid": 0, "foreign": 0]
        for group in suite.testGroups {
            let isOurs = group.ivSize == 96 && group.keySize == 256 && group.tagSize == 128
            for vector in group.tests {
                let key = SecretBytes(try bytes(vector.key))
                let sealed = Data(try bytes(vector.iv) + bytes(vector.ct) + bytes(vector.tag))
                let associated = try bytes(vector.aad)
                let opened = try? AuthenticatedCipher.open(sealed, key: key, authenticating: associated)
                counts[isOurs ? vector.result : "foreign", default: 0] += 1
                guard isOurs, vector.result == "valid" else {
                    #expect(opened == nil, "vector \(vector.tcId)")
                    continue
                }
                let plain = try bytes(vector.msg)
                let nonce = try bytes(vector.iv)
                #expect(opened == plain, "vector \(vector.tcId)")
                let ours = try AuthenticatedCipher.seal(plain, key: key, nonce: nonce, authenticating: associated)
                #expect(ours == sealed, "vector \(vector.tcId)")
            }
        }
        #expect(counts == ["valid": 39, "invalid": 27, "foreign": 250])
    }

    private func bytes(_ text: String) throws -> [UInt8] {
        let digits = try text.map { try #require($0.hexDigitValue) }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
