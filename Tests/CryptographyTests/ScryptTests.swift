import Cryptography
import Testing

struct ScryptTests {
    /// RFC 7914, section 12.
    @Test func theStandardsExamples() throws {
        #expect(
            try Scrypt.derive([], salt: [], rounds: 16, blockSize: 1, parallelism: 1, count: 64)
                == bytes(
                    """
                    77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442\
                    fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                    """
                )
        )
        let password = Array("password".utf8)
        #expect(
            try Scrypt.derive(
                password,
                salt: Array("NaCl".utf8),
                rounds: 1024,
                blockSize: 8,
                parallelism: 16,
                count: 64
            )
                == bytes(
                    """
                    fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
                    2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                    """
                )
        )
    }

    @Test(arguments: [
        (0, 8, 1, 32), (1, 8, 1, 32), (3, 8, 1, 32), (-2, 8, 1, 32), (.max, 8, 1, 32), (16, 0, 1, 32), (16, 8, 0, 32),
        (16, 8, 1, 0),
    ])
    func whatAreNoParametersIsRefused(_ rounds: Int, _ blockSize: Int, _ parallelism: Int, _ count: Int) {
        #expect(throws: Scrypt.Refused.self) {
            try Scrypt.derive(
                [1],
                salt: [2],
                rounds: rounds,
                blockSize: blockSize,
                parallelism: parallelism,
                count: count
            )
        }
    }
}
