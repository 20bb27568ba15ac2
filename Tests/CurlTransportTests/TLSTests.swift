import CurlTransport
import Foundation
import TestKit
import Testing

/// Against `openssl s_server`, with a certificate that nobody has signed.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs /usr/bin/openssl"),
    .fewAtATime
)
struct TLSTests {
    @Test func aSelfSignedCertificateIsRefusedUnlessItsAuthorityIsGiven() async throws {
        try await withTLSServer(["-www"]) { port, certificate in
            let request = HTTPRequest.ofOne(url: "https://localhost:\(port)/", side: .pda)
            let strict = try HTTPTransport(policy: .loopback)
            let error = await strict.failure(of: request)
            #expect(error?.code == .tls)
            #expect(error?.mayHaveArrived == false)
            #expect(error?.message.contains("self-signed") == true)
            await strict.shutDown()

            var policy = NetworkPolicy.loopback
            policy.certificateAuthorityFiles = [.pda: certificate]
            let trusting = try HTTPTransport(policy: policy)
            let response = try await trusting.send(request)
            #expect(response.status == 200)
            #expect(response.text.contains("s_server"))
            // The name is not in the certificate, and the file is for PDAs alone.
            let wrongName = HTTPRequest.ofOne(url: "https://127.0.0.1:\(port)/", side: .pda)
            #expect(await trusting.failure(of: wrongName)?.code == .tls)
            let wrongSide = HTTPRequest.ofOne(url: "https://localhost:\(port)/", side: .source)
            #expect(await trusting.failure(of: wrongSide)?.code == .tls)
            await trusting.shutDown()
        }
    }

    @Test func oldVersionsOfTLSAreRefused() async throws {
        try await withTLSServer(["-www", "-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0"]) { port, certificate in
            var policy = NetworkPolicy.loopback
            policy.certificateAuthorityFiles = [.pda: certificate]
            let transport = try HTTPTransport(policy: policy)
            let request = HTTPRequest.ofOne(url: "https://localhost:\(port)/", side: .pda)
            #expect(await transport.failure(of: request)?.code == .tls)
            await transport.shutDown()
        }
    }

    /// A certificate for `localhost`, and a server that shows it.
    private func withTLSServer(_ options: [String], body: (Int, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plughost-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appending(path: "key.pem").path
        let certificate = folder.appending(path: "certificate.pem").path
        let maker = process([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
            certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2",
        ])
        try #require(try await maker.runToItsEnd() == 0, "openssl made no certificate")

        // A free port, found by taking one and giving it back.
        let port = try LoopbackServer { _ in }.released()
        let output = Pipe()
        let server = process(["s_server", "-accept", "\(port)", "-cert", certificate, "-key", key] + options)
        server.standardOutput = output
        server.standardInput = Pipe()
        let ended = try server.startTellingOfItsEnd()
        let result: Result<Void, any Error>
        do {
            // It says ACCEPT when it listens.
            try await blocking {
                var said = Data()
                while !String(decoding: said, as: UTF8.self).contains("ACCEPT") {
                    let more = output.fileHandleForReading.availableData
                    try #require(!more.isEmpty, "openssl s_server ended")
                    said += more
                }
            }
            try await body(port, certificate)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Not SIGTERM: a process that a task's thread starts inherits that thread's blocked signals.
        kill(server.processIdentifier, SIGKILL)
        for await _ in ended {}
        try result.get()
    }

    private func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        return process
    }
}

extension LoopbackServer {
    /// Its port, which nobody listens at any more.
    func released() -> Int {
        stop()
        return port
    }
}
