import JQ
import LosslessJSON

/// The records of a page, as `records` selects them.
struct RecordSelection: Sendable {
    enum Failure: Error, Equatable {
        /// `null`, or nothing in place of the records.
        case missing
        /// The task was cancelled.
        case interrupted
        /// There is not enough memory for what the program gives.
        case noMemory
        /// The program failed; jq's message without values.
        case failed(String)
    }

    private let selector: Selector
    /// The path to what the program iterates over.
    private let source: JQPath?
    /// The program's selection, if it does nothing else.
    let selection: JQSelection?
    /// The same for each element of a list.
    private let selectionOfEach: JQSelection?
    /// Whether each output is made from one element of a list; otherwise one output holds all of them.
    let givesEach: Bool

    init(_ program: JQProgram) {
        selector = Selector(program)
        source = JQPath.leading(program)
        selection = JQSelection(program)
        selectionOfEach = selection?.ofEach
        givesEach = JQChunks(program)?.isEach ?? false
    }

    /// Whether the program is only a path to the list at these members, or to its elements, and what it meets is not observed.
    func isPath(of names: [String]) -> Bool {
        guard let path = selector.path, selector.program.coverage == nil else { return false }
        return path.memberNames == names || path.isElements(of: names)
    }

    /// How many items the source's page lists, whatever `records` leaves out or makes of them; `nil` if that cannot be
    /// determined.
    func sourceCount(of document: JSONDocument) -> Int? {
        guard let source else { return nil }
        return document.withCursor { cursor in
            if source.iterates {
                var count = 0
                return source.forEach(cursor, 0) { _ in count += 1 } ? count : nil
            }
            switch source.resolve(cursor, 0) {
            case .missing: return 0
            case .node(let node):
                switch cursor.kind(node) {
                case .null: return 0
                case .array: return cursor.count(of: node)
                case .object: return selector.path == nil ? nil : cursor.first(in: node) == nil ? 0 : 1
                default: return nil
                }
            case .unfit: return nil
            }
        }
    }

    /// Whether it can be determined if an answer has the list that the program iterates over.
    var tellsLists: Bool { source != nil }

    /// Whether an answer has the list that the program iterates over, even an empty one; `false` if that cannot be determined.
    func showsList(in document: JSONDocument) -> Bool {
        guard let source else { return false }
        return document.withCursor { cursor in
            // A missing value cannot be iterated, which is an error if the program does not allow for it.
            if source.iterates { return source.forEach(cursor, 0) { _ in } }
            guard case .node(let node) = source.resolve(cursor, 0) else { return false }
            if cursor.kind(node) == .array { return true }
            // In place of a list, `{}` is an empty one; as the whole answer it may be anything.
            return cursor.kind(node) == .object && (cursor.first(in: node) != nil || node != 0)
        }
    }

    /// The outputs for each of a document's elements, as records; an output that is an array stands for its elements.
    func records(ofEach document: JSONDocument, _ globals: [JSONValue]) throws(Failure) -> [JSONView] {
        if let path = selector.path, path.isIdentity { return document.root.elements ?? [] }
        for element in document.root.elements ?? [] { try checkMembers(of: element) }
        if let views = selected(document.root, selectionOfEach) { return views }
        let engine = Engine(globals)
        var outputs: [JQOutput] = []
        for element in document.root.elements ?? [] {
            for output in try self.outputs(of: element, engine) {
                if output.isNull { throw .missing }
                if let elements = output.elements { outputs += elements } else { outputs.append(output) }
            }
        }
        return try views(of: outputs, in: document)
    }

    /// The outputs; a single one that is an array stands for its elements, an object is one record, and an empty one is none.
    func records(of whole: JSONView, _ globals: [JSONValue]) throws(Failure) -> [JSONView] {
        try checkMembers(of: whole)
        guard let path = selector.path else {
            if let views = selected(whole, selection) {
                return views.count == 1 ? try Self.unfolded(views[0]) : views
            }
            return try byEngine(whole, globals)
        }
        selector.program.cover(JQInput(whole), globals: JQGlobals(globals))
        if path.iterates {
            guard let views = views(whole, path) else { return try byEngine(whole, globals) }
            return views.count == 1 ? try Self.unfolded(views[0]) : views
        }
        switch whole.document.withCursor({ path.resolve($0, whole.node) }) {
        case .node(let node): return try Self.unfolded(JSONView(document: whole.document, node: node))
        case .missing: throw .missing
        case .unfit: return try byEngine(whole, globals)
        }
    }

    /// Fails if a member on the way to the records appears twice: one of its two lists would be lost.
    private func checkMembers(of whole: JSONView) throws(Failure) {
        guard let path = selector.path ?? source, let reason = path.repeatedMember(in: whole) else { return }
        throw .failed(reason)
    }

    /// The outputs of a path with `[]`, `nil` if the engine has to determine them.
    private func views(_ whole: JSONView, _ path: JQPath) -> [JSONView]? {
        var views: [JSONView] = []
        var isWhole = true
        let isFit = whole.document.withCursor { cursor in
            path.forEach(cursor, whole.node) { node in
                if let node { views.append(JSONView(document: whole.document, node: node)) } else { isWhole = false }
            }
        }
        return isFit && isWhole ? views : nil
    }

    /// What the program selects, `nil` if the engine has to determine it.
    func selected(_ view: JSONView, _ selection: JQSelection?) -> [JSONView]? {
        guard let selection else { return nil }
        let nodes = view.document.withCursor { selection.objects($0, view.node) }
        return nodes?.map { JSONView(document: view.document, node: $0) }
    }

    /// The outputs, each of which is a record, however many there are.
    func outputs(for whole: JSONView, _ globals: [JSONValue]) throws(Failure) -> [JSONView] {
        try checkMembers(of: whole)
        if let path = selector.path, path.iterates {
            selector.program.cover(JQInput(whole), globals: JQGlobals(globals))
            if let views = views(whole, path) { return views }
        }
        return try views(of: outputs(of: whole, Engine(globals)), in: whole.document)
    }

    private func byEngine(_ whole: JSONView, _ globals: [JSONValue]) throws(Failure) -> [JSONView] {
        var outputs = try self.outputs(of: whole, Engine(globals))
        if outputs.count == 1 {
            if outputs[0].isNull { throw .missing }
            if let elements = outputs[0].elements {
                outputs = elements
            } else if outputs[0].isObject,
                outputs[0].view?.isEmptyObject ?? (outputs[0].json.object?.members.isEmpty == true)
            {
                outputs = []
            }
        }
        return try views(of: outputs, in: whole.document)
    }

    private func views(of outputs: [JQOutput], in document: JSONDocument) throws(Failure) -> [JSONView] {
        // Most programs only filter records without changing them: those stay in place.
        let views = outputs.compactMap(\.view)
        if views.count == outputs.count, views.allSatisfy({ $0.document === document }) { return views }
        var bytes: [UInt8] = []
        for (at, output) in outputs.enumerated() {
            bytes.append(UInt8(ascii: at == 0 ? "[" : ","))
            output.append(to: &bytes)
        }
        bytes.append(contentsOf: (outputs.isEmpty ? "[]" : "]").utf8)
        do throws(JSONError) { return try JSONDocument(bytes: bytes).root.elements ?? [] } catch {
            throw error.kind == .noMemory ? .noMemory : .failed("its output is too deep or too large")
        }
    }

    /// What the engine needs besides a record, made once for all records of a page.
    private struct Engine {
        let globals: JQGlobals
        let workspace = JQWorkspace()

        init(_ globals: [JSONValue]) { self.globals = JQGlobals(globals) }
    }

    private func outputs(of view: JSONView, _ engine: Engine) throws(Failure) -> [JQOutput] {
        do throws(JQError) {
            return try selector.program.run(JQInput(view), globals: engine.globals, workspace: engine.workspace)
        } catch {
            if error.kind == .cancelled { throw .interrupted }
            if error.isIterationOfNull { throw .missing }
            throw .failed(error.withoutValues)
        }
    }

    /// What a single output stands for.
    static func unfolded(_ view: JSONView) throws(Failure) -> [JSONView] {
        switch view.kind {
        case .null: throw .missing
        case .array: return view.elements ?? []
        // Many services write an empty list like this.
        case .object: return view.isEmptyObject ? [] : [view]
        default: return [view]
        }
    }
}

extension JSONView {
    fileprivate var isEmptyObject: Bool {
        document.withCursor { $0.kind(node) == .object && $0.first(in: node) == nil }
    }
}

extension String {
    /// A program that yields an empty list if this one yields nothing. After a pipe, `//` would belong to the last part.
    var orEmptyList: String { contains("|") || contains(",") ? "(\(self)) // []" : "\(self) // []" }
}
