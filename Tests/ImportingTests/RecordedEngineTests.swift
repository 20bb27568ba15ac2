import Foundation
import PlugManifest
import PlugTesting
import Testing

@testable import Importing

/// Imported plugs beside what the original engine asked and gave, as `Scripts/check-import --record` has kept it.
struct RecordedEngineTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scripts/importcheck")

    /// The manifests of which there is a recording.
    private static let names: [String] = {
        let files =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "recorded").path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
    }()

    @Test func everyManifestIsRecorded() throws {
        let manifests = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appending(path: "manifests").path
        )
        #expect(manifests.map { String($0.dropLast(".yaml".count)) }.sorted() == Self.names)
    }

    @Test(arguments: names) func anImportedPlugAsksAndGivesWhatTheEngineDid(name: String) async throws {
        let file = Self.folder.appending(path: "manifests/\(name).yaml")
        let foreign = try ForeignManifest(Array(Data(contentsOf: file)), name: file.lastPathComponent)
        let plug = try AirbyteImport.plug(of: foreign, id: name)
        #expect(plug.findings.filter { !$0.isNote } == [])
        let folder = FileManager.default.temporaryDirectory.appending(path: "recorded-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "fixtures"),
            withIntermediateDirectories: true
        )
        for suffix in ["json", "golden.jsonl"] {
            try FileManager.default.copyItem(
                at: Self.folder.appending(path: "recorded/\(name).\(suffix)"),
                to: folder.appending(path: "fixtures/\(name).\(suffix)")
            )
        }
        let result = ManifestReader.read(
            path: folder.appending(path: "plug.yaml").path,
            text: Array(try #require(plug.manifest).utf8)
        )
        let report = try await PlugTest.run(try #require(result.manifest), folder: folder.path)
        // Requests that are missing, too many or different fail it, and so do records.
        let wrong = report.cases.filter { $0.outcome != .ok }.map { "\($0.name): \($0.message ?? "")" }
        #expect(wrong == [])
        #expect(report.cases.contains { $0.kind == .fixture })
    }
}
