import LosslessJSON
import PlugCore
import PlugManifest

/// The elements of a list that a stream is read for, each once, as they are in this run.
struct ParentList: Sendable {
    /// The maximum number of elements.
    static let limit = 100_000

    let elements: [JSONView]
    /// The names of the parts that belong to them.
    let names: [String]

    /// Renders a list.
    ///
    /// - Throws: `PlugError` `for-each-list` if it is not a list of texts, numbers and objects, or too long.
    init(_ template: JSONTemplate, _ plan: StreamPlan) throws(PlugError) {
        var roots = plan.roots
        // Its values reach programs over records.
        (roots.config, roots.vars) = (plan.config, .null)
        let value = try template.render(roots)
        guard let all = value.elements else {
            throw Self.unfit("gives \(Self.name(of: value)), not a list", plan.stream)
        }
        guard all.count <= Self.limit else {
            throw Self.unfit("gives \(all.count) elements; at most \(Self.limit) are read", plan.stream)
        }
        var (names, once): ([String], [JSONValue]) = ([], [])
        var met: Set<String> = []
        for (at, element) in all.enumerated() {
            switch element {
            case .string, .number, .object: break
            case .null, .bool, .array:
                let what = "gives \(Self.name(of: element)) as its element \(at + 1)"
                throw Self.unfit("\(what), not a text, a number or an object", plan.stream)
            }
            let name = ParentPart.name(of: element)
            guard met.insert(name).inserted else { continue }
            names.append(name)
            once.append(element)
        }
        var bytes: [UInt8] = []
        JSONValue.array(once).write(to: &bytes)
        let limits = JSONLimits(depth: JSONLimits().depth + 1, bytes: .max)
        do throws(JSONError) {
            elements = try JSONDocument(bytes: bytes, limits: limits).root.elements ?? []
        } catch {
            if error.kind == .noMemory { throw .memoryShort("the list of stream '\(plan.stream.name)'") }
            throw Self.unfit("cannot be written as JSON: \(error.reason)", plan.stream)
        }
        self.names = names
    }

    private static func name(of value: JSONValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    private static func unfit(_ what: String, _ stream: PlugManifest.Stream) -> PlugError {
        PlugError(
            .forEachList,
            "\(stream.places["for_each.list"]): 'for_each.list' \(what)",
            advice: "check what it is made of: 'config' of type list, or a program that gives [ ]",
            stream: stream.name
        )
    }
}

/// Delivers the elements of a list on one page: an interrupted walk finds its element wherever it is by then.
struct ListWalk: Walk {
    private let list: ParentList
    private let byText: Bool
    private var isOver = false

    /// - Parameter byText: Whether a numeric element is named by its text.
    init(_ list: ParentList, byText: Bool) {
        self.list = list
        self.byText = byText
    }

    var watermark: JSONValue? { nil }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        if isOver { return .end }
        isOver = true
        return .page(
            WalkedPage(
                records: list.elements,
                names: byText ? list.elements.map { ParentPart.name(of: $0.value, byText: true) } : list.names,
                mark: .members(("list", .bool(true))),
                following: nil,
                cost: FetchedPage.Cost(),
                origin: "'for_each.list'"
            )
        )
    }
}
