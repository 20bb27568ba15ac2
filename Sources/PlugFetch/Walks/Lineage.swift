import LosslessJSON
import PlugManifest

/// The raw records that a request is made for: the parent, and what the parent itself was read for.
struct Lineage: Sendable {
    /// The nearest; `nil` for a stream that is read for nothing.
    private(set) var parent: JSONView?
    /// All of them, outermost first. Taken out of their pages once, and shared by all that is read for them.
    private(set) var values: [JSONValue] = []

    /// All but the parent.
    var ancestors: [JSONValue] { Array(values.dropLast()) }

    /// What is read for a record that is itself read for these.
    func appending(_ record: JSONView) -> Lineage {
        var lineage = self
        lineage.parent = record
        lineage.values.append(record.value)
        return lineage
    }

    /// What is read for these, and for those that others are read for.
    func appending(_ other: Lineage) -> Lineage {
        Lineage(parent: other.parent ?? parent, values: values + other.values)
    }

    /// Gives templates of a stream their values.
    func fill(_ roots: inout TemplateRoots, of stream: PlugManifest.Stream) {
        guard let parents = stream.parent else { return }
        roots.parent = values.last
        roots.lineage = (parents.lineage, values)
    }
}
