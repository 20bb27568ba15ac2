import Foundation
import PlugCore
import Testing

@testable import PlugHostCLI

struct ExplanationsTests {
    @Test func everyCodeInTheSourcesIsExplainedAndNoOther() throws {
        let used = try SourceCodes.all()
        let explained = Explanations.all.map(\.explanation.code)
        #expect(used.count > 170)
        #expect(used.subtracting(explained).sorted() == [])
        #expect(Set(explained).subtracting(used).sorted() == [])
    }

    @Test func noCodeIsExplainedTwice() {
        let explained = Explanations.all.map(\.explanation.code)
        #expect(Dictionary(grouping: explained) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }

    /// Findings lead to 78 and are not in this list; where a code has several statuses, none is promised.
    @Test func everyStatusIsTheOneInTheSources() throws {
        let statuses = try SourceCodes.statuses()
        #expect(statuses.count > 110)
        for text in Explanations.all where text.kind != "manifest" {
            let known = statuses[text.explanation.code] ?? []
            let only = known.count == 1 ? known.first : nil
            let shown = text.explanation.exit.map { "\($0)" }
            #expect(shown == only, "\(text.explanation.code): \(known.sorted())")
        }
        for text in Explanations.all where text.kind == "manifest" {
            let known = statuses[text.explanation.code] ?? ["configuration"]
            if let exit = text.explanation.exit { #expect(known == ["\(exit)"], "\(text.explanation.code)") }
        }
    }

    @Test func explanationsAreSentencesThatFitATerminal() {
        for text in Explanations.all {
            let explanation = text.explanation
            #expect(explanation.cause.hasSuffix("."), "\(explanation.code)")
            #expect(explanation.cause.first?.isLowercase == false, "\(explanation.code)")
            #expect(!explanation.fix.isEmpty)
            #expect(text.line.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text.line)")
            let lines = text.text.split(separator: "\n")
            let examples = Set((explanation.example ?? "").split(separator: "\n").map { "  \($0)" })
            #expect(lines.filter { $0.count > 80 && !examples.contains(String($0)) } == [], "\(explanation.code)")
        }
    }

    @Test func aCodeIsFoundAsItStandsInAnError() throws {
        let expected = """
            state-locked

              Another plughost process runs or changes the same connection, or has locked
              the whole state folder; the error names the process. Runs of different
              connections do not wait for each other.

            Exit code: 75

            What to do:
              Wait for it with --wait 60s. A lock ends with its process.

            """
        #expect(try Explanations.find("state-locked").text == expected)
        #expect(try Explanations.find("[state-locked]").text == expected)
        #expect(throws: PlugError.self) { try Explanations.find("nonsense") }
    }

    @Test func aMisspeltCodeNamesTheNearest() {
        let error = #expect(throws: PlugError.self) { try Explanations.find("pda-tokn") }
        #expect(error?.advice == "did you mean 'pda-token'?")
    }
}

/// The codes that stand in the sources, outside the tables that explain them.
private enum SourceCodes {
    /// Every code that a `PlugError`, a warning, a finding or a dead letter is made with.
    static func all() throws -> Set<String> {
        var codes: Set<String> = []
        for text in try texts() {
            let patterns = [
                #"(?:PlugError|RecordFailure|DeadLetter)\(\s*"([a-z_-]+)""#,
                #"PlugError\(\s*[a-z= "]+ \? "([a-z-]+)" :"#,
                #"PlugError\(\s*[a-z= "]+ \? "[a-z-]+" : "([a-z-]+)""#,
                #"Diagnostic\(\s*\.(?:error|warning|note),\s*"([a-z0-9_-]+)""#,
                #"(?:findings\.\w+|report|failure|warn|warnOnce)\(\s*(?:[a-z][A-Za-z.]*,\s*)?"([a-z]+-[a-z0-9-]+)""#,
                #"(?:Code = |code: |code = )"([a-z-]+)""#,
                #""warning: \[([a-z-]+)\]"#,
            ]
            for pattern in patterns { codes.formUnion(try matches(of: pattern, in: text).map { $0[0] }) }
            // `\(name)-failed`, where the name is the program's key in the manifest.
            for ending in try matches(of: #"RecordFailure\(\s*"\\\(name\)-([a-z-]+)""#, in: text) {
                let names = ending[0] == "failed" ? ["key", "version", "drop_if", "map"] : ["key", "version"]
                codes.formUnion(names.map { "\($0)-\(ending[0])" })
            }
        }
        return codes
    }

    /// The statuses that each code of a `PlugError` is thrown with, `?` where a variable says it.
    static func statuses() throws -> [String: Set<String>] {
        var statuses: [String: Set<String>] = [:]
        for text in try texts() {
            let pattern = #"PlugError\(\s*(Self\.tokenCode|"[a-z-]+"),\s*exit:\s*([^,\s]+)"#
            for match in try matches(of: pattern, in: text) {
                let code = match[0] == "Self.tokenCode" ? "pda-token" : String(match[0].dropFirst().dropLast())
                let isKnown = match[1].hasPrefix(".")
                statuses[code, default: []].formUnion(isKnown ? [String(match[1].dropFirst())] : ["?", "??"])
            }
        }
        return statuses
    }

    /// The groups of each match. Swift's own regular expressions take seconds for all sources in a debug build.
    private static func matches(of pattern: String, in text: String) throws -> [[String]] {
        let text = text as NSString
        let expression = try NSRegularExpression(pattern: pattern)
        return expression.matches(in: text as String, range: NSRange(location: 0, length: text.length)).map { match in
            (1..<match.numberOfRanges).map { text.substring(with: match.range(at: $0)) }
        }
    }

    private static func texts() throws -> [String] {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var texts: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let isTable = ["DiagnosticCodes", "FetchCodes", "RunCodes", "TestCodes"].contains {
                file.lastPathComponent.hasPrefix($0)
            }
            if !isTable { texts.append(try String(contentsOf: file, encoding: .utf8)) }
        }
        return texts
    }
}
