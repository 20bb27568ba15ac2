internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// Tests a fixture before it is kept, in a folder that is removed again.
struct RecordingTrial {
    let manifest: Manifest
    let name: String

    /// What ended a reading: an interruption, or an error of ours that describes itself.
    static func ended(_ error: any Error) -> PlugError {
        if let error = error as? PlugError { return error }
        return error is CancellationError
            ? .interrupted : PlugError(.unexpected, "reading the recording again failed: \(error)")
    }

    /// The resulting records, as a golden file.
    ///
    /// - Throws: `PlugError` `record-unusable` if 'plughost test' would fail on it.
    func golden(of cassette: [UInt8]) async throws(PlugError) -> [UInt8] {
        let folder = try DemoFolder(nil, [:])
        defer { folder.remove() }
        let fixtures = "\(folder.path)/fixtures"
        try Files.makeFolder(fixtures)
        try Files.write(String(decoding: cassette, as: UTF8.self), to: "\(fixtures)/\(name).json")
        // Once to write the golden file, and once to check that the result is reproducible.
        for update in [true, false] {
            let report: PlugTestReport
            do { report = try await PlugTest.run(manifest, folder: folder.path, update: update) } catch {
                throw Self.ended(error)
            }
            guard
                let failure = report.cases.first(where: { $0.name == "fixtures/\(name).json" && $0.outcome == .failed })
            else {
                continue
            }
            let message = (failure.message ?? "").replacing("\(folder.path)/", with: "")
            throw PlugError(
                .recordUnusable,
                "'plughost test' would fail on the fixture: [\(failure.code?.text ?? "failed")] \(message)",
                advice: "if a program or a cast depends on a value that was replaced, keep its member with --keep NAME"
            )
        }
        return try Files.read("\(fixtures)/\(name).golden.jsonl", limit: 64 << 20, failing: .failed)
    }
}
