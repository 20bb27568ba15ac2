import Foundation
import LosslessJSON
import Scaffolding
import TestKit
import Testing

/// A new package with a fetcher in Swift.
struct SwiftPackageDraftTests {
    private static let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples/journal")

    /// What CI builds and runs is what `init` writes.
    @Test func theExampleIsWhatInitWrites() throws {
        let draft = SwiftPackageDraft(id: "journal", plughost: "../..")
        for (name, text) in draft.files({ $0.compactText }) {
            let found = try String(contentsOf: Self.example.appending(path: name), encoding: .utf8)
            if name.hasSuffix(".json") {
                #expect(try JSONValue(parsing: found) == JSONValue(parsing: text), "\(name)")
            } else {
                #expect(found == text, "\(name)")
            }
        }
    }

    @Test func aNameWithHyphensGivesATypeInCamelCase() {
        let draft = SwiftPackageDraft(id: "my-2nd-journal", plughost: "https://git.example/plughost.git")
        #expect(draft.type == "My2ndJournalExport")
        #expect(
            draft.files { $0.compactText }["Package.swift"] == """
                // swift-tools-version: 6.2
                import PackageDescription

                let package = Package(
                    name: "my-2nd-journal",
                    dependencies: [.package(url: "https://git.example/plughost.git", branch: "main")],
                    targets: [
                        .executableTarget(name: "my-2nd-journal", dependencies: [.product(name: "DataPlug", package: "plughost")])
                    ],
                    swiftLanguageModes: [.v6]
                )

                """
        )
    }
}
