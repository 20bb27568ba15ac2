internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// The folder of a new plug.
final class NewPlugFolder {
    /// The folder's path.
    let path: String
    /// The files written, in order.
    private(set) var names: [String] = []

    init(_ path: String) { self.path = path }

    /// - Throws: `PlugError` `init-exists` if the path already exists.
    func check() throws(PlugError) {
        guard Files.exists(path) else { return }
        throw PlugError(
            .initExists,
            "'\(DisplayText.escaped(path))' already exists",
            advice: "choose another name, or remove it: nothing was changed"
        )
    }

    /// Writes the files and the schema for editors, creates the golden files, and runs the tests.
    ///
    /// - Returns: The number of tests passed.
    /// - Throws: `PlugError` `file-unwritable`; `init-failed` if the new plug does not pass.
    func write(_ files: [String: String], _ context: CommandContext) async throws -> Int {
        // The host's user must be able to read it, and nothing in it is secret.
        try Files.makeFolder("\(path)/fixtures", mode: 0o777)
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            try Files.write(text, to: "\(path)/\(name)")
            names.append(name)
        }
        try Files.write(PrettyJSON().text(ManifestSchema.json) + "\n", to: "\(path)/plug.schema.json")
        names.append("plug.schema.json")
        return try await test(context)
    }

    /// Writes the files of a package, which cannot be tested before it is built.
    ///
    /// - Throws: `PlugError` `file-unwritable`.
    func writePackage(_ files: [String: String]) throws(PlugError) {
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            let path = "\(path)/\(name)"
            if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash])) }
            try Files.write(text, to: path)
            names.append(name)
        }
    }

    private func test(_ context: CommandContext) async throws -> Int {
        let manifest = try Manifests.load(path, in: context)
        let written = try await PlugTest.run(manifest, folder: path, update: true)
        names += written.cases.filter { $0.outcome == .updated }
            .map { $0.name.replacing(".json", with: ".golden.jsonl") }
        names.sort()
        let report = try await PlugTest.run(manifest, folder: path)
        guard report.failures.isEmpty else {
            let texts = TestSummary.text(PlugTestReport(plug: report.plug, cases: report.failures), manifest.source)
            throw PlugError(
                .initFailed,
                "\(DisplayText.escaped(path)) was written, and its tests fail:\n\(texts)",
                advice: "correct it there, or begin with another operation"
            )
        }
        return report.cases.count
    }
}
