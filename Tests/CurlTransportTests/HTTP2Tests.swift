import CurlTransport
import Foundation
import TestKit
import Testing

/// Against nginx, which speaks HTTP/2 and compresses.
@Suite(
    .enabled(
        if: ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy(FileManager.default.isExecutableFile(atPath:)),
        "needs nginx and openssl (apt install nginx-light openssl)"
    ),
    .fewAtATime
)
struct HTTP2Tests {
    @Test func requestsKeepTheirConnectionsAndComeCompressed() async throws {
        let text = String(repeating: #"{"id": 9007199254740993}"#, count: 4_000)
        try await withNginx(serving: text) { port, certificate, log in
            var policy = NetworkPolicy.loopback
            policy.certificateAuthorityFiles = [.source: certificate]
            let transport = try HTTPTransport(policy: policy)
            let request = HTTPRequest.ofOne(url: "https://localhost:\(port)/page.json", side: .source)
            for _ in 1...10 { #expect(try await transport.send(request).text == text) }
            let first = try lines(log)
            #expect(first == Array(repeating: "HTTP/2.0 200 gzip connection 1", count: 10))
            for _ in 1...10 {
                let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 1...4 { group.addTask { try await transport.send(request).text } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(bodies == Array(repeating: text, count: 4))
            }
            await transport.shutDown()

            // One connection for each that runs at the same time.
            #expect(Set(try lines(log)).count <= 4)
            #expect(try lines(log).count == 50)
        }
    }

    private func lines(_ log: URL) throws -> [String] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// A server with one page, and what it logs: protocol, status, coding and the connection's number from 1.
    private func withNginx(
        serving text: String,
        body: (_ port: Int, _ certificate: String, _ log: URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plughost-h2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: folder.appending(path: "page.json"))
        try await run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
                "-out", "certificate.pem", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                "-days", "2",
            ],
            in: folder
        )
        // A free port, found by taking one and giving it back.
        let port = try LoopbackServer { _ in }.released()
        let log = folder.appending(path: "log")
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder.path);" }
        try Data(
            """
            daemon off;
            pid \(folder.path)/pid;
            error_log stderr notice;
            events {}
            http {
              \(paths.joined(separator: " "))
              types { application/json json; }
              # Longer than a test waits for its turn on a busy machine.
              keepalive_timeout 600s;
              gzip on; gzip_types application/json;
              log_format short '$server_protocol $status $sent_http_content_encoding connection $connection';
              access_log \(log.path) short;
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder.path)/certificate.pem;
                ssl_certificate_key \(folder.path)/key.pem;
                root \(folder.path);
              }
            }
            """.utf8
        ).write(to: folder.appending(path: "nginx.conf"))
        let talk = Pipe()
        let server = Process()
        server.executableURL = URL(filePath: "/usr/sbin/nginx")
        server.arguments = ["-p", folder.path, "-c", folder.appending(path: "nginx.conf").path]
        server.standardError = talk
        let ended = try server.startTellingOfItsEnd()
        let result: Result<Void, any Error>
        do {
            // It says so when it listens and has its workers.
            try await blocking {
                var said = Data()
                while !String(decoding: said, as: UTF8.self).contains("start worker process ") {
                    let more = talk.fileHandleForReading.availableData
                    try #require(!more.isEmpty, "nginx ended: \(String(decoding: said, as: UTF8.self))")
                    said += more
                }
            }
            try await body(port, folder.appending(path: "certificate.pem").path, log)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        server.terminate()
        for await _ in ended {}
        try result.get()
    }

    private func run(_ program: String, _ arguments: [String], in folder: URL) async throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let status = try await process.runToItsEnd()
        try #require(status == 0, "\(program) ended with \(status)")
    }
}
