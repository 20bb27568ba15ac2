import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// The streams that were read completely, in file order.
    func streams(_ keys: CheckedMapping, namespace: String?, hosts: [HostPattern], hasBase: Bool) -> [Stream] {
        let defaults = defaults(keys)
        let entries = (keys["streams"]?.mapping ?? []).map { entry in
            let table = table(of: entry.value)
            return YAMLEntry(
                key: entry.key,
                keyLocation: entry.keyLocation,
                value: defaults.added(to: entry.value) { table[$0] != nil }
            )
        }
        if entries.isEmpty, let node = keys["streams"] {
            findings.error(.noStreams, "a plug without streams reads nothing", at: node.location, help: "add one")
        }
        let single = Set(
            (keys["streams"]?.mapping ?? []).filter { $0.value["page"]?.scalar?.text == "none" }.map(\.key)
        )
        let families = StreamFamilies(entries)
        let streams = entries.compactMap { entry -> Stream? in
            checkStreamName(entry)
            let table = table(of: entry.value)
            guard let keys = CheckedMapping(entry.value, table, at: entry.keyLocation, findings) else { return nil }
            let places = KeyLocations(of: entry, in: self.path)
            let stream = stream(
                entry.key,
                keys,
                places,
                namespace: namespace,
                families: families,
                hosts: hosts,
                hasBase: hasBase
            )
            return stream?.replacing(declinesPages: single.contains(entry.key))
        }
        checkCycles(families, entries)
        return streams
    }

    /// The keys that a stream may have.
    private func table(of stream: YAMLNode) -> KeyTable {
        if hasProgram { return Tables.programStream }
        if stream["for_each"]?["inside"] != nil { return Tables.embeddedStream }
        // Anything besides 'request' is a second kind, and reported as such.
        if stream["swift"] != nil, stream["request"] == nil { return Tables.moduleStream }
        return stream["archive"] == nil ? Tables.stream : Tables.archiveStream
    }

    /// The defaults of all streams. Whether their keys fit is reported for the streams that take them.
    private func defaults(_ keys: CheckedMapping) -> StreamDefaults {
        guard let node = keys["defaults"],
            CheckedMapping(node, Tables.defaults, at: keys.location("defaults"), findings) != nil
        else { return StreamDefaults(nil) }
        return StreamDefaults(node)
    }

    private func checkStreamName(_ entry: YAMLEntry) {
        let isName = entry.key.unicodeScalars.allSatisfy { $0.isASCIIWord || $0 == "_" || $0 == "-" }
        if isName, (1...64).contains(entry.key.count) { return }
        let help = "use letters, digits, '_' and '-', at most 64"
        findings.error(
            .badName,
            "'\(MessageText.shortened(entry.key))' is not a name for a stream",
            at: entry.keyLocation,
            help: help
        )
    }

    /// If pages are counted, one without records is the last: a filter would make a page in the middle look like it, unless the
    /// program begins with a path, at which the source's own records are counted.
    private func checkFilter(_ selection: JQProgram?, _ paging: Paging?, _ keys: CheckedMapping) {
        guard let selection, let paging, paging.isCounted, paging.more == nil, paging.pages == nil,
            selection.syntax.calls("select"), JQPath.leading(selection) == nil
        else { return }
        findings.error(
            .pagingFiltered,
            "'records' leaves records out and does not begin with a path: a page without records would end the pass",
            at: keys.location("records"),
            help:
                "begin with the list, as '.items[] | select(.a)' does, leave records out with 'drop_if', or say in "
                + "'page.more' whether there is another page"
        )
    }

    private func stream(
        _ name: String,
        _ keys: CheckedMapping,
        _ places: KeyLocations,
        namespace: String?,
        families: StreamFamilies,
        hosts: [HostPattern],
        hasBase: Bool
    ) -> Stream? {
        let parent = parents(keys, of: name, families)
        let lineage = families.family(of: name).lineage
        let path = path(keys, namespace)
        let roots = grantedRoots.union(["page", "since", "until", "pass"]).union(
            keys.isWritten("for_each") ? ["parent"] : []
        )
        let lists = StreamFamilies.lists(keys["for_each"])
        let templates = ProgramScope.template("a request", roots, own: RecordGlobals.distinct(lineage)).naming(
            lists: lists
        )
        let globals = RecordGlobals(lineage: lineage, hasEntry: keys.isWritten("archive"))
        let records = ProgramScope.records(globals, hasParent: keys.isWritten("for_each")).naming(lists: lists)

        let request = request(keys, templates, hosts: hosts, hasBase: hasBase)
        let inside = keys["for_each"]?["inside"]
        let recordsNode = inside ?? keys["records"]
        let selection = recordsNode == nil ? compile(".", records) { _ in keys.place } : program(recordsNode, records)
        let answers = ProgramScope.answers(globals.withHeaders, hasParent: keys.isWritten("for_each")).naming(
            lists: lists
        )
        let rules = rules(keys)
        let authorization = streamAuthorization(keys, name, request)
        let paging = paging(keys, answers, request)
        let archive = archive(keys)
        let module = module(keys)
        var decoding = decoding(keys, request)
        if keys.isWritten("archive") { decoding = entryDecoding(decoding, selection) }
        // Decoded records are counted before 'records' runs over them.
        if decoding == nil { checkFilter(selection, paging, keys) } else { checkDecodedPage(paging, keys) }
        let since = since(keys, records, templates, request)
        checkRefusals(keys, of: name, paging, since, request)
        checkVariables(keys, request)
        let hasParent = keys.isWritten("for_each")
        let mapping = ProgramScope.map(globals, hasParent: hasParent, hasBounds: keys.isWritten("since")).naming(
            lists: lists
        )
        let key = (keys["key"].map { $0.sequence ?? [$0] } ?? []).compactMap { program($0, mapping) }
        let needed = (key + (since?.fields ?? [])).compactMap { JQPath($0)?.firstMember }
        if selection?.changesNothing == true { decoding = decoding?.expecting(columns: needed) }
        let versionWord = keys.text("version").flatMap { ["none", "content"].contains($0) ? $0 : nil }
        let version = versionWord == nil ? program(keys["version"], records) : nil
        checkDenied(versionWord, since, keys)
        let map = program(keys["map"], mapping)
        let dropIf = program(keys["drop_if"], records)
        let deletes = deletes(keys)
        let options = StreamOptions(keys)
        checkEqual(options, keys, deletes)
        checkIdentity(name, options, keys)
        let fields = fields(keys["fields"])
        checkMembers(keys, map)
        checkCursor(keys, since, fields, map)
        let tests = tests(keys)
        if !hasProgram, keys.isWritten("tap_stream") {
            let message = "'tap_stream' names a stream of a program, and this plug has no 'exec'"
            findings.error(.tapStreamUnused, message, at: keys.location("tap_stream"), help: "remove it")
        }
        // Everything has been read by now: an invalid part hides no other errors.
        guard request != nil || inside != nil || archive != nil || module != nil || hasProgram, let selection else {
            return nil
        }
        return Stream(
            name: name,
            path: path,
            request: request,
            archive: archive,
            module: module,
            tapStream: hasProgram ? keys.text("tap_stream") ?? name : nil,
            authorization: authorization,
            rules: rules,
            decoding: decoding,
            records: selection,
            paging: paging,
            since: since,
            parent: parent,
            key: key,
            version: version,
            // Contents are compared if there is no version, or if the manifest asks for it.
            declaresVersion: keys.isWritten("version") && versionWord != "content",
            map: map,
            dropIf: dropIf,
            deletion: program(deletes?["field"], records),
            missing: missing(deletes, keys, request),
            fields: fields,
            options: options,
            tests: tests,
            identityMarks: deletes != nil ? .deletions : version != nil ? .versions : .none,
            places: places
        )
    }

    private func path(_ keys: CheckedMapping, _ namespace: String?) -> DataPath? {
        guard let node = keys["endpoint"], let text = node.scalar?.text else { return nil }
        let isTidy = DataPath.isEndpoint(text) && text.first != "/" && text.last != "/" && !text.contains("//")
        guard isTidy else {
            let help = "use lower-case letters, digits and hyphens, with slashes only inside"
            findings.error(
                .badEndpoint,
                "'\(MessageText.shortened(text))' is not an endpoint",
                at: node.location,
                help: help
            )
            return nil
        }
        return namespace.flatMap { DataPath(namespace: $0, endpoint: text) }
    }

    private func checkIdentity(_ name: String, _ options: StreamOptions, _ keys: CheckedMapping) {
        guard keys.isWritten("endpoint") else { return }
        if !options.hasIdentity {
            let message =
                "without '_id' an equal record of another stream counts as this one, and delivery cannot be proved"
            return findings.note(
                .identityOff,
                message,
                at: keys.location("identity"),
                help: "leave it on for new shapes"
            )
        }
        // The program may declare what identifies a record.
        if !hasProgram && !keys.isWritten("key") || keys["key"]?.sequence?.isEmpty == true {
            let help = "name the members that identify a record, such as 'key: [.id]'"
            findings.error(.keyRequired, "the stream '\(name)' has no 'key'", at: keys.place, help: help)
        }
        if !keys.isWritten("version") {
            let message = "the stream '\(name)' has no 'version', which changes when a record changes"
            let help =
                "write a program such as 'version: .updated_at', 'version: none' for records that never change, or 'version: "
                + "content' to compare contents: a record that returns to an earlier state is then not stored again"
            findings.warn(.versionMissing, message, at: keys.place, help: help)
        }
    }

    /// A stream that asks for what has changed has records that change.
    private func checkDenied(_ version: String?, _ since: Since?, _ keys: CheckedMapping) {
        let names = ["updated", "modified", "changed", "edited", "update", "modification", "mtime"]
        guard version == "none", keys.isWritten("endpoint"), let field = since?.fields.first,
            case let plain = field.source.lowercased().filter(\.isLetter), names.contains(where: plain.contains)
        else { return }
        findings.warn(
            .versionDenied,
            "'version: none' says that records never change, and 'since.field' (\(field.source)) looks like the time of a change: "
                + "changes would be read and not delivered",
            at: keys.location("version"),
            help: "write 'version: \(field.source)' or 'version: content'"
        )
    }

    /// Records are numbered in their `_id`s, so these must exist, and nothing else may name a record by its key.
    private func checkEqual(_ options: StreamOptions, _ keys: CheckedMapping, _ deletes: CheckedMapping?) {
        guard options.countsEqual else { return }
        let (reason, help): (String, String)
        if !options.hasIdentity {
            (reason, help) = ("there is none with 'identity: off'", "leave 'identity' on")
        } else if deletes?.isWritten("field") == true {
            (reason, help) = (
                "a deletion does not say which of them is deleted", "remove 'deletes.field', or write 'equal: one'"
            )
        } else {
            return
        }
        let message = "'equal: count' numbers equal records in their '_id', and \(reason)"
        findings.error(.equalExcludes, message, at: keys.location("equal"), help: help)
    }
}
