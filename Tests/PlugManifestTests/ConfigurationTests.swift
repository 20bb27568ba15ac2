import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// What a person answers to `config`.
struct ConfigurationTests {
    private static func field(_ type: ConfigField.Kind, _ choices: [JSONValue] = []) -> ConfigField {
        ConfigField(name: "f", type: type, choices: choices, default: nil, isSecret: false, title: nil)
    }

    @Test(
        arguments: [
            (.string, "1.10", #""1.10""#), (.string, "", #""""#), (.string, "no", #""no""#),
            (.integer, "-42", "-42"), (.number, "1.10", "1.10"), (.boolean, "true", "true"),
            (.date, "2026-11-21", #""2026-11-21""#), (.host, "api.example.org:8443", #""api.example.org:8443""#),
        ] as [(ConfigField.Kind, String, String)]
    )
    func aTextIsReadAsTheFieldsType(type: ConfigField.Kind, text: String, json: String) {
        #expect(Self.field(type).value(of: text)?.compactText == json)
    }

    @Test(
        arguments: [
            (.integer, "1.5"), (.integer, ""), (.integer, "9223372036854775808"), (.number, "one"), (.boolean, "yes"),
            (.date, "2026-02-30"), (.date, "21.11.2026"), (.host, "https://a.example"), (.host, "*.example.org"),
        ] as [(ConfigField.Kind, String)]
    )
    func whatIsNoneIsRefused(type: ConfigField.Kind, text: String) {
        #expect(Self.field(type).value(of: text) == nil)
    }

    @Test func anEnumTakesItsValuesAlone() {
        let field = Self.field(.string, [.text("day"), .text("week")])
        #expect(field.value(of: "day") == .text("day"))
        #expect(field.value(of: "Day") == nil)
        #expect(field.expectation == "one of day and week")
    }

    @Test(arguments: [
        "user: ada\nlimit: 1.10\ntoken: \"a: b\"\nnone: null\n",
        #"{"user": "ada", "limit": 1.10, "token": "a: b", "none": null}"#,
    ])
    func aFileIsYAMLOrJSON(text: String) throws {
        let file = try ConfigFile(path: "answers", bytes: Array(text.utf8))
        #expect(file.entries.map(\.name) == ["user", "limit", "token"])
        #expect(file.entries.map(\.text) == ["ada", "1.10", "a: b"])
    }

    @Test(
        arguments: [
            ("user: {a: b}", "answers:1:7: the value of 'user' is neither a single value nor a list of them"),
            ("user: [[ada]]", "answers:1:7: the value of 'user' is neither a single value nor a list of them"),
            (#"{"user": [null]}"#, "answers: the value of 'user' is neither a single value nor a list of them"),
            ("[1, 2]", "answers: its top level is not an object"),
            ("- 1", "answers: its top level is not a mapping of names to values"),
        ]
    )
    func aFileOfAnotherFormIsRefusedWithItsPlace(text: String, message: String) {
        let error = #expect(throws: PlugError.self) { try ConfigFile(path: "answers", bytes: Array(text.utf8)) }
        #expect(error?.code == "config-file-malformed")
        #expect(error?.message == message)
    }

    @Test func aBrokenFileDoesNotShowItsSecrets() {
        let error = #expect(throws: PlugError.self) {
            try ConfigFile(path: "answers", bytes: Array("token: \"hunter2\n".utf8))
        }
        #expect(error?.message.contains("hunter2") == false)
        #expect(error?.message.hasPrefix("answers:") == true)
    }
}

/// A config key of type `list`.
struct ListConfigurationTests {
    private static func field(_ choices: [JSONValue] = []) -> ConfigField {
        ConfigField(name: "ids", type: .list, choices: choices, default: nil, isSecret: false, title: nil)
    }

    @Test(
        arguments: [
            (["a"], #"["a"]"#), (["a", "b"], #"["a","b"]"#), ([#"["a", 1.10, true]"#], #"["a","1.10","true"]"#),
            ([#"["a"]"#, "b"], #"["a","b"]"#), (["[]"], "[]"), ([""], #"[""]"#), (["a,b"], #"["a,b"]"#),
        ]
    )
    func aListIsAllThatWasWritten(texts: [String], json: String) {
        #expect(Self.field().value(of: texts)?.compactText == json)
    }

    @Test(arguments: ["[", "[null]", "[[1]]", #"[{"a":1}]"#, "[a]"])
    func whatLooksLikeAListAndIsNoneIsRefused(text: String) {
        #expect(Self.field().value(of: text) == nil)
    }

    @Test func anEnumHoldsForEachElement() {
        let field = Self.field([.text("day"), .text("week")])
        #expect(field.value(of: ["day", "week"])?.compactText == #"["day","week"]"#)
        #expect(field.value(of: ["day", "year"]) == nil)
        #expect(field.expectation == "a list of day or week")
    }

    @Test func itHasAsManyElementsAsItMay() {
        let most = "[" + Array(repeating: "1", count: ConfigField.listLimit).joined(separator: ",") + "]"
        #expect(Self.field().value(of: most)?.elements?.count == ConfigField.listLimit)
        #expect(Self.field().value(of: [most, "1"]) == nil)
        #expect(Self.field().expectation == "a list of texts, at most 100000")
    }

    @Test(arguments: ["ids: [a, 1.10, \"b\"]\n", #"{"ids": ["a", 1.10, "b"]}"#])
    func aFileWritesItAsAList(text: String) throws {
        let entry = try #require(try ConfigFile(path: "answers", bytes: Array(text.utf8)).entries.first)
        #expect(entry.isList)
        #expect(Self.field().value(of: entry.text)?.compactText == #"["a","1.10","b"]"#)
    }

    @Test func theManifestGivesItsDefault() throws {
        let result = Sample.with("config: {ids: {type: list, enum: [a, b], default: [b, a]}}")
        let field = try #require(try Sample.manifest(result).config.first)
        #expect(field.default?.compactText == #"["b","a"]"#)
        let wrong = Sample.with("config: {ids: {type: list, enum: [a, b], default: [b, c]}}")
        #expect(wrong.diagnostics.map(\.code.text) == ["default-not-in-enum"])
        let single = Sample.with("config: {ids: {type: list, default: a}}")
        #expect(
            single.diagnostics.map(\.message) == ["the default must be a list of texts, at most 100000, not a text"]
        )
    }
}
