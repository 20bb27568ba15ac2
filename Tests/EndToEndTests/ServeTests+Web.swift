import CurlTransport
import Foundation
import Glibc
import LosslessJSON
import TestKit
import Testing

/// The web side of `serve`, beside commands that use the same state.
extension ServeTests {
    /// A request, its status and its body.
    func send(
        _ transport: HTTPTransport,
        _ method: String,
        _ url: String,
        _ headers: [(String, String)] = [],
        body: String? = nil,
        side: NetworkSide = .pda
    ) async throws -> (status: Int, text: String, headers: HTTPHeaders) {
        var request = HTTPRequest(
            method: method,
            url: url,
            headers: headers.map { HTTPHeader($0.0, $0.1) },
            side: side
        )
        if let body { request.body = Array(body.utf8) }
        let response = try await transport.send(request)
        return (response.status, response.body.withBytes { String(decoding: $0, as: UTF8.self) }, response.headers)
    }

    func program(_ arguments: [String], _ world: PlainWorld) async throws -> String {
        try await program(arguments, in: world.folder)
    }

    func program(_ arguments: [String], in folder: String) async throws -> String {
        let ended = try await BuiltProgram.run(arguments + ["--state", folder + "/state"], in: folder)
        #expect(ended.status == 0, "\(ended)")
        return ended.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func withTransport(_ body: (HTTPTransport) async throws -> Void) async throws {
        var policy = NetworkPolicy()
        policy.allowedPDANetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        try await body(transport)
        await transport.shutDown()
    }

    @Test func aProgramMakesAndErasesConnectionsWhileTheHostRuns() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            _ = try await serving(world) { _, url in
                try await withTransport { transport in
                    let scopes = ["connections:read", "connections:write", "connections:erase"]
                    let options = scopes.flatMap { ["--scope", $0] }
                    let key = try await program(["apikey", "add", "backup"] + options, world)
                    let api = "\(url)/api/v1/connections"
                    let bearer = [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")]
                    let token = try String(contentsOfFile: world.folder + "/token", encoding: .utf8)
                    let new = """
                        {"connection": "ada", "plug": "plain", "pda": "http://\(world.pda.authority)", "token": "\(token)",
                         "config": {"user": "ada"}, "every": "1d"}
                        """
                    #expect(try await send(transport, "POST", api, body: new).status == 401)
                    #expect(try await send(transport, "POST", api, bearer, body: new).status == 201)
                    // The host runs it by itself.
                    await source.asked.wait { $0 == ["ada"] }
                    while try await connection("show", "ada", of: world)?["last_success"]?.isNull == true {}
                    let shown = try await send(transport, "GET", "\(api)/ada", bearer)
                    #expect(shown.status == 200 && shown.text.contains(#""status":"active""#))
                    // Erased by a command beside the host.
                    _ = try await program(["connection", "remove", "ada", "--erase", "--yes"], world)
                    #expect(try await send(transport, "GET", "\(api)/ada", bearer).status == 404)
                    #expect(try await send(transport, "POST", api, bearer, body: new).status == 201)
                    await source.asked.wait { $0 == ["ada", "ada"] }
                    // Its run may be under way: then it is tried again, as the answer says.
                    var erased = try await send(transport, "DELETE", "\(api)/ada", bearer)
                    while erased.status == 409 { erased = try await send(transport, "DELETE", "\(api)/ada", bearer) }
                    #expect(erased.status == 200 && erased.text.contains(#""connection":"ada""#))
                    _ = try await program(["apikey", "remove", "backup"], world)
                    #expect(try await send(transport, "GET", api, bearer).status == 401)
                }
            }
        }
    }

    @Test func anOperatorIsLetInByTheLinkOfACommand() async throws {
        try await PlainWorld.with(source: Source().answer) { world in
            let ended = try await serving(world) { _, url in
                try await withTransport { transport in
                    let link = try await program(["operator", "link", "ann", "--public-url", url], world)
                    #expect(link.hasPrefix("\(url)/operator/login?token="))
                    let page = try await send(transport, "GET", link)
                    let cookie = try #require(page.headers.first("Set-Cookie")?.prefix { $0 != ";" })
                    let form = try #require(page.text.firstRange(of: "name=\"form\" value=\""))
                    let token = page.text[form.upperBound...].prefix { $0 != "\"" }
                    let headers = [
                        ("Cookie", String(cookie)), ("Content-Type", "application/x-www-form-urlencoded"),
                    ]
                    let fields = "form=\(token)&token=\(link.split(separator: "=").last ?? "")"
                    let entered = try await send(transport, "POST", "\(url)/operator/login", headers, body: fields)
                    let session = try #require(entered.headers.first("Set-Cookie")?.prefix { $0 != ";" })
                    #expect(entered.status == 303 && session != cookie)
                    let home = try await send(transport, "GET", "\(url)/operator", [("Cookie", String(session))])
                    #expect(home.status == 200 && home.text.contains("operator ann"))
                    #expect(try await send(transport, "GET", "\(url)/operator").status == 401)
                    #expect(try await send(transport, "GET", link).status == 410)
                }
            }
            // A journal keeps what is no terminal's.
            #expect(ended.errors.contains("operators log in with a link that 'plughost operator link' prints"))
            #expect(!ended.errors.contains("token="), "\(ended)")
        }
    }

    @Test func moreThanAHostReadsIsRefusedAndTheNextRequestAnswered() async throws {
        try await PlainWorld.with(source: Source().answer) { world in
            _ = try await serving(world) { _, url in
                try await withTransport { transport in
                    let large = String(repeating: "x", count: 70_000)
                    #expect(try await send(transport, "POST", "\(url)/stats/report", body: large).status == 413)
                    let small = try await send(transport, "POST", "\(url)/stats/report", body: "{}")
                    #expect(small.status == 200 && small.text == #"{"message":"Report received"}"#)
                    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
                    let long = String(repeating: "x", count: 20_000)
                    let heads = ["Host: 127.0.0.1", "Host: 127.0.0.1\r\nX-Long: \(long)", "Host: evil.example.org"]
                    var statuses: [String] = []
                    for head in heads {
                        statuses.append(
                            try await blocking { try Self.status(port: port, "GET /healthz HTTP/1.1\r\n\(head)") }
                        )
                    }
                    #expect(statuses == ["HTTP/1.1 200", "HTTP/1.1 400", "HTTP/1.1 421"])
                    #expect(try await send(transport, "GET", "\(url)/healthz").text == "alive\n")
                }
            }
        }
    }

    /// The first words of the answer to a head that no client of ours would send.
    private static func status(port: UInt16, _ head: String) throws -> String {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw BuiltProgram.Missing() }
        let file = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { connect(socket, $0.baseAddress, size) }
        }
        guard result == 0 else { throw BuiltProgram.Missing() }
        try file.write(contentsOf: Data("\(head)\r\nConnection: close\r\n\r\n".utf8))
        return String(decoding: try file.read(upToCount: 12) ?? Data(), as: UTF8.self)
    }
}
