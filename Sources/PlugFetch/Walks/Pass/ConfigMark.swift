import Cryptography
import LosslessJSON
import PlugCore
import PlugManifest

/// The configuration that a stream is read with: a short hash of each value. A state keeps it, so that the next run can tell what
/// has changed: a position in the pages of one repository says nothing about those of another.
///
/// Secrets and files are left out: a renewed key or a newer export changes no position.
struct ConfigMark: Sendable {
    /// The stored form, `{"repository": "6f1c…"}`; `nil` if the plug asks for nothing that counts.
    let stored: JSONValue?
    private let hashes: JSONObject
    private let asked: Set<JSONString>
    private let manifest: Manifest

    /// - Parameter config: With the manifest's defaults.
    init(_ manifest: Manifest, _ config: JSONObject) {
        asked = Set(manifest.config.filter { !$0.isSecret && $0.type != .file }.map { JSONString($0.name) })
        hashes = Self.hashes(config, asked)
        self.manifest = manifest
        stored = asked.isEmpty ? nil : .object(hashes)
    }

    private static func hashes(_ values: JSONObject, _ asked: Set<JSONString>) -> JSONObject {
        var hashes = JSONObject()
        for member in values.members where asked.contains(member.key) {
            var form = CanonicalJSON()
            form.append(member.value)
            hashes[member.key] = .text(Hexadecimal.encoded(SHA256.hash(form.bytes).prefix(6)))
        }
        return hashes
    }

    /// The names whose values differ from those of an earlier run, sorted. A key that the manifest has gained since has changed if
    /// its value is not the default; one that it has lost has not.
    ///
    /// - Parameters:
    ///   - earlier: What a state kept; `nil` if it is of a version that kept nothing.
    ///   - readsLists: Whether the stream is read for the elements of lists: each has a position of its own, so that a list which
    ///     gains or loses some changes no other.
    func changes(since earlier: JSONValue?, readsLists: Bool) -> [String] {
        guard let earlier = earlier?.object else { return [] }
        let lists = manifest.config.filter { $0.type == .list }.map { JSONString($0.name) }
        let counting = readsLists ? asked.subtracting(lists) : asked
        let defaults = Self.hashes(manifest.withDefaults(JSONObject()), counting)
        return counting.filter { (earlier[$0] ?? defaults[$0]) != hashes[$0] }.map(\.text).sorted()
    }
}
