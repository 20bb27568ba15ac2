import Cryptography
import Foundation
import Testing

/// Project Wycheproof's vectors for the codes that OAuth 1 signs with.
struct WycheproofTests {
    private static let folder =
        (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? sharedData) + "/wycheproof"

    private static let sharedData = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data").standardizedFileURL.path

    private struct Suite: Decodable {
        var testGroups: [Group]
    }

    private struct Group: Decodable {
        var tagSize: Int
        var tests: [Vector]
    }

    private struct Vector: Decodable {
        var tcId: Int
        var key: String
        var msg: String
        var tag: String
        var result: String
    }

    private struct NoDigits: Error {}

    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        guard digits.count == hexadecimal.count, digits.count.isMultiple(of: 2) else { throw NoDigits() }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Tags may be cut: those are compared as far as they go.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: folder), "no Wycheproof vectors in PLUGHOST_TEST_DATA"),
        arguments: [(HashFunction.sha1, 170), (.sha256, 174)]
    )
    func theCodesAgreeWithEveryVector(_ hash: HashFunction, _ count: Int) throws {
        let file = URL(filePath: "\(Self.folder)/hmac_\(hash.rawValue)_test.json")
        let suite = try JSONDecoder().decode(Suite.self, from: Data(contentsOf: file))
        var seen = 0
        for group in suite.testGroups {
            for vector in group.tests {
                let code = hash.code(for: try bytes(vector.msg), key: SecretBytes(try bytes(vector.key)))
                let isSame = try bytes(vector.tag) == Array(code.prefix(group.tagSize / 8))
                #expect(isSame == (vector.result == "valid"), "\(vector.tcId)")
                seen += 1
            }
        }
        #expect(seen == count)
    }
}
