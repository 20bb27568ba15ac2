import Foundation
import PlugCore
import Testing

@testable import PlugManifest

struct MutationTests {
    /// A small generator with a fixed seed, so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test func damagedManifestsEndInFindingsWithPlacesInTheFile() {
        let rounds = ProcessInfo.processInfo.environment["PLUGHOST_MUTATIONS"].flatMap { Int($0) } ?? 500
        var generator = Generator(state: 20_261_121)
        let original = Array(everyKey.utf8)
        let pieces = [
            "{{", "}}", "\n", ": ", "\"", "'", "- ", "99999999999999999999", "\u{FEFF}", "ü", "&a ", "|\n", "\t", "\\",
        ]
        for round in 0..<rounds {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.remove(at: at)
                case 1: bytes.insert(contentsOf: Array((pieces.randomElement(using: &generator) ?? "").utf8), at: at)
                case 2: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                default: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...40, using: &generator)))
                }
            }
            let result = ManifestReader.read(path: "plug.yaml", text: bytes)
            #expect((result.manifest != nil) != result.hasErrors, "round \(round)")
            let lines = SourceText(result.source.text).lines
            for location in result.diagnostics.compactMap(\.location) {
                #expect((1...lines.count + 1).contains(location.line), "round \(round)")
            }
            _ = Sample.print(result)
        }
    }
}
