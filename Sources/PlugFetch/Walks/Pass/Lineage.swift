import LosslessJSON
import PlugManifest

/// The raw records that a request is made for: the parent, and its own ancestors.
struct Lineage: Sendable {
    /// The nearest; `nil` for a stream without a parent.
    private(set) var parent: JSONView?
    /// All of them, outermost first. Extracted from their pages once, and shared by all their descendants.
    private(set) var values: [JSONValue] = []

    /// All but the parent.
    var ancestors: [JSONValue] { Array(values.dropLast()) }

    /// The lineage of a record's children.
    func appending(_ record: JSONView) -> Lineage {
        var lineage = self
        lineage.parent = record
        lineage.values.append(record.value)
        return lineage
    }

    /// Both lineages in sequence.
    func appending(_ other: Lineage) -> Lineage {
        Lineage(parent: other.parent ?? parent, values: values + other.values)
    }

    /// Provides a stream's templates with these values.
    func fill(_ roots: inout TemplateRoots, of stream: PlugManifest.Stream) {
        guard let parents = stream.parent else { return }
        roots.parent = values.last
        roots.lineage = (parents.lineage, values)
    }
}
