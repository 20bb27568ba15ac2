import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugTesting

struct FixtureArchivesTests {
    @Test("a folder beside the fixture becomes an archive, and a link leads nowhere")
    func links() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plughost-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
        try Data("[]".utf8).write(to: URL(filePath: folder + "/real/a.json"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/real")
        let made = try FixtureArchives([(key: "export", path: "real")], of: folder + "/a.json")
        #expect(made.paths["export"].map { FileManager.default.fileExists(atPath: $0) } == true)
        let error = #expect(throws: PlugError.self) {
            try FixtureArchives([(key: "export", path: "link")], of: folder + "/a.json")
        }
        #expect(error?.code == "fixture-unreadable" && error?.message.hasSuffix("/link: it is a link") == true)
    }
}
