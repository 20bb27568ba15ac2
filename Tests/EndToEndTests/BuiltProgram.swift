import Foundation
import LosslessJSON
import TestKit

/// The built binary, run as a process of its own.
enum BuiltProgram {
    /// Beside the test bundle; `nil` where it was not built.
    static let path = program("plughost")
    /// The example of a host with a fetcher of its own.
    static let journal = program("journal")

    private static func program(_ name: String) -> String? {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        if let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }) {
            folder = URL(filePath: bundle).deletingLastPathComponent()
        }
        while folder.path.contains(".xctest") { folder = folder.deletingLastPathComponent() }
        let path = folder.appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    struct Missing: Error {}

    /// What a process left behind. Ended by a signal, `status` is that of the signal's number.
    struct Ended: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// A process under way. Its output goes to files, so that no pipe can fill or be inherited.
    struct Running {
        let process: Process
        let folder: String
        /// Ends with the process.
        let end: AsyncStream<Void>

        func finish() async throws -> Ended {
            for await _ in end {}
            return Ended(
                status: process.terminationStatus,
                output: try String(contentsOfFile: folder + "/out", encoding: .utf8),
                errors: try String(contentsOfFile: folder + "/err", encoding: .utf8)
            )
        }
    }

    /// Starts the program with its output in a new folder below `folder`.
    ///
    /// - Parameters:
    ///   - output: A pipe or a file handle that its stdout goes to instead.
    ///   - errors: A pipe or a file handle that its stderr goes to instead.
    ///   - input: A pipe or a file handle that its stdin comes from; `nil` for none.
    ///   - limit: What it may use, for `ulimit`; `nil` leaves that as it is here.
    ///   - program: Another program than plughost.
    ///   - variables: What it finds in its environment besides ours.
    static func start(
        _ arguments: [String],
        in folder: String,
        output: Any? = nil,
        errors: Any? = nil,
        input: Any? = nil,
        limit: String? = nil,
        program: String? = nil,
        variables: [String: String] = [:]
    ) throws -> Running {
        guard let path = program ?? path else { throw Missing() }
        let own = folder + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for name in ["out", "err"] { try Data().write(to: URL(filePath: own + "/" + name)) }
        let process = Process()
        if let limit {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "ulimit \(limit); exec \"$0\" \"$@\"", path] + arguments
        } else {
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
        }
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
        process.standardInput = input ?? FileHandle.nullDevice
        if let output {
            process.standardOutput = output
        } else {
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: own + "/out"))
        }
        if let errors {
            process.standardError = errors
        } else {
            process.standardError = try FileHandle(forWritingTo: URL(filePath: own + "/err"))
        }
        return Running(process: process, folder: own, end: try process.startTellingOfItsEnd())
    }

    static func run(_ arguments: [String], in folder: String) async throws -> Ended {
        try await start(arguments, in: folder).finish()
    }

    /// A sandbox that listens, with what it says of itself; gone afterwards.
    static func withSandbox(
        _ state: String,
        in folder: String,
        plugs: [String] = [],
        more: [String] = [],
        _ body: (Running, JSONValue) async throws -> Void
    ) async throws {
        try SandboxKey.put(into: state)
        let pipe = Pipe()
        let listening =
            ["sandbox", "--listen", "127.0.0.1:0", "--json", "--state", state]
            + plugs.flatMap { ["--plugs", $0] } + more
        let running = try start(listening, in: folder, output: pipe)
        let result: Result<Void, any Error>
        do {
            // Its first line says that it listens.
            let line = try await blocking { pipe.fileHandleForReading.availableData }
            try await body(running, try JSONValue(parsing: Array(line)))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        running.process.terminate()
        for await _ in running.end {}
        try result.get()
    }

    /// A folder that is gone afterwards.
    static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "plughost-end-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await body(folder)
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
}
