import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugFetch

/// A bundled plug whose service forgets where the last run stopped.
struct ContactsTokenTests {
    private static let manifest: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/") + "/Plugs/google-contacts"
    }()

    private static func refusal(_ reason: String) -> Script.Reply {
        let details = #"[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)"}]"#
        return .status(400, body: #"{"error":{"code":400,"message":"No.","details":\#(details)}}"#)
    }

    @Test(
        "everything is read again where the sync token has expired, and where it has not, the refusal is told",
        arguments: [("EXPIRED_SYNC_TOKEN", true), ("INVALID_PARAMETER", false)]
    )
    func expiredToken(reason: String, rereads: Bool) async throws {
        var bench = try Bench(
            "http: {base: \"https://api.test\"}\nstreams: {a: {endpoint: a, key: .id, version: none, request: {path: /a}}}\n"
        )
        bench.manifest = try #require(try ManifestReader.load(Self.manifest).manifest)
        bench.options.accessToken = Secret("tok")
        let states = MemoryStates()
        states.commit(["": StreamState(Array(#"{"v":1,"watermark":"old"}"#.utf8))])
        let source = Script { request, _ in
            request.parameter("syncToken") == nil
                ? .json(#"{"connections":[],"nextSyncToken":"new"}"#) : Self.refusal(reason)
        }
        let reading = try await bench.read("changes", from: source, states)
        #expect(source.sent.map { $0.parameter("syncToken") } == (rereads ? ["old", nil] : ["old"]))
        #expect(reading.error?.code == (rereads ? nil : "source-refused"))
        #expect(bench.events.warnings == (rereads ? ["cursor-refused"] : []))
        #expect(states.value()?["watermark"] == .text(rereads ? "new" : "old"))
    }
}
