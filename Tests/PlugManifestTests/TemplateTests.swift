import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

struct TemplateTests {
    private static let roots = TemplateRoots(
        config: .object(JSONObject([("user", .text("ada")), ("count", .number(JSONNumber(9_007_199_254_740_993)))])),
        vars: .object(JSONObject([("list", .array([.integer(1), .integer(2)]))])),
        parent: .object(JSONObject([("id", .text("a/b"))])),
        page: .object(JSONObject([("number", .integer(3))])),
        since: .text("2026-11-21T05:00:00Z"),
        now: .text("2026-11-21T06:00:00.5Z")
    )

    private func template(_ yaml: String) throws -> Template {
        let tree = YAMLReader.read(Array("a: \(yaml)".utf8))
        let findings = Findings(tree.diagnostics)
        let builder = ManifestBuilder(findings, tree.source, path: "plug.yaml")
        builder.configNames = ["user", "count", "absent"]
        builder.varNames = ["list"]
        let scope = ProgramScope.template("a test", Set(TemplateRoots.names), own: ["board"])
        let template = builder.template(tree.root?["a"], scope)
        return try #require(template, "\(findings.diagnostics)")
    }

    @Test("a member of a body whose template gives nothing is left out, and null is sent")
    func membersThatAreNothing() throws {
        let body = JSONTemplate.object([
            ("a", .template(try template("'{{ config.absent // empty }}'"))),
            ("b", .template(try template("'{{ config.absent // null }}'"))),
            ("c", .template(try template("'{{ config.user | if . == \"ada\" then empty else . end }}'"))),
            ("d", .template(try template("'{{ config.count | if . == 0 then empty else . end }}'"))),
            ("e", .template(try template("'x{{ config.absent // empty }}'"))),
            ("f", .object([("g", .template(try template("'{{ config.absent // empty }}'")))])),
        ])
        #expect(try body.render(Self.roots).compactText == #"{"b":null,"d":9007199254740993,"e":"x","f":{}}"#)
    }

    @Test(arguments: [
        ("plain text", "\"plain text\""), ("50", "50"), ("1.10", "1.10"), ("true", "true"), ("'50'", "\"50\""),
        ("no", "\"no\""),
        // What JSON would write otherwise is a text, as it is written.
        ("01234", "\"01234\""), ("+49301", "\"+49301\""), (".5", "\".5\""), ("0x1F", "\"0x1F\""), ("-0", "-0"),
        ("True", "\"True\""),
        ("'{{ config.user }}'", "\"ada\""), ("'{{ config.count }}'", "9007199254740993"),
        ("'{{config.count}}!'", "\"9007199254740993!\""),
        ("'{{ vars.list }}'", "[1,2]"), ("'x{{ vars.list }}'", "\"x[1,2]\""),
        ("'{{ {a: {b: 1}} }}'", #"{"a":{"b":1}}"#),
        ("'{{ \"}}\" }}'", "\"}}\""), (#"'{{ "\(config.user)}}" }}'"#, "\"ada}}\""),
        ("'{{ config.absent // \"x\" }}'", "\"x\""),
        ("'{{ config.absent // null }}'", "null"), ("'a{{ config.absent // null }}b'", "\"ab\""),
        ("'{{ config.user }}{{ page.number }}'", "\"ada3\""), ("'{{ board.id }}'", "\"a/b\""),
        ("'{{ parent.id }}'", "\"a/b\""),
        ("'{{ since | time(\"epoch\") }}'", "1795237200"), ("'{{ since | time(\"epoch_ms\") }}'", "1795237200000"),
        ("'{{ now | minus(\"7d\") }}'", "\"2026-11-14T06:00:00.5Z\""),
        ("'{{ now | plus(\"1h\") | time(\"date\") }}'", "\"2026-11-21\""),
        ("'{{ \"2026-11-21\" | minus(\"1d\") }}'", "\"2026-11-20\""), ("'{{ 100 | plus(\"1m\") }}'", "160"),
        ("'{{ 1.5 | minus(\"1s\") }}'", "0.5"), ("'{{ \"user:pass\" | base64 }}'", "\"dXNlcjpwYXNz\""),
        ("'{{ \"dXNlcjpwYXM\" | base64d }}'", "\"user:pas\""),
        ("'{{ \"abc\" | md5 }}'", "\"900150983cd24fb0d6963f7d28e17f72\""),
        // RFC 4231, test case 2.
        (
            "'{{ \"what do ya want for nothing?\" | hmac(\"sha256\"; \"Jefe\") }}'",
            "\"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\""
        ),
        ("'{{ \"abc\" | sha256 }}'", "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\""),
        ("|\n  {{ config.count }}\n", "9007199254740993"), ("'{{ null }}'", "null"),
        ("'{{ if config.user == null then 1 else null end }}'", "null"),
    ])
    func templatesKeepTypesWhereTheyAreWhole(yaml: String, json: String) throws {
        #expect(try template(yaml).render(Self.roots).compactText == json)
    }

    @Test func aCancelledTaskEndsATemplateAsInterrupted() async throws {
        let template = try template("'{{ [range(1e9)] }}'")
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return #expect(throws: PlugError.self) { _ = try template.render(Self.roots) }
        }.value
        #expect(error?.code == "interrupted")
    }

    @Test(
        arguments: [
            ("'{{ config.absent }}'", "template-undefined", .configuration),
            ("'{{ null | config.absent }}'", "template-undefined", .configuration),
            ("'{{ config.count | select(. == 0) }}'", "template-undefined", .configuration),
            ("'a {{ parent.none }}'", "template-undefined", .data), ("'{{ 1, 2 }}'", "template-many", .configuration),
            ("'{{ config.user | time(\"date\") }}'", "template-failed", .configuration),
            ("'{{ parent.id + 1 }}'", "template-failed", .data),
            ("'{{ -100000000000000 | plus(\"0\") }}'", "template-failed", .configuration),
            ("'{{ 100000000000000 | minus(\"0\") }}'", "template-failed", .configuration),
            ("'{{ -100000000000000 | time(\"epoch_ms\") }}'", "template-failed", .configuration),
        ] as [(String, String, PlugCore.ExitStatus)]
    )
    func mistakesAtRunTimeNameTheTemplateAndHideTheValue(yaml: String, code: String, exit: PlugCore.ExitStatus) throws {
        let template = try template(yaml)
        let error = #expect(throws: PlugError.self) { try template.render(Self.roots) }
        #expect(error?.code.text == code && error?.exit == exit)
        #expect(error?.message.contains("line 1, column ") == true)
        #expect(error?.message.contains("ada") == false)
    }

    @Test func onlyProgramsAreEncoded() throws {
        let text = try template("'/x/{{ board.id }}/y'").renderText(Self.roots) { text, _ in "<\(text)>" }
        #expect(text == "/x/<a/b>/y")
    }

    @Test func bodiesKeepTheirTree() throws {
        let manifest = try Sample.manifest(Sample.read(everyKey))
        let body = try #require(manifest.stream("cards")?.request?.json)
        #expect(
            try body.render(Self.roots).compactText
                == #"{"who":"ada","n":1.10,"list":["a",9007199254740993],"none":null,"text":"is 9007199254740993"}"#
        )
    }

    @Test func base64TakesAllLengthsAndBothAlphabets() {
        for length in 0..<20 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 250) }
            let text = Base64.encoded(bytes)
            #expect(text.count % 4 == 0 && Base64.decoded(text) == bytes)
            let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(Base64.decoded(url) == bytes)
        }
        #expect(Base64.decoded("a") == nil && Base64.decoded("a b=") == nil && Base64.decoded("YQ==YQ==") == nil)
    }
}
