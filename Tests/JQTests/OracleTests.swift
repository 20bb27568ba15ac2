import Foundation
import JQ
import LosslessJSON
import Testing

/// The same programs in the real jq and here.
struct OracleTests {
    static let jq: String? = ["/usr/bin/jq", "/usr/local/bin/jq"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs every filter on every input in one process; one line each.
    private static func answers(_ jq: String) throws -> [String] {
        // jq refuses functions of more than 64 KiB of code: the inputs are data.
        let inputs = "[" + OracleCases.inputs.joined(separator: ",") + "] as $inputs | "
        let programs = OracleCases.filters.map { "($inputs[] | (try {v: [\($0)]} catch {e: .}))" }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("oracle-\(UUID().uuidString).jq")
        defer { try? FileManager.default.removeItem(at: file) }
        try (inputs + programs.joined(separator: ",\n")).write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: jq)
        process.arguments = ["-nc", "-f", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: jq != nil, "the program jq is not installed"))
    func everyFilterAnswersAsJQDoes() throws {
        let answers = try Self.answers(try #require(Self.jq))
        #expect(answers.count == OracleCases.filters.count * OracleCases.inputs.count)
        var at = 0
        for filter in OracleCases.filters {
            let program = try JQProgram("try {v: [\(filter)]} catch {e: .}")
            for input in OracleCases.inputs {
                guard at < answers.count else { return }
                let expected = try JSONValue(parsing: answers[at])
                at += 1
                let own = try program.run(try JSONValue(parsing: input))
                if OracleDifferences.reasons[filter] != nil { continue }
                // An error's wording follows 1.7; that there is one counts.
                if expected["e"] != nil, own.first?["e"] != nil { continue }
                #expect(own.map(\.compactText) == [expected.compactText], "\(input) | \(filter)")
            }
        }
    }
}

/// Filters that Debian's jq 1.6 answers differently from the manual of 1.7, and why; other tests assert the manual.
enum OracleDifferences {
    static let reasons: [String: String] = [
        "map_values(empty)": "1.7: |= with empty removes",
        "reverse": "1.7: reverses strings",
        "from_entries": "1.7: numbers and null become keys",
        "with_entries(.value |= tostring)": "1.7: numbers become keys",
        "try error catch .": "1.7: error(null) is caught",
        "[.[]? | try error catch .]": "1.7: error(null) is caught",
        "try path(tostring) catch \"no path\"": "1.6 takes the tostring of a string for a path",
        "[limit(3; repeat(1))]": "1.7: repeat begins with its input",
        "to_entries | from_entries": "1.7: numbers become keys",
        "[1,2] | .[1.7]": "1.7: an index is rounded down",
        "@base32": "Debian's 1.6 does not know it as a program's last term",
        ".[1.7]": "1.7: an index is rounded down",
        "[match(\"\"; \"g\").offset]": "1.7: an empty match stands at the end too",
        "\"aaa\" | [match(\"\"; \"g\").offset]": "1.7: an empty match stands at the end too",
    ]
}
