import LosslessJSON
import PlugCore
import Testing

@testable import PlugFetch

/// The service's own words stand in the message, bounded and without secrets.
struct SourceMessageTests {
    private static func message(_ status: Int, _ body: String, error: String = "") async throws -> String? {
        var bench = try Bench(
            "config: {key: {type: string, secret: true}}\nauth: {bearer: {token: \"{{ config.key }}\"}}\n"
                + "http: {base: \"https://api.test\"\(error.isEmpty ? "" : ", error: '\(error)'")}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items}}\n"
        )
        bench.config = JSONObject([("key", .text("s3cret-key"))])
        return try await bench.read(from: Script(.status(status, body: body))).error?.message
    }

    @Test(arguments: [
        (#"{"message":"Unknown parameter: limit"}"#, "Unknown parameter: limit"),
        (#"{"error":"invalid_request","error_description":"No such page"}"#, "No such page"),
        (#"{"error":{"code":400,"message":"Bad field"}}"#, "Bad field"),
        (#"{"errors":[{"title":"Bad","detail":"The date is wrong"}]}"#, "The date is wrong"),
        (#"{"errors":["one","two"]}"#, "one"), (#"[{"message":"in a list"}]"#, "in a list"),
        (#"{"status":400,"detail":"two\nlines\tand more"}"#, "two lines and more"),
        (#"{"message":"key s3cret-key is not known"}"#, "key <redacted> is not known"),
        ("{\"message\":\"a\u{1B}[31mred\"}", nil),
        (#"{"message":"a\u001b[31mred"}"#, #"a\u001b[31mred"#),
    ])
    func isFoundAtUsualMembers(_ body: String, _ words: String?) async throws {
        let plain = "GET https://api.test/t was answered with 400"
        #expect(try await Self.message(400, body) == words.map { "\(plain); it says: \($0)" } ?? plain)
    }

    @Test(arguments: ["", "<html>", "{}", "[]", #"{"message":""}"#, #"{"message":7}"#, #""text""#])
    func isLeftOutWhereThereIsNone(_ body: String) async throws {
        #expect(try await Self.message(422, body) == "GET https://api.test/t was answered with 422")
    }

    @Test func isGivenByTheManifestsProgram() async throws {
        let body = #"{"message":"no","problem":{"text":"The cursor is too old"}}"#
        let plain = "GET https://api.test/t was answered with 400; it says:"
        #expect(try await Self.message(400, body, error: ".problem.text") == "\(plain) The cursor is too old")
        // Where the program gives nothing, or does not fit, the usual members are looked at.
        #expect(try await Self.message(400, body, error: ".absent") == "\(plain) no")
        #expect(try await Self.message(400, body, error: ".message.x") == "\(plain) no")
        #expect(try await Self.message(400, body, error: ".problem") == #"\#(plain) {"text":"The cursor is too old"}"#)
    }

    @Test(arguments: [
        (401, "source-unauthorised"), (403, "source-unauthorised"), (429, "rate-limited"), (500, "source-unavailable"),
    ])
    func standsInEveryErrorOfAStatus(_ status: Int, _ code: String) async throws {
        #expect(try await Self.message(status, #"{"message":"Not today"}"#)?.hasSuffix("; it says: Not today") == true)
    }

    @Test func isCutAfterItsSecretsAreBlottedOut() async throws {
        let long = String(repeating: "x", count: 190)
        let message = try await Self.message(400, "{\"message\":\"\(long) s3cret-key and more\"}")
        #expect(message?.hasSuffix("it says: \(long) <redacted…") == true)
    }
}
