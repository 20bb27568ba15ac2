import Foundation
import PlugCore
import PlugManifest
import Testing

@testable import PlugFetch

struct FetchCodesTests {
    @Test func explainsEveryCodeOnce() throws {
        let here = URL(fileURLWithPath: #filePath)
        let sources = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/PlugFetch")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var used: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            used.formUnion(text.matches(of: /PlugError\(\s*"([a-z-]+)"/).map { String($0.1) })
            used.formUnion(text.matches(of: /warn(?:Once)?\(\s*[a-z.]+,\s*"([a-z-]+)"/).map { String($0.1) })
        }
        #expect(used.count > 30)
        // What reading a manifest finds as well is explained there, for both.
        let shared = used.filter { DiagnosticCodes.explanation(of: $0) != nil }
        #expect(shared == ["bad-host", "bad-path", "header-control", "host-outside", "unknown-stream"])
        #expect(Set(FetchCodes.all.map(\.code)) == used.subtracting(shared))
        #expect(FetchCodes.all.count == used.count - shared.count)
        #expect(FetchCodes.explanation(of: "page-not-json")?.fix.isEmpty == false)
        #expect(FetchCodes.explanation(of: "unknown-key") == nil)
    }
}
