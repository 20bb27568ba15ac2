import Foundation
import JQ
import LosslessJSON
import Testing

@testable import PlugManifest

/// Documentation/functions.md, whose examples `Scripts/check-readme` runs.
struct FunctionsPageTests {
    @Test func thePageNamesEachFunction() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = try String(contentsOf: root.appending(path: "Documentation/functions.md"), encoding: .utf8)
        let named = page.split(separator: "`").map { text in
            let arity = text.contains("(") ? text.count { $0 == ";" } + 1 : 0
            return "\(text.prefix { $0 != "(" })/\(arity)"
        }
        let builtins = try JQProgram("builtins").run(.null).flatMap { $0.elements ?? [] }.compactMap(\.stringText)
        let ours = NativeFunctions.all.map { "\($0.name)/\($0.arity)" }
        #expect(!builtins.isEmpty)
        #expect(Set(builtins + ours).subtracting(named) == [])
    }
}
