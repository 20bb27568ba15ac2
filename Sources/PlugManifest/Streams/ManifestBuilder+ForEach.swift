import JQ
import LosslessJSON
import PlugCore

// The parents of a stream.
extension ManifestBuilder {
    /// The value of `for_each`; `nil` if there is none, or it is invalid.
    func parents(_ keys: CheckedMapping, of stream: String, _ families: StreamFamilies) -> Parents? {
        guard let node = keys["for_each"] else { return nil }
        let place = keys.location("for_each")
        let nodes = StreamFamilies.levels(node)
        if nodes.isEmpty {
            let help = "name a stream, as in {in: boards}, or give a list, as in {list: [a, b], as: id}"
            findings.error(.wrongValue, "'for_each' is empty", at: node.location, help: help)
            return nil
        }
        let family = families.family(of: stream)
        if family.sources > Parents.depthLimit || family.lineage.count > Parents.depthLimit {
            let message =
                "the stream '\(MessageText.shortened(stream))' is read for more than \(Parents.depthLimit) others"
            let help = "leave some out; those that its parents are read for count, too"
            findings.error(.forEachTooDeep, message, at: place, help: help)
            return nil
        }
        var names: Set<String> = []
        var lineage: [String?] = []
        var levels: [Parents.Level] = []
        for node in nodes {
            guard let each = CheckedMapping(node, Tables.forEach, at: nodes.count > 1 ? node.location : place, findings)
            else { continue }
            checkName(each, isOneOfSeveral: nodes.count > 1, &names)
            if nodes.count > 1, each.isWritten("inside") {
                let message = "'inside' cannot be in one of several parts of 'for_each'"
                let help =
                    "write for_each: {in: STREAM, inside: \(each.text("inside") ?? "J")}, without a list around it"
                findings.error(.twoKinds, message, at: each.location("inside"), help: help)
            }
            lineage += families.lineage(above: node, of: stream)
            let level = level(each, keys, lineage, isOneOfSeveral: nodes.count > 1, families)
            if let level { levels.append(level) }
            lineage.append(StreamFamilies.name(of: node))
        }
        guard levels.count == nodes.count else { return nil }
        return Parents(levels: levels, lineage: family.lineage)
    }

    private func checkName(_ each: CheckedMapping, isOneOfSeveral: Bool, _ names: inout Set<String>) {
        guard let alias = each["as"], let name = alias.scalar?.text else {
            guard isOneOfSeveral, !each.isWritten("as") else { return }
            let help = "add 'as: NAME', so that programs and templates can tell the parts of the combination apart"
            return findings.error(.missingKey, "'as' is missing in a part of 'for_each'", at: each.place, help: help)
        }
        if name == "parent", !isOneOfSeveral { return }
        guard name != "parent", StreamFamilies.isName(name) else {
            let help = "use letters, digits and '_', and no name that jq or templates already use"
            let message = "'\(MessageText.shortened(name))' cannot name the parent"
            return findings.error(.badName, message, at: alias.location, help: help)
        }
        if !names.insert(name).inserted {
            let message = "'\(name)' names two parts of 'for_each'"
            findings.error(.badName, message, at: alias.location, help: "give each a name of its own")
        }
    }

    /// - Parameter lineage: The names of its records' parents, and of the parts before it.
    private func level(
        _ each: CheckedMapping,
        _ stream: CheckedMapping,
        _ lineage: [String?],
        isOneOfSeveral: Bool,
        _ families: StreamFamilies
    ) -> Parents.Level? {
        guard let kind = each.kind(of: Tables.forEach, findings) else { return nil }
        let sources: [Parents.Source]
        if kind.key == "any_of" {
            let nodes = kind.value.sequence ?? []
            sources = nodes.compactMap { node in
                guard let source = CheckedMapping(node, Tables.parentSource, at: node.location, findings) else {
                    return nil
                }
                return source.kind(of: Tables.parentSource, findings).flatMap { self.source($0, families) }
            }
            if nodes.count < 2 {
                let help = "name at least two, or write the only one without 'any_of'"
                findings.error(.wrongValue, "'any_of' has nothing to choose from", at: kind.value.location, help: help)
            }
            guard sources.count == nodes.count, nodes.count > 1 else { return nil }
        } else {
            guard let source = source(kind, families) else { return nil }
            sources = [source]
        }
        let globals = RecordGlobals(lineage: lineage)
        let scope = ProgramScope.records(
            globals,
            hasParent: false,
            place: "'skip_if', a program over the parent's record"
        )
        let onlyChanged = each.isWritten("only")
        if onlyChanged { checkOnlyChanged(each, isOneOfSeveral: isOneOfSeveral, families) }
        checkGroup(each, stream)
        checkUnchanged(each, stream, isOneOfSeveral: isOneOfSeveral)
        return Parents.Level(
            sources: sources,
            skipIf: program(each["skip_if"], scope),
            globals: globals,
            group: each.integer("group"),
            onlyChanged: onlyChanged,
            skipsUnchanged: each.isWritten("unchanged")
        )
    }

    private func source(_ kind: YAMLEntry, _ families: StreamFamilies) -> Parents.Source? {
        if kind.key == "list" { return list(kind.value).map { .list($0) } }
        guard let name = kind.value.scalar?.text else { return nil }
        if families.names.contains(name) { return .stream(name) }
        let help = MessageText.help(for: name, in: families.names, called: "streams")
        findings.error(
            .open(.unknownStream),
            "there is no stream '\(MessageText.shortened(name))'",
            at: kind.value.location,
            help: help
        )
        return nil
    }

    /// A list: its elements one by one, or a template that returns them.
    private func list(_ node: YAMLNode) -> JSONTemplate? {
        // The elements reach programs over records, which never see secrets.
        let scope = ProgramScope(
            available: ["config", "now"],
            globals: TemplateRoots.names,
            place: "'for_each.list'",
            seesSecrets: false
        )
        if let scalar = node.scalar, !scalar.text.contains("{{") {
            let help = "write it in brackets: [\(MessageText.shortened(scalar.text))]"
            findings.error(.wrongType, "'list' must be a list, not \(node.kindName)", at: node.location, help: help)
            return nil
        }
        if node.mapping != nil || node.sequence?.isEmpty == true {
            let what = node.mapping == nil ? "an empty one" : node.kindName
            let help = "list what the stream is read for, as in [2024, 2025]"
            findings.error(
                .wrongValue,
                "'list' must be a list with elements, not \(what)",
                at: node.location,
                help: help
            )
            return nil
        }
        var isFine = true
        for element in node.sequence ?? [] {
            let isNothing =
                element.scalar.map { $0.isNull || ($0.isPlain && $0.bool != nil) } ?? (element.mapping == nil)
            guard isNothing else { continue }
            isFine = false
            let message = "an element of 'list' must be a text, a number or a mapping, not \(element.kindName)"
            findings.error(.wrongType, message, at: element.location)
        }
        return isFine ? jsonTemplate(node, scope) : nil
    }

    private func checkOnlyChanged(_ each: CheckedMapping, isOneOfSeveral: Bool, _ families: StreamFamilies) {
        let place = each.location("only")
        guard let parent = each.text("in"), !isOneOfSeveral else {
            let message = "'only: changed' needs a single parent stream"
            let help = "write for_each: {in: STREAM, only: changed}, without 'list', 'any_of' and other parts"
            return findings.error(.onlyChanged, message, at: place, help: help)
        }
        guard families.names.contains(parent) else { return }
        if families.isIncremental(parent) || families.readsChangedOnly(parent) { return }
        let isChild = families.isChild(parent)
        let message =
            "'only: changed' needs 'since' in the parent stream '\(parent)'"
            + (isChild ? ", or 'only: changed' in its 'for_each'" : "")
        let help =
            "add \(isChild ? "one of them" : "'since'") to '\(parent)', so that it can be asked for what is new, or remove 'only'"
        findings.error(.onlyChanged, message, at: place, help: help)
    }

    /// An unchanged page proves that a parent has nothing new only if it is the single page.
    private func checkUnchanged(_ each: CheckedMapping, _ stream: CheckedMapping, isOneOfSeveral: Bool) {
        guard each.isWritten("unchanged") else { return }
        let (reason, help): (String, String)
        if isOneOfSeveral {
            (reason, help) = ("needs a 'for_each' of one part", "remove it, or read the parts in streams of their own")
        } else if stream.isWritten("since") {
            (reason, help) = ("and 'since' cannot be used together", "remove it: 'since' asks for what is new")
        } else if stream["deletes"]?["missing"]?.scalar?.bool == true {
            (reason, help) = (
                "and 'deletes: {missing: true}' cannot be used together",
                "remove it: what is not read would count as deleted"
            )
        } else if stream["page"]?["link"] != nil {
            (reason, help) = (
                "and 'page: {link: …}' cannot be used together", "remove it: a page says nothing of its Link header"
            )
        } else if let method = stream["request"]?["method"]?.scalar?.text, method != Request.Method.get.rawValue {
            (reason, help) = ("needs requests with GET", "remove it: only GET can ask whether something has changed")
        } else {
            return
        }
        findings.error(
            .unchangedExcludes,
            "'unchanged: skip' \(reason)",
            at: each.location("unchanged"),
            help: help
        )
    }

    private func checkGroup(_ each: CheckedMapping, _ stream: CheckedMapping) {
        guard each.isWritten("group"), stream.isWritten("since") else { return }
        let message = "'group' and 'since' cannot be used together: each parent would need a position of its own"
        let help = "remove one of them; without 'group' the position of each parent is kept"
        findings.error(.groupSince, message, at: each.location("group"), help: help)
    }

    /// Reports streams that are read for each other.
    func checkCycles(_ families: StreamFamilies, _ entries: [YAMLEntry]) {
        var reported: Set<String> = []
        for entry in entries where !reported.contains(entry.key) {
            guard let chain = Self.circle(from: entry.key, families),
                let target = families.parents(of: entry.key).first(where: { $0.name == chain[min(1, chain.count - 1)] })
            else { continue }
            reported.formUnion(chain)
            let circle = (chain + [entry.key]).joined(separator: " → ")
            let isAlone = chain.count == 1
            findings.error(
                .streamCycle,
                isAlone ? "the stream depends on itself" : "the streams depend on each other: \(circle)",
                at: target.node.location,
                help: isAlone
                    ? "name the stream whose records are the parents" : "one of them must be read without the other"
            )
        }
    }

    /// The shortest path from a stream back to itself, `nil` if there is none.
    private static func circle(from start: String, _ families: StreamFamilies) -> [String]? {
        var ways = [[start]]
        var seen: Set<String> = []
        var next = 0
        while next < ways.count {
            let way = ways[next]
            next += 1
            for (parent, _) in families.parents(of: way[way.count - 1]) {
                if parent == start { return way }
                if seen.insert(parent).inserted { ways.append(way + [parent]) }
            }
        }
        return nil
    }
}
