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
            ("user: [ada]", "answers:1:7: the value of 'user' is not a single value"),
            (#"{"user": ["ada"]}"#, "answers: the value of 'user' is not a single value"),
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
