import Foundation
import JQ
import LosslessJSON
import Testing

/// What jq 1.8.2 answered to the same programs, which was written down once: no jq has to be installed.
///
/// A line of the file is a filter of `OracleCases` and its answer to each of the inputs: the outputs of `[FILTER]`, or
/// `"error"`.
struct OracleTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Answers/jq-1.8.2.jsonl")

    @Test func everyFilterAnswersAsJQDoes() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 253)
        for line in lines {
            let known = try JSONValue(parsing: String(line))
            let filter = try #require(known["filter"]?.stringText)
            if OracleDifferences.reasons[filter] != nil { continue }
            let answers = try #require(known["answers"]?.elements)
            #expect(answers.count == OracleCases.inputs.count)
            let program = try JQProgram("[\(filter)]")
            for (input, expected) in zip(OracleCases.inputs, answers) {
                let own = try? program.run(try JSONValue(parsing: input)).first
                // Numbers are compared by value: jq writes 1e100 in its own way.
                #expect((own ?? .text("error")) == expected, "\(input) | \(filter)")
            }
        }
    }

    @Test func theAnswersAreToTheCasesThatThereAre() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let known = try text.split(separator: "\n").map { try JSONValue(parsing: String($0))["filter"]?.stringText }
        #expect(Set(OracleCases.filters).subtracting(known.compactMap(\.self)) == ["leaf_paths"])
        #expect(Set(OracleDifferences.reasons.keys).subtracting(OracleCases.filters) == [])
    }
}

/// Filters that this engine answers otherwise on purpose, and why.
enum OracleDifferences {
    static let reasons: [String: String] = [
        "reverse": "texts are reversed, too",
        "with_entries(.value |= tostring)": "numbers and null become keys",
        "to_entries | from_entries": "numbers and null become keys",
        "@base32": "jq 1.8.2 does not know it as a program's last term",
        "try path(tostring) catch \"no path\"": "the tostring of a text is no path, whatever it gives",
    ]
}
