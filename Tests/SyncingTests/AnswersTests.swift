import LosslessJSON
import PlugCore
import PlugManifest
import PlugStorage
import Testing

@testable import Syncing

/// What a connection has answered, and a plug that asks for more since.
struct AnswersTests {
    private let ada = ConnectionID("ada")

    private func manifest(_ config: String, auth: String = "none") throws -> Manifest {
        let text = """
            plug: p
            api: 1
            version: 1.0.0
            hosts: [a.example]
            config: {\(config)}
            auth: \(auth)
            http: {base: "https://a.example"}
            streams:
              all: {endpoint: all, request: {path: "/f", query: {q: "{{ config }}"}}, records: .items, key: [.id], version: none}

            """
        return try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
    }

    private func answers(_ config: JSONObject, _ fields: String, auth: String = "none") throws -> String {
        let plan = ConnectionPlan(config: config)
        let manifest = try manifest(fields, auth: auth)
        do throws(PlugError) {
            return JSONValue.object(try plan.answers(for: manifest, of: ada)).compactText
        } catch { return "[\(error.code)] \(error.message); \(error.advice ?? "")" }
    }

    @Test func defaultsFillIn() throws {
        let given = JSONObject([("user", .text("x"))])
        #expect(try answers(given, "user: {type: string}, n: {type: integer, default: 5}") == #"{"user":"x","n":5}"#)
    }

    @Test func whatIsOptionalMayBeLeftOpen() throws {
        #expect(try answers(JSONObject(), "path: {type: string, optional: true}") == "{}")
    }

    @Test func theSecretOfAnotherWayMayBeLeftOpen() throws {
        let fields = "way: {type: string, default: open}, key: {type: string, secret: true}"
        let auth = #"{any_of: {by: "{{ config.way }}", of: {open: none, key: {bearer: {token: "{{ config.key }}"}}}}}"#
        #expect(try answers(JSONObject(), fields, auth: auth) == #"{"way":"open"}"#)
    }

    @Test func whatIsMissingIsToldWithWhatToDo() throws {
        #expect(
            try answers(JSONObject(), "user: {type: string}, key: {type: string, secret: true}")
                == "[config-missing] the plug 'p' asks for 'user', 'key', and connection 'ada' has no answer; "
                + "'plughost connection add ada PATH --config user=… --config key=@FILE …' answers it; cursors stay"
        )
    }

    @Test func anAnswerThatFitsNoMoreIsTold() throws {
        let given = JSONObject([("n", .text("five"))])
        #expect(
            try answers(given, "n: {type: integer}")
                == "[config-unfit] the answer 'n' of connection 'ada' no longer fits the plug 'p': it must be a whole "
                + "number; 'plughost connection add ada PATH --config n=… …' answers it; cursors stay"
        )
    }
}
