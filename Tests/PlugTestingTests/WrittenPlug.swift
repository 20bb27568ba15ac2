import Foundation
import PlugCore
import PlugManifest
import PlugModules
import PlugTesting

/// A plug that a test writes, in a folder of its own.
final class WrittenPlug {
    let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)").path

    /// - Parameters:
    ///   - streams: What stands below `streams:`, at the margin.
    ///   - http: What stands behind `http:` beside the base.
    ///   - exec: What stands behind `exec:`, in the place of `http`.
    ///   - check: What stands behind `check:`.
    ///   - config: What is asked besides the user.
    ///   - fixtures: By their file names.
    init(
        streams: String,
        http: String = "",
        exec: String? = nil,
        check: String? = nil,
        config: String = "",
        fixtures: [String: String] = [:]
    ) throws {
        let indented = streams.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        let manifest = """
            plug: shelf
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            config: {user: {type: string, title: User, default: ada}\(config.isEmpty ? "" : ", \(config)")}
            \(exec.map { "exec: \($0)" } ?? #"http: {base: "https://api.example.org"\#(http.isEmpty ? "" : ", \(http)")}"#)
            \(check.map { "check: \($0)" } ?? "")
            streams:
            \(indented.joined(separator: "\n"))

            """
        try FileManager.default.createDirectory(atPath: "\(folder)/fixtures", withIntermediateDirectories: true)
        try manifest.write(toFile: "\(folder)/plug.yaml", atomically: true, encoding: .utf8)
        for (name, text) in fixtures {
            try text.write(toFile: "\(folder)/fixtures/\(name)", atomically: true, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Tests it, and names what no test reaches.
    func test(
        isStrict: Bool = false,
        update: Bool = false,
        conformance: Bool = false,
        fetchers: [any StreamFetcher.Type] = []
    ) async throws -> PlugTestReport {
        struct Invalid: Error { var codes: [String] }
        let coverage = ManifestCoverage()
        let result = try ManifestReader.load(folder, fetchers: FetcherRegistry(fetchers), coverage: coverage)
        guard let manifest = result.manifest else { throw Invalid(codes: result.diagnostics.map(\.code.text)) }
        return try await PlugTest.run(
            manifest,
            folder: folder,
            update: update,
            coverage: coverage,
            isStrict: isStrict,
            conformance: conformance
        )
    }

    /// The messages of cases with a code, without the plug's folder.
    func messages(_ report: PlugTestReport, _ code: String) -> [String] {
        report.cases.filter { $0.code?.text == code }.map { ($0.message ?? "").replacing("\(folder)/", with: "") }
    }
}
