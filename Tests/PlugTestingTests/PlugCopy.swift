import Foundation
import LosslessJSON
import PlugManifest
import PlugTesting

/// A copy of a bundled plug in a folder of its own, to be broken.
final class PlugCopy {
    /// The plugs that come with plughost.
    static let bundled = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Plugs").path

    let folder: String

    init(_ plug: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)").path
        try FileManager.default.copyItem(atPath: "\(Self.bundled)/\(plug)", toPath: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func text(_ file: String) throws -> String { try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8) }

    /// Replaces a text that must be there.
    func replace(_ old: String, _ new: String, in file: String) throws {
        let text = try text(file)
        struct Absent: Error {}
        guard text.contains(old) else { throw Absent() }
        try text.replacing(old, with: new).write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
    }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(file)") }

    func test(update: Bool = false) async throws -> PlugTestReport {
        try await PlugTest.run(try Self.manifest(folder), folder: folder, update: update)
    }

    static func manifest(_ folder: String) throws -> Manifest {
        struct Invalid: Error {}
        guard let manifest = try ManifestReader.load(folder).manifest else { throw Invalid() }
        return manifest
    }
}
