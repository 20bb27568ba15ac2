import Foundation
import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

@Suite(.fewAtATime)
struct ProtocolTests {
    @Test func bodiesAreJudgedBeforeTokens() async throws {
        try await RunningSandbox.with { sandbox in
            let malformed = try await sandbox.send("POST", "/api/v2.6/data/a/b", "{", token: nil)
            #expect(malformed.status == 400)
            #expect(malformed.json?["error"]?.stringText == "Bad Request")
            #expect(malformed.json?["message"]?.stringText?.hasPrefix("Invalid Json: ") == true)
            let withToken = try await sandbox.send("POST", "/api/v2.6/data/a/b", "{", token: sandbox.owner)
            #expect(withToken.status == 400)
            #expect(withToken.token == nil)
            #expect(try await sandbox.send("POST", "/api/v2.6/data/a/b", "", token: nil).status == 400)
            #expect(try await sandbox.send("POST", "/api/v2.6/data/a/b", "{}", token: nil).status == 401)
        }
    }

    @Test(arguments: ["text/plain", nil] as [String?]) func otherTypesAreHTML415(type: String?) async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.send("POST", "/api/v2.6/data/a/b", "{}", token: sandbox.owner, type: type)
            #expect(reply.status == 415)
            #expect(reply.headers["content-type"]?.hasPrefix("text/html") == true)
            let text = try await sandbox.send(
                "POST",
                "/api/v2.6/data/a/b",
                "{}",
                token: sandbox.owner,
                type: "text/json; charset=utf-8"
            )
            #expect(text.status == 201)
        }
    }

    @Test func moreThanTenMebibytesAreHTML413() async throws {
        try await RunningSandbox.with { sandbox in
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: (10 << 20) - 2)
            let most = "\"" + String(decoding: text, as: UTF8.self) + "\""
            #expect(try await sandbox.post("a/b", most).status == 201)
            let reply = try await sandbox.post("a/b", most + " ")
            #expect(reply.status == 413)
            #expect(reply.headers["content-type"]?.hasPrefix("text/html") == true)
        }
    }

    @Test func deepBodiesAreRefusedAndNotFatal() async throws {
        try await RunningSandbox.with { sandbox in
            func nested(_ depth: Int) -> String {
                String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            }
            let deep = try await sandbox.post("a/b", nested(250))
            #expect(deep.status == 201)
            #expect(try await sandbox.post("a/b", nested(100_000)).status == 400)
            #expect(try await sandbox.getData("a/b?orderBy=0").count == 1)
        }
    }

    @Test(arguments: [
        "/api/v2.6/data/UPPER/x", "/api/v2.6/data/a", "/api/v2.7/data/a/b", "/nothing", "/api/v2/data-record/x",
        "/api/v2.6/data/a/b%20c",
    ]) func anUnknownPathIsAPageForGETAndAnErrorOtherwise(path: String) async throws {
        try await RunningSandbox.with { sandbox in
            let page = try await sandbox.get(path, token: sandbox.owner)
            #expect(page.status == 200)
            #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(page.token == nil)
            let error = try await sandbox.send("POST", path + "?a=1", "{}", token: sandbox.owner)
            #expect(error.status == 404)
            #expect(
                error.text
                    == #"{"error":"Handler Not Found","message":"Request handler at POST:\#(path) does not exist"}"#
            )
        }
    }

    @Test(arguments: [
        ("take=x", #"Cannot parse parameter take as Int: For input string: "x""#),
        ("skip=3000000000", #"Cannot parse parameter skip as Int: For input string: "3000000000""#),
    ]) func wrongParametersAreNamed(query: String, message: String) async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/api/v2.6/data/a/b?\(query)")
            #expect(reply.status == 400)
            #expect(reply.json?["message"]?.stringText == message)
        }
    }

    @Test func aNegativeBoundFailsInTheDatabase() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/api/v2.6/data/a/b?take=-1", token: sandbox.owner)
            #expect(reply.status == 500)
            #expect(reply.token == nil)
        }
    }

    @Test func aForeignHostNameIsUnavailable() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/", headers: [("Host", "evil.example.org")])
            #expect(reply.status == 404)
            #expect(reply.text == #"{"error":"Not Found","message":"HAT unavailable"}"#)
            #expect(try await sandbox.get("/healthz", headers: [("Host", "localhost:1")]).text == #"{"Status":"OK"}"#)
            #expect(try await sandbox.get("/api/v2.6/version").text == #"{"Version":"v2.8.18"}"#)
        }
    }

    @Test func stateIsPrivateAndHoldsNoPassword() async throws {
        let folder = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)/state"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await RunningSandbox.with(in: folder) { sandbox in _ = try await sandbox.post("a/b", "1") }
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.contains("sandbox.db"))
        #expect(files.contains("signing-key.pem"))
        for file in files {
            #expect(try mode("\(folder)/\(file)") == 0o600, "\(file)")
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            #expect(bytes.range(of: Data(RunningSandbox.password.utf8)) == nil)
        }
    }

    @Test func recordsAndTokensOutliveARestart() async throws {
        let folder = try RunningSandbox.folder()
        try await RunningSandbox.with(in: folder) { sandbox in _ = try await sandbox.post("a/b", "[1,2]") }
        try await RunningSandbox.with(in: folder) { sandbox in
            let kept = try await sandbox.getData("a/b")
            #expect(kept.count == 2)
            #expect(try await sandbox.post("c/d", "1").status == 400)
        }
    }

    @Test func otherMachinesAreKeptOut() async throws {
        for host in ["0.0.0.0", "[::]", "192.168.1.1", "example.org", "127.0.0.1.example.org"] {
            let options = try SandboxOptions(
                listen: "\(host):0",
                stateFolder: "/nonexistent",
                owner: "bob",
                password: Secret("p")
            )
            await #expect { _ = try await SandboxPDA(options) } throws: { error in
                (error as? PlugError)?.code == "sandbox-not-loopback" && (error as? PlugError)?.exit == .configuration
            }
        }
    }

    @Test func aTakenPortAndATakenFolderAreNamed() async throws {
        let folder = try RunningSandbox.folder()
        try await RunningSandbox.with(in: folder) { sandbox in
            let same = try SandboxOptions(stateFolder: folder, owner: "bob", password: Secret("p"))
            await #expect { _ = try await SandboxPDA(same) } throws: { ($0 as? PlugError)?.exit == .tryLater }
            let other = try SandboxOptions(
                listen: "127.0.0.1:\(sandbox.address.port)",
                stateFolder: try RunningSandbox.folder(),
                owner: "bob",
                password: Secret("p")
            )
            let pda = try await SandboxPDA(other)
            await #expect { try await pda.run() } throws: { error in
                let error = error as? PlugError
                return error?.exit == .unreachable && error?.message.contains("Address already in use") == true
            }
        }
    }
}
