import Foundation
import LosslessJSON
import PlugCore
import PlugHostCLI
import Testing

/// What a command left behind.
struct Ended: Sendable {
    var status: PlugCore.ExitStatus
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
        errorsTerminal: Bool = false,
        environment: [String: String] = [:],
        clock: any HostClock = SystemClock(),
        ask: (@Sendable (String) async -> Bool)? = nil
    ) async -> Ended {
        let (output, errors) = (TextSink(), TextSink())
        let context = CommandContext(
            output: output,
            errors: errors,
            outputIsTerminal: terminal,
            errorsAreTerminal: errorsTerminal,
            environment: environment,
            clock: clock,
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

/// Files of a test.
enum FilesHere {
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    static func read(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }
}
