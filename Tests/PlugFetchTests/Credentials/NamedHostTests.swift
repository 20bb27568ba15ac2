import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Which hosts credentials go to.
struct NamedHostTests {
    private static func bench(_ base: String, _ streams: String, hosts: String) throws -> Bench {
        var bench = try Bench(
            "config: {inst: {type: host, default: api.test}, key: {type: string, secret: true}}\n"
                + "auth: {bearer: {token: \"{{ config.key }}\"}}\nhttp: {base: \"\(base)\"}\nstreams:\n\(streams)",
            hosts: hosts
        )
        bench.config = ["key": .text("s3cr3t-key")]
        return bench
    }

    private static let things = "  things: {endpoint: t, key: .id, version: none, request: {path: /t}}\n"

    /// The credentials of each request, by its host.
    private static func sent(_ source: Script) -> [String] {
        source.sent.map { request in
            let url = try? HTTPURL(request.url)
            return "\(url?.hostAndPort ?? "") \(request.header("Authorization") ?? request.header("X-Key") ?? "-")"
        }
    }

    @Test("a configured host may have a port")
    func hostWithPort() async throws {
        var bench = try Self.bench("https://{{ config.inst }}", Self.things, hosts: "[\"{{ config.inst }}\"]")
        bench.config["inst"] = .text("api.test:8443")
        let source = Script(.json("[]"))
        #expect(try await bench.read(from: source).error == nil)
        #expect(Self.sent(source) == ["api.test:8443 Bearer s3cr3t-key"])
    }

    @Test("a stream's own host may be configured with a port, too")
    func streamHostWithPort() async throws {
        let streams =
            "  things: {endpoint: d, key: .id, version: none, request: {path: \"https://{{ config.inst }}/a/{{ config.inst }}\"}}\n"
        var bench = try Self.bench("https://api.test", streams, hosts: "[api.test, \"{{ config.inst }}\"]")
        bench.config["inst"] = .text("files.test:8443")
        let source = Script(.json("[]"))
        #expect(try await bench.read(from: source).error == nil)
        #expect(source.urls == ["https://files.test:8443/a/files.test%3A8443"])
        #expect(Self.sent(source) == ["files.test:8443 Bearer s3cr3t-key"])
    }

    @Test("a stream with credentials of its own, or none, opens no host to the plug's")
    func othersHosts() async throws {
        let streams =
            Self.things
            + "  open: {endpoint: o, key: .id, version: none, auth: none, request: {path: \"https://files.test/o\"}}\n"
            + "  own: {endpoint: p, key: .id, version: none, request: {path: \"/p\"}, "
            + "auth: {key: {in: header, name: X-Key, value: \"{{ config.key }}\"}}}\n"
            + "  named: {endpoint: n, key: .id, version: none, request: {path: \"https://other.test/n\"}}\n"
        let bench = try Self.bench("https://api.test", streams, hosts: "[api.test, files.test, other.test]")
        let source = Script { request, _ in
            switch request.path {
            case "/t": .status(302, HTTPHeader("Location", "https://files.test/moved"))
            case "/p": .status(302, HTTPHeader("Location", "https://other.test/q"))
            default: .json("[]")
            }
        }
        for stream in ["things", "open", "own", "named"] { _ = try await bench.read(stream, from: source) }
        #expect(
            Self.sent(source) == [
                "api.test:443 Bearer s3cr3t-key", "files.test:443 -", "files.test:443 -", "api.test:443 s3cr3t-key",
                "other.test:443 -", "other.test:443 Bearer s3cr3t-key",
            ]
        )
    }
}
