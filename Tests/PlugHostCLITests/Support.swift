import Foundation
import LosslessJSON
import PlugCore
import PlugHostCLI
import Testing

/// What a command left behind.
struct Ended: Sendable {
    var status: ExitStatus
    var output: String
    var errors: String

    /// The output's lines as JSON.
    var json: [JSONValue] { output.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) } }
}

/// Runs commands in this process.
enum Program {
    static func run(
        _ arguments: [String],
        terminal: Bool = false,
        environment: [String: String] = [:],
        ask: (@Sendable (String) async -> Bool)? = nil
    ) async -> Ended {
        let (output, errors) = (TextSink(), TextSink())
        let context = CommandContext(
            output: output,
            errors: errors,
            outputIsTerminal: terminal,
            environment: environment,
            ask: ask
        )
        let status = await PlugHostProgram.run(arguments, in: context)
        return Ended(status: status, output: output.text, errors: errors.text)
    }

    /// A folder that is gone afterwards.
    static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "plughost-cli-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await body(folder)
    }

    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
}
