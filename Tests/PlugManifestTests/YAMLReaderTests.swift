import Glibc
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

struct YAMLReaderTests {
    private func codes(_ text: String) -> [String] { YAMLReader.read(Array(text.utf8)).diagnostics.map(\.code.text) }

    @Test func everyKeyAndValueHasItsPlace() throws {
        let result = YAMLReader.read(Array("\u{FEFF}a: 1\r\nbär: [x, 'y z']\r\n".utf8))
        #expect(result.diagnostics == [])
        let entries = try #require(result.root?.mapping)
        #expect(entries.map(\.key) == ["a", "bär"])
        #expect(entries[1].keyLocation == .init(line: 2, column: 1, length: 3))
        let values = try #require(entries[1].value.sequence)
        #expect(
            values.map(\.location) == [.init(line: 2, column: 7, length: 1), .init(line: 2, column: 10, length: 5)]
        )
    }

    // MARK: - Aliases, which files of other systems may have

    private func foreign(_ text: String) -> YAMLReader.Result {
        YAMLReader.read(Array(text.utf8), as: .foreign("a file", byteLimit: 10_000, nodeLimit: 100, depthLimit: 8))
    }

    @Test func aliasesAndMergeKeysStandForWhatTheyName() throws {
        let result = foreign(
            """
            base: &base {a: 1, b: &list [x, y]}
            other: &other {b: 2, c: 3}
            one: {<<: *base, a: 5}
            two: {<<: [*base, *other], d: *list}
            base: &base {a: 9}
            three: *base
            """
        )
        let entries = try #require(result.root?.mapping)
        let texts = entries.map { "\($0.key): \(Self.text($0.value))" }
        #expect(
            texts == [
                // Of a key that is written twice the last one counts.
                "base: {a: 9}", "other: {b: 2, c: 3}", "one: {a: 5, b: [x, y]}",
                "two: {d: [x, y], a: 1, b: [x, y], c: 3}", "three: {a: 9}",
            ]
        )
        #expect(result.diagnostics.map(\.code.text) == [])
    }

    private static func text(_ node: YAMLNode) -> String {
        if let elements = node.sequence { return "[\(elements.map(text).joined(separator: ", "))]" }
        if let entries = node.mapping {
            return "{\(entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
        }
        return node.scalar?.text ?? ""
    }

    @Test(arguments: [
        ("a: *x", "there is no anchor 'x' before this alias"),
        ("a: &x [*x]", "there is no anchor 'x' before this alias"),
        (
            "a: &a [1, 2, 3, 4]\nb: &b [*a, *a, *a, *a]\nc: [*b, *b, *b, *b]",
            "with what its aliases stand for, a file has more than 100 values"
        ),
        ("a: &a [[[[1]]]]\nb: [[[[*a]]]]", "values are nested more than 8 deep"),
    ])
    func aliasesThatGrowTooMuchAreRefused(_ text: String, _ message: String) {
        #expect(foreign(text).diagnostics.map(\.message) == [message])
    }

    @Test(arguments: [
        ("a: &x 1", "yaml-anchor"), ("a: *x", "yaml-anchor"), ("<<: {a: 1}", "yaml-merge-key"),
        ("a: 1\na: 2", "yaml-duplicate-key"), ("a: 1\n---\nb: 2", "yaml-several-documents"),
        ("a: !ruby/object {}", "yaml-tag"), ("a: !!binary aGk=", "yaml-tag"), ("", "yaml-empty"),
        ("# only this", "yaml-empty"),
        ("[a]: 1", "yaml-key"), ("a: {{ config.x }}", "unquoted-template"),
        ("a: {{ config.x }}/b", "unquoted-template"),
        ("a: {b: \"/t\", c: {{ x }}}", "unquoted-template"), ("a: {b: /t/{{ x }}/c, d: 1}", "unquoted-template"),
        ("a: ['q', v1 {{ x }}]", "unquoted-template"), ("a: {b: '{{ x }}', c: [1}", "yaml-syntax"),
        ("a: [{{ x }}]", "unquoted-template"), ("- {{ now | time(\"epoch\") }}", "unquoted-template"),
        ("a: [1", "yaml-syntax"), ("\ta: 1", "yaml-syntax"), ("a: \"\\q\"", "yaml-syntax"), ("a: \u{1}", "yaml-syntax"),
        ("a: \0", "yaml-nul"),
    ])
    func whatCouldBeReadInTwoWaysIsRefused(text: String, code: String) {
        #expect(codes(text) == [code])
    }

    @Test(
        "programs in double quotes, of which YAML takes a backslash or a quote",
        arguments: [
            (
                #"a: "\(.x)""#, "this is not a known escape",
                #"in "…" write \\ for a backslash; in '…' write it as it is"#
            ),
            (
                #"a: "\xy""#, #"\x, \u and \U need hexadecimal digits"#,
                #"in "…" write \\ for a backslash; in '…' write it as it is"#
            ),
            (
                #"a: {b: "{c: "\(.x)"}"}"#, "text follows a closing quote",
                #"write a text with " in it in '…', and inside '…' write '' for a '"#
            ),
        ]
    )
    func quotedPrograms(text: String, problem: String, help: String) {
        let diagnostics = YAMLReader.read(Array(text.utf8)).diagnostics
        #expect(diagnostics.map(\.message) == ["this is not YAML: \(problem)"])
        #expect(diagnostics.map(\.help) == [help])
    }

    @Test func depthIsBounded() {
        let fine = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(codes(fine) == [])
        #expect(codes("[" + fine + "]") == ["yaml-too-deep"])
        #expect(codes(String(repeating: "[", count: 100_000)) == ["yaml-too-deep"])
    }

    @Test func sizeIsBounded() {
        #expect(codes("a: " + String(repeating: "x", count: (256 << 10) - 3)) == [])
        #expect(codes("a: " + String(repeating: "x", count: (256 << 10) - 2)) == ["yaml-too-large"])
    }

    @Test func otherEncodingsAreRefusedWhereTheyBegin() {
        let result = YAMLReader.read(Array("a: 1\nb: ü".utf8) + [0xFF])
        #expect(result.diagnostics.map(\.code.text) == ["yaml-not-utf8"])
        #expect(result.diagnostics[0].location == .init(line: 2, column: 5))
        #expect(YAMLReader.read([0xFF, 0xFE, 0x61, 0x00]).diagnostics.map(\.code.text) == ["yaml-not-utf8"])
    }

    @Test func controlCharactersAreRefusedAtTheirPlace() {
        let result = YAMLReader.read(Array("a: 1\nbü: \u{1B}[31m".utf8))
        #expect(result.diagnostics.map(\.code.text) == ["yaml-syntax"])
        #expect(result.diagnostics[0].location == .init(line: 2, column: 5))
    }

    @Test func duplicatesNameTheFirst() {
        let result = YAMLReader.read(Array("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n".utf8))
        #expect(result.diagnostics.map { $0.location?.line } == [4, 5])
        #expect(result.diagnostics[0].help == "first written on line 3, column 3; remove one of them")
    }

    /// In a process of its own, so that no other test counts.
    @Test func aBillionLaughsAreRefusedAtTheFirst() async {
        await #expect(processExitsWith: .success) {
            var text = "a0: &a0 [lol]\n"
            for level in 1...200 {
                let references = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
                text += "a\(level): &a\(level) [\(references)]\n"
            }
            let bytes = Array(text.utf8)
            _ = ManifestReader.read(path: "plug.yaml", text: [])
            let before = Self.peakKilobytes()
            var codes: [String] = []
            let taken = processorTime {
                codes = ManifestReader.read(path: "plug.yaml", text: bytes).diagnostics.map(\.code.text)
            }
            #expect(codes == ["yaml-anchor"])
            #expect(taken < .milliseconds(50))
            #expect(Self.peakKilobytes() - before < 4096)
        }
    }

    private static func peakKilobytes() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }

    @Test(arguments: [
        ("no", "\"no\""), ("yes", "\"yes\""), ("true", "true"), ("~", "null"), ("0x1F", "31"), ("+1", "1"),
        (".5", "0.5"),
        ("1.10", "1.10"), ("9007199254740993", "9007199254740993"), ("'5'", "\"5\""), ("1_000", "\"1_000\""),
        ("1:30", "\"1:30\""), ("-", "[null]"), ("007", "7"), ("1e3", "1e3"), ("-.5e2", "-0.5e2"), ("5.", "5"),
        (".", "\".\""),
        ("+", "\"+\""), ("-x", "\"-x\""), (".inf", "\".inf\""), ("1.2.3", "\"1.2.3\""),
        ("2026-11-21", "\"2026-11-21\""),
    ])
    func scalarsAreReadByTheCoreSchemaAndKeepTheirDigits(text: String, json: String) {
        #expect(YAMLReader.read(Array(text.utf8)).root?.jsonValue.compactText == json)
    }
}
