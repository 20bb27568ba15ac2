import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

struct YAMLTestSuiteTests {
    static let root: String = {
        let path = ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? "../shared/data"
        return path + "/yaml-test-suite"
    }()

    static func cases() -> [String] {
        let enumerator = FileManager.default.enumerator(atPath: root)
        return (enumerator?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("in.yaml") }.sorted()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: root), "yaml-test-suite is not here"))
    func allCasesEndWithATreeOrAnError() throws {
        let cases = Self.cases()
        #expect(cases.count >= 402)
        for name in cases {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.root + "/" + name)))
            let taken = processorTime {
                let result = YAMLReader.read(bytes)
                #expect(result.root != nil || !result.diagnostics.isEmpty, "\(name)")
                let lines = result.source.lines.count
                #expect(result.diagnostics.allSatisfy { ($0.location?.line ?? 1) <= lines + 1 }, "\(name)")
                // What is one document without anchors is a tree, and its programs can be located.
                result.root.map { Self.locate($0, result.source) }
                _ = ManifestReader.read(path: name, text: bytes)
            }
            #expect(taken < .seconds(1), "\(name)")
        }
    }

    private static func locate(_ node: YAMLNode, _ source: SourceText) {
        switch node.content {
        case .sequence(let nodes): for node in nodes { locate(node, source) }
        case .mapping(let entries): for entry in entries { locate(entry.value, source) }
        case .scalar(let scalar):
            let count = scalar.text.unicodeScalars.count
            let positions = ScalarPositions(of: scalar, in: source)
            for index in 0...count { #expect(positions.location(of: index..<index).line <= source.lines.count) }
        }
    }
}
