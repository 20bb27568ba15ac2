import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

struct ExplanationsTests {
    /// That a code exists and ends as it is explained, the compiler says; not that it is in a list, nor that it is used.
    @Test func everyDeclaredCodeIsListedAndUsed() throws {
        let declared = try SourceCodes.declared()
        #expect(declared.count > 250)
        #expect(Set(declared.values).symmetricDifference(Explanations.all.map(\.code.text)).sorted() == [])
        let used = try SourceCodes.used()
        #expect(Set(declared.keys).subtracting(used).sorted() == [])
    }

    @Test func noCodeIsExplainedTwice() {
        let explained = Explanations.all.map(\.code.text)
        #expect(Dictionary(grouping: explained) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }

    @Test func explanationsAreSentencesThatFitATerminal() {
        for text in Explanations.all {
            let code = text.code
            #expect(code.cause.hasSuffix("."), "\(code.text)")
            #expect(code.cause.first?.isLowercase == false, "\(code.text)")
            #expect(!code.fix.isEmpty)
            #expect(text.line.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text.line)")
            let lines = text.text.split(separator: "\n")
            let examples = Set((code.example ?? "").split(separator: "\n").map { "  \($0)" })
            #expect(lines.filter { $0.count > 80 && !examples.contains(String($0)) } == [], "\(code.text)")
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

/// The codes that stand in the sources.
private enum SourceCodes {
    /// The texts of the static members that are codes, by their names.
    static func declared() throws -> [String: String] {
        var codes: [String: String] = [:]
        for text in try texts(ofCodes: true) {
            for match in try matches(of: #"static let (\w+) = Self\(\s*"([a-z0-9_-]+)""#, in: text) {
                codes[match[0]] = match[1]
            }
        }
        return codes
    }

    /// Every member that is named anywhere but in the lists, codes and others.
    static func used() throws -> Set<String> {
        Set(try texts(ofCodes: false).flatMap { try matches(of: #"\.(\w+)"#, in: $0).map { $0[0] } })
    }

    /// The groups of each match. Swift's own regular expressions take seconds for all sources in a debug build.
    private static func matches(of pattern: String, in text: String) throws -> [[String]] {
        let text = text as NSString
        let expression = try NSRegularExpression(pattern: pattern)
        return expression.matches(in: text as String, range: NSRange(location: 0, length: text.length)).map { match in
            (1..<match.numberOfRanges).map { text.substring(with: match.range(at: $0)) }
        }
    }

    private static func texts(ofCodes isOfCodes: Bool) throws -> [String] {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var texts: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            guard file.lastPathComponent.hasSuffix("Codes.swift") == isOfCodes else { continue }
            texts.append(try String(contentsOf: file, encoding: .utf8))
        }
        return texts
    }
}
