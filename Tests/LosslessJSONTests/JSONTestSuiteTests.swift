import Foundation
import LosslessJSON
import Testing

/// nst/JSONTestSuite, from `PLUGHOST_TEST_DATA` (default `../shared/data`).
struct JSONTestSuiteTests {
    static let folder =
        (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? "../shared/data")
        + "/json-test-suite/test_parsing"
    static let isPresent = FileManager.default.fileExists(atPath: folder)

    static func cases(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0.hasPrefix(prefix) }
            .map { ($0, Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)")))) }
    }

    @Test(.enabled(if: isPresent, "JSONTestSuite is not here")) func acceptsEveryYes() throws {
        let cases = try Self.cases("y_")
        #expect(cases.count == 95)
        for (name, bytes) in cases {
            #expect(throws: Never.self, "\(name)") { _ = try JSONValue(parsing: bytes) }
        }
    }

    @Test(.enabled(if: isPresent, "JSONTestSuite is not here")) func refusesEveryNo() throws {
        let cases = try Self.cases("n_")
        #expect(cases.count == 188)
        for (name, bytes) in cases {
            #expect(throws: JSONError.self, "\(name)") { _ = try JSONValue(parsing: bytes) }
        }
    }

    @Test(.enabled(if: isPresent, "JSONTestSuite is not here")) func survivesEveryMaybe() throws {
        for (_, bytes) in try Self.cases("i_") { _ = try? JSONValue(parsing: bytes) }
    }
}
