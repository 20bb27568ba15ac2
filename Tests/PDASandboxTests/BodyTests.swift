import Foundation
import Glibc
import TestKit
import Testing

@testable import PDASandbox

/// How much of a body is read, and from whom.
@Suite(.fewAtATime)
struct BodyTests {
    /// A connection that sends a request bit by bit.
    private struct Wire: Sendable {
        let descriptor: Int32

        init(_ port: Int) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let descriptor = descriptor
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(connected == 0)
        }

        func end() { close(descriptor) }

        /// Sends until everything is sent or the server does not take more.
        ///
        /// - Returns: How many bytes went out.
        func send(_ text: String) async throws -> Int { try await send(Array(text.utf8)) }
        func send(_ bytes: [UInt8]) async throws -> Int {
            let descriptor = descriptor
            return try await blocking {
                var at = 0
                while at < bytes.count {
                    let count = bytes[at...].withUnsafeBytes {
                        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    at += count
                }
                return at
            }
        }

        /// All that comes until the server ends the connection.
        func answer() async throws -> String {
            let descriptor = descriptor
            return try await blocking {
                var answer: [UInt8] = []
                var part = [UInt8](repeating: 0, count: 65536)
                while true {
                    let count = recv(descriptor, &part, part.count, 0)
                    guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                    answer += part[..<count]
                }
            }
        }
    }

    private static func head(_ path: String, _ length: Int, token: String? = nil) -> String {
        let token = token.map { "X-Auth-Token: \($0)\r\n" } ?? ""
        return "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(token)Content-Type: application/json\r\n"
            + "Content-Length: \(length)\r\n\r\n"
    }

    private static func text(_ length: Int) -> String { "\"\(String(repeating: "x", count: length - 2))\"" }

    @Test("a stranger's large body is not read to its end", arguments: [nil, "nonsense"] as [String?])
    func strangers(token: String?) async throws {
        try await RunningSandbox.with { sandbox in
            let wire = try Wire(sandbox.address.port)
            defer { wire.end() }
            let length = 64 << 20
            _ = try await wire.send(Self.head("/api/v2.6/data/a/b", length, token: token))
            // The server ends the connection in the midst of it; a client that has not seen that goes on sending.
            let sent = try await wire.send([UInt8](repeating: UInt8(ascii: "x"), count: length))
            #expect(sent < length)
            let answer = try await wire.answer()
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer.prefix(300))")
            #expect(answer.hasSuffix(#"{"error":"Not Authenticated","message":"Not Authenticated"}"#))
        }
    }

    @Test("a stranger's body beyond what is judged gets 401, whatever it holds")
    func strangersMedium() async throws {
        try await RunningSandbox.with { sandbox async throws in
            let path = "/api/v2.6/data/a/b"
            #expect(try await sandbox.send("POST", path, Self.text(64 << 10), token: nil).status == 401)
            let broken = String(repeating: "[", count: 64 << 10)
            #expect(try await sandbox.send("POST", path, broken, token: nil).status == 400)
            #expect(try await sandbox.send("POST", path, broken + "[", token: nil).status == 401)
            #expect(try await sandbox.send("POST", path, broken + "[", token: sandbox.owner).status == 400)
        }
    }

    @Test("a route without a token takes no large body either")
    func openRoutes() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.send("POST", "/control/v2/auth/passwordReset", Self.text((64 << 10) + 1))
            #expect(reply.status == 413)
            #expect(reply.text.contains("Request body exceeds 65536 bytes"))
        }
    }

    @Test("bodies under way share their room, and whoever finds none is told to come back")
    func room() async throws {
        try await RunningSandbox.with(bodyRoom: 1 << 20) { sandbox in
            let path = "/api/v2.6/data/a/b"
            let (slow, other) = (Self.text(900_000), Self.text(500_000))
            var wires: [Wire] = []
            var reply: Reply
            repeat {
                // Until the server has taken in what was sent, there is room for the other one, and the slow one may find
                // none: then it is sent anew.
                let wire = try Wire(sandbox.address.port)
                wires.append(wire)
                _ = try await wire.send(Self.head(path, slow.utf8.count, token: sandbox.owner))
                _ = try await wire.send(String(slow.prefix(800_000)))
                reply = try await sandbox.send("POST", path, other, token: sandbox.owner)
                // The same text again is a duplicate.
            } while (reply.status == 201 || reply.status == 400) && wires.count < 100
            #expect(reply.status == 503 && reply.headers["retry-after"] == "1")
            #expect(
                reply.text == #"{"error":"Service Unavailable","#
                    + #""message":"Too many request bodies are under way: try again"}"#
            )
            let small = try await sandbox.post("a/c", "1")
            #expect(small.status == 201)
            // Whoever ends gives back the room.
            for wire in wires { wire.end() }
            var last = reply.status
            while last == 503 {
                last = try await sandbox.send("POST", path, Self.text(1_000_000), token: sandbox.owner).status
            }
            #expect(last == 201)
        }
    }

    @Test func aRequestGivesBackWhatItTook() {
        let room = BodyRoom(10)
        var first: BodyShare? = room.share()
        let second = room.share()
        #expect(first?.take(6) == true && first?.take(5) == false)
        #expect(!second.take(5) && second.take(4))
        second.empty()
        #expect(second.take(4))
        first = nil
        #expect(second.take(6) && !second.take(1))
    }
}
