import LosslessJSON
import PlugCore
import PlugManifest
import PlugNormalise

/// One entry of `tests:`: a source record, and the record that `drop_if`, `map` and `fields` must make of it.
struct InlineCase {
    private let manifest: Manifest
    private let stream: PlugManifest.Stream
    private let test: InlineTest
    private let number: Int

    init(_ manifest: Manifest, _ stream: PlugManifest.Stream, _ test: InlineTest, number: Int) {
        self.manifest = manifest
        self.stream = stream
        self.test = test
        self.number = number
    }

    func run() -> PlugTestReport.Case {
        let name = "\(stream.name): test \(number)"
        let place = "\(manifest.source.path):\(test.location.line):\(test.location.column)"
        do throws(PlugError) {
            let actual = try record()
            let differences = JSONDifference.between(test.output, actual).map { $0.hiding(stream.hidden, below: "") }
            guard !differences.isEmpty else { return .init(name, .inline, .ok) }
            let lines = ["\(place): the record differs from 'out'"] + JSONDifference.lines(differences)
            return .init(name, .inline, .failed, code: .inlineDiffers, message: lines.joined(separator: "\n"))
        } catch {
            return .init(name, .inline, .failed, code: error.code, message: "\(place): \(error.message)")
        }
    }

    /// What comes of the source's record, without `_id`; `null` if it is left out.
    private func record() throws(PlugError) -> JSONValue {
        var stream = stream
        // The record may be cut down to what 'map' reads; its key is tested by fixtures.
        stream.hasIdentity = false
        // A stream that is read for its children has no endpoint; its programs can be tested all the same.
        stream.path = stream.path ?? DataPath(namespace: manifest.namespace, endpoint: "test")
        guard let normaliser = Normaliser(stream, config: manifest.withoutSecrets(manifest.defaults)) else {
            throw PlugError(.inlineDiffers, "the stream '\(stream.name)' gives no records")
        }
        var bytes: [UInt8] = []
        test.input.write(to: &bytes)
        let view: JSONView
        do throws(JSONError) { view = try JSONDocument(bytes: bytes).root } catch {
            throw PlugError(.inlineDiffers, "'in' cannot be written as JSON: \(error.reason)")
        }
        var page = FetchedPage(records: [view], states: [:], origin: "'in'")
        page.bounds = test.bounds
        let normalised: NormalisedPage
        do throws(PlugError) { normalised = try normaliser.normalise(page) } catch {
            // One record is the whole page, so that the error speaks of pages; the reason is behind the colon.
            let reason = error.message.split(separator: "do not fit the manifest: ", maxSplits: 1).last
            var misfit = error
            misfit.message = reason.map(String.init) ?? error.message
            throw misfit
        }
        guard let entry = normalised.block.entries.first else { return .null }
        let record = Array(normalised.block.bytes[entry.range])
        do throws(JSONError) { return try JSONValue(parsing: record) } catch {
            throw PlugError(.unexpected, "a record is not JSON: \(error.reason)")
        }
    }
}

extension Manifest {
    /// The configuration of somebody who answers nothing.
    var defaults: JSONObject {
        JSONObject(config.compactMap { field in field.default.map { (JSONString(field.name), $0) } })
    }
}
