import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// Manifests for tests: a correct one, with pieces put in.
enum Sample {
    static let header = """
        plug: sample
        api: 1
        version: 1.0.0
        hosts: [api.example.org]
        application:
          info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}

        """
    static let http = "http: {base: https://api.example.org/v1}\n"
    static let stream = """
        streams:
          things:
            endpoint: things
            request: {path: /things}
            key: [.id]
            version: none

        """

    static func read(_ text: String) -> ManifestResult {
        ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
    }

    /// The correct manifest with something added to its only stream, 4 spaces indented.
    static func withStream(_ lines: String) -> ManifestResult {
        let indented = lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
        return read(header + http + stream + indented.joined(separator: "\n") + "\n")
    }

    /// The correct manifest with something added at the top level.
    static func with(_ lines: String) -> ManifestResult { read(header + http + lines + "\n" + stream) }

    /// The manifest; records an issue with the findings where there is none.
    static func manifest(_ result: ManifestResult) throws -> Manifest {
        try #require(result.manifest, "\(print(result))")
    }

    /// The findings as a terminal would show them.
    static func print(_ result: ManifestResult) -> String {
        let printer = DiagnosticPrinter(path: result.source.path, text: result.source.text)
        return result.diagnostics.map(printer.text).joined()
    }

    /// `line:column code` of each finding.
    static func places(_ result: ManifestResult) -> [String] {
        result.diagnostics.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.code)" }
    }

    static func codes(_ result: ManifestResult) -> [String] { result.diagnostics.map(\.code.text) }
}
