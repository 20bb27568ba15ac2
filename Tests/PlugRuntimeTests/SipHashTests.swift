import PlugCore
import Testing

@testable import PlugRuntime

struct SipHashTests {
    /// As `openssl mac -macopt hexkey:00…0f -macopt size:16 SIPHASH` gives them, and the reference implementation's table
    /// where it reaches: the key is 00 01 … 0f, the input 00 01 ….
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (2, "8177228da4a45dc7fca38bdef60affe4"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
        (8, "3b62a9ba6258f5610f83e264f31497b4"), (9, "264499060ad9baabc47f8b02bb6d71ed"),
        (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
        (63, "5150d1772f50834a503e069a973fbd7c"), (200, "7c5853f4ed12ff9d836a79bc4047022d"),
    ])
    func givesTheReferenceVectors(_ length: Int, _ expected: String) {
        let input = (0..<length).map(UInt8.init)
        let hash = input.withUnsafeBytes { SipHash(key: (0..<16).map(UInt8.init)).hash($0) }
        let bytes = [hash.high, hash.low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        #expect(Hexadecimal.encoded(bytes) == expected)
    }
}
