import LosslessJSON
import PlugCore
import PlugManifest
import PlugNormalise

/// One entry of `tests:`: a source record, and what `drop_if`, `map`, `fields`, `key` and `version` must make of it.
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
            let actual = try result()
            let differences = JSONDifference.between(test.output, actual.record)
                .map { $0.hiding(stream.hidden, below: "") }
            var lines: [String] = []
            if !differences.isEmpty {
                let expected = test.output == .null ? "the record is not left out" : "the record differs from 'out'"
                lines = ["\(place): \(expected)"] + JSONDifference.lines(differences)
            }
            lines +=
                differing("key", test.key, actual.key, place)
                + differing("version", test.version, actual.version, place)
            guard !lines.isEmpty else { return .init(name, .inline, .ok) }
            return .init(name, .inline, .failed, code: .inlineDiffers, message: lines.joined(separator: "\n"))
        } catch {
            return .init(name, .inline, .failed, code: error.code, message: "\(place): \(error.message)")
        }
    }

    /// The result for the source's record.
    private struct Result {
        /// The record without `_id`; `null` if it is left out.
        var record = JSONValue.null
        /// The parts of its `_id`; `nil` if there are none, or the test does not look at them.
        var key: String?
        var version: String?
    }

    private func differing(_ part: String, _ expected: String?, _ actual: String?, _ place: String) -> [String] {
        guard let expected, expected != actual else { return [] }
        // What an _id may reveal of hidden members is not shown.
        guard !stream.hidden.hidesIdentity else { return ["\(place): '\(part)' differs; \(HiddenMembers.mark)"] }
        return ["\(place): '\(part)' differs", "  expected \(expected), got \(actual ?? "none")"]
    }

    private func result() throws(PlugError) -> Result {
        // The record may be cut down to what 'map' reads: its key counts only if the test checks it.
        let looksAtIdentity = test.key != nil || test.version != nil
        // A stream that is read only for its children has no endpoint; its programs can still be tested.
        let path = stream.path ?? DataPath(namespace: manifest.namespace, endpoint: "test")
        var options = stream.options
        options.hasIdentity = options.hasIdentity && looksAtIdentity
        let stream = stream.replacing(
            path: path,
            version: test.version == nil ? .some(nil) : nil,
            options: options
        )
        var config = manifest.defaults
        for member in test.config.members { config[member.key] = member.value }
        guard let normaliser = Normaliser(stream, config: manifest.withoutSecrets(config)) else {
            throw PlugError(.inlineDiffers, "the stream '\(stream.name)' gives no records")
        }
        var page = FetchedPage(records: [try Self.view(of: test.input, "'in'")], states: [:], origin: "'in'")
        page.bounds = test.bounds
        page.entry = test.entry
        if let parent = test.parents.last {
            page.parent = try Self.view(of: parent, "'parent'")
            page.ancestors = Array(test.parents.dropLast())
        }
        let normalised: NormalisedPage
        do throws(PlugError) { normalised = try normaliser.normalise(page) } catch {
            // The record is the whole page, so the error speaks of pages; the reason follows the colon.
            let reason = error.message.split(separator: "do not fit the manifest: ", maxSplits: 1).last
            var misfit = error
            misfit.message = reason.map(String.init) ?? error.message
            throw misfit
        }
        guard let entry = normalised.block.entries.first else { return Result() }
        return try result(of: Array(normalised.block.bytes[entry.range]), stream)
    }

    private func result(of bytes: [UInt8], _ stream: PlugManifest.Stream) throws(PlugError) -> Result {
        var result = Result()
        do throws(JSONError) { result.record = try JSONValue(parsing: bytes) } catch {
            throw PlugError(.unexpected, "a record is not JSON: \(error.reason)")
        }
        guard stream.options.hasIdentity, var members = result.record.object else { return result }
        let identity = members["_id"]?.stringText ?? ""
        members["_id"] = nil
        result.record = .object(members)
        let path = stream.path.map { "\($0)/" } ?? ""
        let name = identity.dropFirst(identity.hasPrefix(path) ? path.count : 0)
        // An '@' in the key itself is escaped if there are versions.
        let parts = stream.version == nil ? [name] : name.split(separator: "@", maxSplits: 1)
        result.key = parts.first.map(String.init)
        result.version = parts.count > 1 ? String(parts[1]) : nil
        return result
    }

    private static func view(of value: JSONValue, _ name: String) throws(PlugError) -> JSONView {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        do throws(JSONError) { return try JSONDocument(bytes: bytes).root } catch {
            throw PlugError(.inlineDiffers, "\(name) cannot be written as JSON: \(error.reason)")
        }
    }
}

extension Manifest {
    /// The configuration of a user who answers nothing.
    var defaults: JSONObject {
        JSONObject(config.compactMap { field in field.default.map { (JSONString(field.name), $0) } })
    }
}
