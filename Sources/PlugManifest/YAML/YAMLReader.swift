package import PlugCore

/// Parses bytes into a located tree. It refuses what could expand a small file (anchors, aliases, merge keys) and what two
/// readers could read differently (duplicate keys, tags, several documents); files of other systems may have aliases, which are
/// counted.
package struct YAMLReader {
    /// The tree, `nil` if the file is not a single YAML document, and the findings.
    package struct Result {
        /// The tree.
        package var root: YAMLNode?
        /// The findings, in the order of the file.
        package var diagnostics: [Diagnostic] = []
        /// The file's lines.
        package var source: SourceText
    }

    /// The largest file in bytes.
    package static let byteLimit = 256 << 10
    static let depthLimit = 32

    /// Ends the reading; the error is in `diagnostics`.
    private struct Stop: Error {}

    private let kind: YAMLKind
    private let parser: YAMLParser
    private let source: SourceText
    private var diagnostics: [Diagnostic] = []
    private var anchors = YAMLAnchors()
    private var count = 0
    /// The depth reached within the current node.
    private var deepest = 0

    private init(_ kind: YAMLKind, parser: YAMLParser, source: SourceText) {
        self.kind = kind
        self.parser = parser
        self.source = source
    }

    /// Reads a file's bytes. Never fails: errors are in the result.
    package static func read(_ bytes: [UInt8], as kind: YAMLKind = .manifest) -> Result {
        if let refusal = refusal(of: bytes, kind) {
            return Result(root: nil, diagnostics: [refusal], source: SourceText(""))
        }
        let source = SourceText(String(decoding: bytes, as: UTF8.self))
        // libyaml looks for a byte order mark only when it is not told the encoding.
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        do {
            var reader = YAMLReader(kind, parser: try YAMLParser(bytes.dropFirst(hasMark ? 3 : 0)), source: source)
            let root = try? reader.document()
            return Result(root: root, diagnostics: reader.diagnostics, source: source)
        } catch {
            return Result(root: nil, diagnostics: [Diagnostic(.error, .yamlSyntax, error.message)], source: source)
        }
    }

    /// Errors that can be found before parsing.
    private static func refusal(of bytes: [UInt8], _ kind: YAMLKind) -> Diagnostic? {
        guard bytes.count <= kind.byteLimit else {
            return Diagnostic(
                .error,
                .yamlTooLarge,
                "the file has \(bytes.count) bytes, but \(kind.name) may have at most \(kind.byteLimit)",
                help: kind.whenTooLarge
            )
        }
        if let offset = Encoding.firstInvalidByte(of: bytes) {
            let help = "save the file as UTF-8"
            return Diagnostic(
                .error,
                .yamlNotUTF8,
                "the file is not UTF-8",
                at: Encoding.location(of: offset, bytes),
                help: help
            )
        }
        if let offset = bytes.firstIndex(of: 0) {
            let location = Encoding.location(of: offset, bytes)
            return Diagnostic(.error, .yamlNul, "the file contains a NUL character", at: location, help: "remove it")
        }
        return nil
    }

    private mutating func document() throws(Stop) -> YAMLNode? {
        while true {
            let event = try next()
            switch event.kind {
            case .streamEnd:
                report(.yamlEmpty, "the file is empty", .init(line: 1, column: 1), "see \(kind.example)")
                return nil
            case .documentStart:
                let root = try node(try next(), depth: 1)
                try expectEnd()
                return root
            default: continue
            }
        }
    }

    private mutating func expectEnd() throws(Stop) {
        while true {
            let event = try next()
            if case .streamEnd = event.kind { return }
            if case .documentStart = event.kind {
                report(.yamlSeveralDocuments, "a second document begins here", location(event), kind.whenSeveral)
                return
            }
        }
    }

    private mutating func node(_ event: YAMLParser.Event, depth: Int) throws(Stop) -> YAMLNode {
        let (before, around) = (count, deepest)
        deepest = depth
        defer { deepest = max(deepest, around) }
        try check(event, depth: depth)
        let node: YAMLNode
        switch event.kind {
        case .sequenceStart: node = try sequence(event, depth)
        case .mappingStart: node = try mapping(event, depth)
        case .scalar(let text, let style, let isPlain):
            let scalar = YAMLScalar(text: text, style: style, start: event.start, isPlain: isPlain)
            node = YAMLNode(.scalar(scalar), at: location(event))
        case .alias(let name): return try alias(name, event, depth)
        default: throw Stop()
        }
        if let name = event.anchor { anchors.name(node, name, size: count - before, height: deepest - depth + 1) }
        return node
    }

    private mutating func alias(_ name: String, _ event: YAMLParser.Event, _ depth: Int) throws(Stop) -> YAMLNode {
        guard let (node, size, height) = anchors.node(name) else {
            report(.yamlAnchor, "there is no anchor '\(name)' before this alias", location(event), kind.insteadOfAlias)
            throw Stop()
        }
        try count(size - 1, event)
        if depth + height - 1 > kind.depthLimit { throw tooDeep(event) }
        deepest = max(deepest, depth + height - 1)
        return node
    }

    private mutating func count(_ nodes: Int, _ event: YAMLParser.Event) throws(Stop) {
        count += nodes
        guard let limit = kind.nodeLimit, count > limit else { return }
        let message = "with what its aliases stand for, \(kind.name) has more than \(limit) values"
        report(.yamlTooLarge, message, location(event), kind.whenTooLarge)
        throw Stop()
    }

    private mutating func check(_ event: YAMLParser.Event, depth: Int) throws(Stop) {
        if kind.nodeLimit == nil {
            if case .alias = event.kind { throw refuseAnchor(event, "alias") }
            if event.anchor != nil { throw refuseAnchor(event, "anchor") }
        }
        try count(1, event)
        if depth > kind.depthLimit { throw tooDeep(event) }
        let core = ["!", "str", "int", "float", "bool", "null", "map", "seq"]
        if let tag = event.tag, !core.contains(where: { tag == $0 || tag == "tag:yaml.org,2002:\($0)" }) {
            // A text that begins with '!' may have been intended.
            let what = kind.holdsSecrets ? "a tag" : "the tag '\(tag)'"
            report(.yamlTag, "\(what) has no meaning in \(kind.name)", location(event), "remove it")
        }
    }

    private mutating func tooDeep(_ event: YAMLParser.Event) -> Stop {
        let message = "values are nested more than \(kind.depthLimit) deep"
        report(.yamlTooDeep, message, location(event), "\(kind.name) needs about ten levels")
        return Stop()
    }

    private mutating func refuseAnchor(_ event: YAMLParser.Event, _ what: String) -> Stop {
        report(.yamlAnchor, "an \(what) is not allowed in \(kind.name)", location(event), kind.insteadOfAlias)
        return Stop()
    }

    private mutating func sequence(_ start: YAMLParser.Event, _ depth: Int) throws(Stop) -> YAMLNode {
        var nodes: [YAMLNode] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind {
                return YAMLNode(.sequence(nodes), at: location(start, to: event))
            }
            nodes.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func mapping(_ start: YAMLParser.Event, _ depth: Int) throws(Stop) -> YAMLNode {
        var entries: [YAMLEntry] = []
        var merged: [YAMLNode] = []
        var places: [String: Diagnostic.Location] = [:]
        var isMisread = false
        while true {
            let event = try next()
            if case .mappingEnd = event.kind {
                let location = location(start, to: event)
                let all = merged.isEmpty ? entries : YAMLAnchors.merged(entries, with: merged)
                return YAMLNode(.mapping(all), at: location, isMisread: isMisread)
            }
            let key = try node(event, depth: depth + 1)
            let value = try node(try next(), depth: depth + 1)
            guard let name = key.scalar else {
                isMisread = isMisread || isTemplate(start, event)
                reportKey(start, event, key)
                continue
            }
            if name.text == "<<", name.isPlain, kind.nodeLimit != nil {
                merged += value.sequence ?? [value]
                if merged.contains(where: { $0.mapping == nil }) {
                    report(
                        .yamlMergeKey,
                        "a merge key takes a mapping, or a list of them",
                        key.location,
                        kind.insteadOfAlias
                    )
                }
            } else if name.text == "<<", name.isPlain {
                let help = "write the keys where they are needed"
                report(.yamlMergeKey, "a merge key is not allowed in \(kind.name)", key.location, help)
            } else if kind.nodeLimit != nil, let at = entries.firstIndex(where: { $0.key == name.text }) {
                // Other programs let the last one count.
                entries[at].value = value
            } else if let first = places[name.text] {
                let note = "first written on line \(first.line), column \(first.column); remove one of them"
                report(.yamlDuplicateKey, "the key '\(name.text)' is written twice", key.location, note)
            } else {
                places[name.text] = key.location
                entries.append(YAMLEntry(key: name.text, keyLocation: key.location, value: value))
            }
        }
    }

    /// `{{ x }}` without quotes is a mapping in a mapping: the outer one begins just before its key.
    private func isTemplate(_ outer: YAMLParser.Event, _ key: YAMLParser.Event) -> Bool {
        guard case .mappingStart(isFlow: true) = outer.kind, case .mappingStart(isFlow: true) = key.kind else {
            return false
        }
        return key.start == SourceText.Position(line: outer.start.line, column: outer.start.column + 1)
    }

    private mutating func reportKey(_ outer: YAMLParser.Event, _ event: YAMLParser.Event, _ key: YAMLNode) {
        if isTemplate(outer, event) {
            reportTemplate(outer.start)
        } else {
            report(.yamlKey, "a key must be a text, not \(key.kindName)", key.location, "write it as a plain word")
        }
    }

    private mutating func reportTemplate(_ start: SourceText.Position) {
        let line = source.lines[start.line]
        let end = SourceText.Position(line: start.line, column: MessageText.templateEnd(in: line, from: start.column))
        let text = String(String.UnicodeScalarView(line[start.column..<end.column]))
        let message = "YAML reads {{ … }} without quotes as a mapping"
        let quoted = "'\(MessageText.shortened(text.replacing("'", with: "''"), to: 60))'"
        let help = kind.holdsSecrets ? "put quotes around it" : "put quotes around it: \(quoted)"
        report(.unquotedTemplate, message, source.location(from: start, to: end), help)
    }

    private mutating func next() throws(Stop) -> YAMLParser.Event {
        do {
            return try parser.next()
        } catch {
            reportSyntax(error)
            throw Stop()
        }
    }

    private mutating func reportSyntax(_ failure: YAMLParser.Failure) {
        for line in [failure.context?.line, failure.position.line].compactMap(\.self) where line < source.lines.count {
            let text = source.lines[line]
            guard let column = MessageText.unquotedTemplate(in: text) else { continue }
            let isKnown = diagnostics.contains { $0.code == .unquotedTemplate && $0.location?.line == line + 1 }
            if isKnown { return }
            return reportTemplate(.init(line: line, column: column))
        }
        let words = SyntaxWords(failure, in: source)
        let location = Diagnostic.Location(line: words.position.line + 1, column: words.position.column + 1)
        report(.yamlSyntax, "this is not YAML: \(words.problem)", location, words.help)
    }

    private mutating func report(
        _ code: PlugError.Code,
        _ message: String,
        _ location: Diagnostic.Location,
        _ help: String?
    ) {
        diagnostics.append(Diagnostic(.error, code, message, at: location, help: help))
    }

    private func location(_ event: YAMLParser.Event) -> Diagnostic.Location {
        source.location(from: event.start, to: event.end)
    }

    private func location(_ start: YAMLParser.Event, to end: YAMLParser.Event) -> Diagnostic.Location {
        source.location(from: start.start, to: end.end)
    }
}
