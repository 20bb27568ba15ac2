import Foundation
import JQ
import LosslessJSON
import Testing

/// jq's own tests: the `tests/*.test` of jq 1.8.2's sources (https://github.com/jqlang/jq), from
/// `PLUGHOST_TEST_DATA/jq-1.8.2` (default `../shared/data/jq-1.8.2`).
struct SuiteTests {
    /// A program with an input and the outputs that follow, or one that must not compile.
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let line: Int
        let program: String
        /// `nil` where the program must not compile.
        let input: String?
        let outputs: [String]
        var testDescription: String { "\(file):\(line): \(program)" }
    }

    private static let folder = URL(
        filePath: (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? "../shared/data") + "/jq-1.8.2"
    )
    static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "jq.test").path)

    static let cases: [Case] = ["jq", "man", "onig", "manonig", "base64", "uri", "optional"].flatMap { read($0) }

    /// Groups of lines, with blank ones and comments between them.
    private static func read(_ name: String) -> [Case] {
        let text = (try? String(contentsOf: folder.appending(path: "\(name).test"), encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func isBlank(_ line: String) -> Bool {
            let rest = line.drop { $0 == " " || $0 == "\t" }
            return rest.isEmpty || rest.hasPrefix("#")
        }
        var cases: [Case] = []
        var at = 0
        var mustFail = false
        while at < lines.count {
            let start = at
            at += 1
            if isBlank(lines[start]) { continue }
            if lines[start].hasPrefix("%%FAIL") {
                mustFail = true
                continue
            }
            var rest: [String] = []
            while at < lines.count, !isBlank(lines[at]) {
                rest.append(lines[at])
                at += 1
            }
            cases.append(
                Case(
                    file: name,
                    line: start + 1,
                    program: lines[start],
                    input: mustFail ? nil : rest.first,
                    outputs: mustFail ? [] : Array(rest.dropFirst())
                )
            )
            mustFail = false
        }
        return cases
    }

    @Test(.enabled(if: isPresent, "the tests of jq 1.8.2 are not here")) func jqsOwnTestsPass() {
        #expect(Self.cases.count == 879)
        for one in Self.cases {
            if let reason = SuiteDifferences.reasons[one.program] {
                // What answers as jq does is no difference any more.
                #expect(fault(one) != nil, "\(one.file).test:\(one.line) passes: \(reason)")
            } else {
                #expect(fault(one) == nil, "\(one.file).test:\(one.line): \(one.program)")
            }
        }
        #expect(Set(SuiteDifferences.reasons.keys).subtracting(Self.cases.map(\.program)) == [])
    }

    /// What differs from what jq gives, `nil` where nothing does.
    private func fault(_ one: Case) -> String? {
        let program: JQProgram
        do { program = try JQProgram(one.program) } catch {
            return one.input == nil ? nil : "does not compile: \(error)"
        }
        guard let text = one.input else { return "compiles" }
        guard let input = try? JSONValue(parsing: text) else { return "the input is no JSON" }
        var outputs: [JSONValue] = []
        var end = ""
        do { try program.forEach(input) { outputs.append($0) } } catch { end = "\(error)" }
        // An error ends a case whose outputs are all there, as in jq's own runner.
        if outputs.map(Optional.some) == one.outputs.map({ try? JSONValue(parsing: $0) }) { return nil }
        return "gives \(outputs.map(\.compactText).joined(separator: ", ")) \(end)"
    }
}

/// Programs of the suite that this engine answers otherwise on purpose, and why.
enum SuiteDifferences {
    private static let modules = "there are no modules"
    private static let onlyInput = "a program sees nothing but its input"
    private static let zones = "there is no local time"
    private static let notJSON = "the input is no JSON: NaN and infinities are none"
    private static let exact = "integers that fit in 64 bits are exact"

    static let reasons: [String: String] = [
        #"import "a" as foo; import "b" as bar; def fooa: foo::a; [fooa, bar::a, bar::b, foo::a]"#: modules,
        #"import "c" as foo; [foo::a, foo::c]"#: modules, #"include "c"; [a, c]"#: modules,
        #"import "data" as $e; import "data" as $d; [$d[].this,$e[].that,$d::d[].this,$e::e[].that]|join(";")"#:
            modules,
        #"import "data" as $a; import "data" as $b; def f: {$a, $b}; f"#: modules, #"include "shadow1"; e"#: modules,
        #"include "shadow1"; include "shadow2"; e"#: modules,
        #"import "shadow1" as f; import "shadow2" as f; import "shadow1" as e; [e::e, f::e]"#: modules,
        "modulemeta": modules, "modulemeta | .deps | length": modules, "modulemeta | .defs | length": modules,
        #"import "test_bind_order" as check; check::check"#: modules,
        "try input catch .": onlyInput, "debug": onlyInput, "$ENV.PAGER": onlyInput, "env.PAGER": onlyInput,
        #"try strflocaltime("%Y-%m-%dT%H:%M:%SZ") catch ."#: zones,
        #"try ["OK", strflocaltime({})] catch ["KO", .]"#: zones, #"strflocaltime("" | ., @uri)"#: zones,
        ".[] = 1": notJSON, "tojson | fromjson": notJSON, "map(try implode catch .)": notJSON,
        ". - 10": exact, ".[0] - 10": exact, ".x - 10": exact,
        ".[] as $n | $n+0 | [., tostring, . == $n]": exact,
        "map([., . == 1]) | tojson == if have_decnum then \"[[1,true],[1.000,true],[1.0,true],[1.00,true]]\" else "
            + "\"[[1,true],[1,true],[1,true],[1,true]]\" end": "numbers keep the text they were written with: 100e-2",
        #"[match(".+?\\b")]"#: "PCRE2 sees a word's end before a combining mark",
    ]
}
