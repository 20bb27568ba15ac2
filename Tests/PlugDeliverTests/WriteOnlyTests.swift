import CurlTransport
import Foundation
import LosslessJSON
import PDAWire
import PlugCore
import PlugDeliver
import TestKit
import Testing

struct WriteOnlyTests {
    @Test func deliveringCannotImportTheFullClient() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let pattern = /\.target\(\s*name: "([A-Za-z]+)",\s*dependencies: \[([^\]]*)\]/
        var dependencies: [String: Set<String>] = [:]
        for target in package.matches(of: pattern) {
            dependencies[String(target.1)] = Set(target.2.matches(of: /"([A-Za-z]+)"/).map { String($0.1) })
        }
        #expect(dependencies["PlugDeliver"] == ["CurlTransport", "LosslessJSON", "PDAWire", "PlugCore", "Throttling"])
        var reached: Set<String> = []
        var open = ["PlugDeliver"]
        while let name = open.popLast() {
            if reached.insert(name).inserted { open += dependencies[name] ?? [] }
        }
        #expect(reached.count >= 5)
        #expect(!reached.contains("PDAClient"))
    }

    /// Nothing in the target could ask for anything else: it builds one request, a POST, and names no other route.
    @Test func theOnlyRequestThatItBuildsIsAPostOfData() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Sources/PlugDeliver")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        #expect(source.matches(of: /HTTPRequest\(/).count == 1)
        #expect(source.matches(of: /method: *"([A-Z]+)"/).map { String($0.1) } == ["POST"])
        // `base` only cuts addresses in messages.
        #expect(Set(source.matches(of: /PDARoute\.([A-Za-z]+)/).map { String($0.1) }) == ["base", "data"])
        #expect(!source.contains(/"(GET|PUT|DELETE|PATCH|HEAD)"/))
    }

    @Test func anotherNamespaceIsRefusedWithoutARequest() async throws {
        let pda = ModelPDA()
        let append = AppendOnlyPDA(
            origin: "https://alice.example",
            namespace: "plugs",
            token: FixedToken("token"),
            transport: pda
        )
        let other = try #require(DataPath(namespace: "rumpel", endpoint: "notables"))
        let answer = await append.append(Array("[{}]".utf8), records: 1, to: other, skipErrors: false)
        guard case .stop(let error) = answer.verdict else {
            Issue.record("sent to another namespace")
            return
        }
        #expect(error.code == "pda-namespace")
        #expect(pda.log == [])
    }

    @Test func everyRequestIsAnAppend() async {
        for fault in Fault.allCases {
            let pda = ModelPDA(before: [value(record(1))]) { $0 % 3 == 0 ? fault : .none }
            _ = await deliverer(to: pda).deliver(block((0..<4).map { record($0, $0 == 2 ? ",\"poison\":1" : "") }))
            #expect(pda.violations == [], "\(fault)")
        }
    }
}

struct TokenTests {
    /// Answers everything with 201, and a token.
    private struct Refreshing: HTTPSending {
        var token: String
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            HTTPResponse(status: 201, headers: HTTPHeaders([HTTPHeader("x-auth-token", token)]), url: request.url)
        }
    }

    private func token(issuedAt: Int64, application: String? = "plug") -> String {
        var claims = TokenClaims(
            issuer: "alice.example",
            subject: nil,
            identifier: nil,
            issuedAt: issuedAt,
            expires: nil
        )
        claims.application = application
        return "e30.\(Base64URL.encode(claims.payload)).c2ln"
    }

    private func refreshes(with new: String) async -> [String] {
        let tokens = FixedToken(token(issuedAt: 100))
        let pda = AppendOnlyPDA(
            origin: "https://alice.example",
            namespace: "plugs",
            token: tokens,
            transport: Refreshing(token: new)
        )
        _ = await pda.append(Array("[{}]".utf8), records: 1, to: thingsPath, skipErrors: false)
        return tokens.refreshes
    }

    @Test func aNewerTokenOfTheSameApplicationIsKept() async {
        #expect(await refreshes(with: token(issuedAt: 101)) == [token(issuedAt: 101)])
        #expect(await refreshes(with: token(issuedAt: 100)) == [])
        #expect(await refreshes(with: token(issuedAt: 99)) == [])
        #expect(await refreshes(with: token(issuedAt: 101, application: nil)) == [])
        #expect(await refreshes(with: "nonsense") == [])
    }

    @Test func aTokenThatWasReplacedMeanwhileIsTriedOnce() async {
        let pda = ModelPDA(token: "new") { $0 == 0 ? .unauthorised : .none }
        let tokens = FixedToken("old", "new")
        let append = AppendOnlyPDA(
            origin: "https://alice.example",
            namespace: "plugs",
            token: tokens,
            transport: pda
        )
        let receipt = await Deliverer(pda: append, clock: FakeClock()).deliver(block([record(1)]))
        #expect(receipt.fates == [.delivered])
        #expect(pda.log == ["strict 1", "strict 1"])
    }
}
