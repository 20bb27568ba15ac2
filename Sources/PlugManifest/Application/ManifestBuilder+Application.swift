import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// How the plug describes itself to PDAs.
    func application(_ keys: CheckedMapping) {
        let needed = ApplicationDefinition.shownToOwners
        let help = "add application.info with \(MessageText.list(needed))"
        guard let entry = keys.entry("application") else {
            if keys.isWritten("application") { return }
            let message = "without 'application' a PDA has little to show its owner"
            return findings.warn(.applicationMissing, message, at: keys.place, help: help)
        }
        check(entry, Tables.application)
        let missing = needed.filter { entry.value["info"]?[$0] == nil }
        guard !missing.isEmpty else { return }
        let message = "application.info lacks \(MessageText.list(missing))"
        findings.warn(
            .applicationMissing,
            message,
            at: keys.location("application"),
            help: "a PDA shows them to its owner"
        )
    }

    /// Checks a mapping and everything in it, if its keys are not read individually.
    private func check(_ entry: YAMLEntry, _ table: KeyTable) {
        guard let keys = CheckedMapping(entry.value, table, at: entry.keyLocation, findings) else { return }
        for spec in table.keys {
            guard let inner = keys.entry(spec.name) else { continue }
            switch spec.shape {
            case .table(let table): check(inner, table)
            case .list(.table(let table), _):
                for element in inner.value.sequence ?? [] {
                    check(YAMLEntry(key: inner.key, keyLocation: element.location, value: element), table)
                }
            default: break
            }
        }
    }

    /// Warns about parts of the application that the strictest client cannot decode.
    func checkDecoding(of manifest: Manifest, _ keys: CheckedMapping) {
        guard let entry = keys.entry("application") else { return }
        for fault in ApplicationShape.faults(ApplicationDefinition.build(manifest, base: nil).definition) {
            guard let location = Self.location(of: fault.place, in: entry.value) else { continue }
            findings.warn(fault, at: location)
        }
    }

    /// The location of a member such as `application.info.dataPreview[0].date`, or of what lacks it; `nil` for what is derived.
    private static func location(of place: String, in application: YAMLNode) -> Diagnostic.Location? {
        var node = application
        var location: Diagnostic.Location?
        let steps = place.replacing("[", with: ".").replacing("]", with: "").split(separator: ".").dropFirst()
        for step in steps {
            let next =
                node.mapping?.first { $0.key == step }?.value
                ?? Int(step).flatMap { index in node.sequence.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
            guard let next else { break }
            node = next
            location = next.location
        }
        return location
    }
}
