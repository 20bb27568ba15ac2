import Synchronization
import TestKit

/// A plug in a folder, and a service for it on this machine.
struct WrittenSource {
    /// What stands in the manifest.
    static let origin = "https://api.example.org"

    /// The options with which commands reach the service.
    static func options(_ server: LoopbackServer) -> [String] { ["--source", "\(origin)=http://\(server.authority)"] }

    /// Writes a plug.
    ///
    /// - Parameters:
    ///   - streams: What stands below `streams:`, at the margin.
    ///   - keys: Other keys of the manifest, a line each.
    static func write(streams: String, keys: [String] = [], to folder: String) throws {
        let indented = streams.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        let lines = [
            "plug: shelf", "api: 1", "version: 1.0.0", "hosts: [api.example.org]", "http: {base: \"\(origin)\"}",
        ]
        let text = (lines + keys + ["streams:"] + indented).joined(separator: "\n") + "\n"
        try FilesHere.write(text, to: "\(folder)/plug.yaml")
    }

    /// A service that answers each request.
    static func serve(
        _ answer: @escaping @Sendable (LoopbackRequest) -> (status: Int, headers: [String], body: String)
    ) throws -> LoopbackServer {
        try LoopbackServer { connection in
            while let request = connection.next() {
                let (status, headers, body) = answer(request)
                guard connection.answer(status, headers, Array(body.utf8)) else { return }
            }
        }
    }
}
