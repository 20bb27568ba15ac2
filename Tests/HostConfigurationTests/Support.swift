import Foundation
import PlugCore
import Testing

@testable import HostConfiguration

/// Configurations for tests.
enum HostSample {
    /// Reads a file that is on no disk, with variables and options.
    static func read(
        _ text: String,
        variables: [String: String] = [:],
        options: [HostOption: String] = [:]
    ) throws -> HostConfigurationResult {
        let environment = variables.merging(["HOME": "/nowhere"]) { first, _ in first }
        return try HostConfiguration.read(
            HostLayer(file: "plughost.yaml", bytes: Array(text.utf8)),
            .init(options: options, environment: environment),
            path: "plughost.yaml"
        )
    }

    /// The settings of a file that is right.
    static func settings(
        _ text: String,
        variables: [String: String] = [:],
        options: [HostOption: String] = [:]
    ) throws -> HostSettings {
        let result = try read(text, variables: variables, options: options)
        return try #require(result.settings, "\(print(result))")
    }

    /// The findings as a terminal would show them.
    static func print(_ result: HostConfigurationResult) -> String {
        result.findings.map { place in
            let printer = DiagnosticPrinter(path: place.name, text: place.text)
            return place.diagnostics.map(printer.text).joined()
        }.joined()
    }

    /// A folder that is gone afterwards.
    static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "plughost-host-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try body(folder)
    }

    /// Writes a file that only its owner can read, unless the mode says otherwise.
    static func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
}
