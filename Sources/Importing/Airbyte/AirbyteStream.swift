import PlugCore
import PlugManifest

/// A stream of the manifest as a stream of the plug.
struct AirbyteStream {
    /// The settings that all streams share.
    let config: ConfigKeys
    let find: AirbytePartitions.FindParent
    let namesOf: (String) -> PartitionNames

    /// The names that expressions use for the stream's parents.
    private(set) var names = PartitionNames()

    init(
        config: ConfigKeys,
        find: @escaping AirbytePartitions.FindParent,
        names: @escaping (String) -> PartitionNames
    ) {
        self.config = config
        self.find = find
        namesOf = names
    }

    /// Reads the stream, and records what is not carried over.
    mutating func read(_ stream: Component, source: String, name: String) -> StreamDraft {
        var draft = StreamDraft(source: source, name: name, line: stream.line)
        do throws(Unsayable) { try fill(&draft, stream) } catch {
            draft.findings.append(
                ImportFinding(line: error.line ?? stream.line, reason: error.reason, stream: source, leavesOut: true)
            )
        }
        return draft
    }

    private mutating func fill(_ draft: inout StreamDraft, _ stream: Component) throws(Unsayable) {
        guard stream.type == "DeclarativeStream" || stream.type == nil else {
            throw Unsayable("the stream '\(stream.type ?? "")' has no counterpart")
        }
        if let uploader = try stream.member("file_uploader") {
            throw Unsayable("files beside records have no counterpart", line: uploader.line)
        }
        guard let retriever = try stream.member("retriever") else { throw Unsayable("there is no 'retriever'") }
        guard retriever.type == "SimpleRetriever" || retriever.type == nil else {
            throw Unsayable("the retriever '\(retriever.type ?? "")' has no counterpart", line: retriever.line)
        }
        var cursor = try stream.member("incremental_sync")
        if cursor == nil { cursor = try retriever.member("incremental_sync") }
        var scope = JinjaScope(place: .template, config: config, parameters: retriever.parameters)
        scope.boundFormat = try AirbyteSince.boundFormat(of: cursor)
        if let start = try cursor?.member("partition_field_start")?.text { scope.boundNames.start = start }
        if let end = try cursor?.member("partition_field_end")?.text { scope.boundNames.end = end }

        var partitions = AirbytePartitions(scope, hasCursor: cursor != nil, find: find, names: namesOf)
        try partitions.read(try retriever.member("partition_router"))
        names = partitions.names
        scope.partitions = partitions.names
        draft.parents = partitions.parents

        let paginator = try retriever.member("paginator")
        scope.pageToken = try AirbytePaging.token(of: paginator)
        guard let requester = try retriever.member("requester") else { throw Unsayable("there is no 'requester'") }
        // The requester's parameters apply here.
        var requesting = scope
        requesting.parameters = requester.parameters
        var reader = AirbyteRequest(scope: requesting)
        try reader.read(requester)
        var request = reader.request
        draft.base = reader.base
        draft.addresses = reader.addresses
        draft.path = reader.path
        draft.auth = try AirbyteAuth(scope: scope, base: reader.base).read(try requester.member("authenticator"))
        for (place, value) in partitions.sent { try request.put(value, at: place) }

        var decode = try AirbyteDecoder.read(try retriever.member("decoder"))
        let selector = try retriever.member("record_selector")
        var recording = scope
        if let selector { recording.parameters = selector.parameters }
        var records = AirbyteRecords(scope: recording)
        try records.read(
            selector: selector,
            transformations: try stream.list("transformations"),
            schema: try stream.member("schema_loader"),
            keys: try primaryKey(of: stream).compactMap { $0.count == 1 ? $0[0] : nil },
            filtersLate: try cursor?.member("is_client_side_incremental")?.isTrue == true
        )
        if decode == .text("lines") { records.takeLines() }
        if decode == .text("xml") { decode = try records.takeElements() }
        scope.records = records.page

        var paging = AirbytePaging(scope: scope.at(.page), isDecoded: decode != nil)
        try paging.read(paginator, &request, path: draft.path)
        if let note = paging.note {
            draft.findings.append(
                ImportFinding(
                    line: paginator?.line ?? stream.line,
                    reason: note,
                    stream: draft.source,
                    leavesOut: false,
                    isNote: true
                )
            )
        }
        if let reset = try retriever.member("pagination_reset") {
            throw Unsayable("'pagination_reset' has no counterpart", line: reset.line)
        }
        var since = AirbyteSince(scope: scope)
        try since.read(cursor, &request, path: &draft.path, records: records)
        draft.findings += since.findings.map { finding in
            var finding = finding
            finding.stream = draft.source
            return finding
        }
        draft.hasSince = since.since != nil
        paging.keepParameters(request, since.since)
        if (try retriever.member("ignore_stream_slicer_parameters_on_paginated_requests"))?.isTrue == true {
            let bounds = since.since == nil ? [] : ["since"]
            paging.limitToFirst(bounds + partitions.sent.map(\.place).filter { $0.place == "query" }.map(\.name))
        }
        if let map = records.map {
            let (added, renames) = (Set(records.added.keys), records.renames)
            draft.remakes = { renames || added.contains($0) ? map : nil }
            if records.page.mapDrops { draft.dropping = map }
        }
        giveBody(to: &request, paging, since, draft.auth)

        var rules = AirbyteRules(scope: scope)
        try rules.read(try requester.member("error_handler"))
        draft.tries = rules.tries

        if records.seesClock {
            guard since.since == nil else {
                throw Unsayable(
                    "programs over records cannot see the clock, and a stream with 'since' is not read anew for each time"
                )
            }
            partitions.readForTime()
        }
        draft["for_each"] = partitions.forEach
        draft["request"] = request.written(path: draft.path)
        if let decode { draft["decode"] = decode }
        if records.records != "." { draft["records"] = .program(records.records) }
        draft["page"] = paging.page
        draft["since"] = since.since
        try identify(&draft, stream, records, since.version)
        let drops = [records.dropIf, since.dropIf].compactMap(\.self)
        if !drops.isEmpty {
            draft["drop_if"] = .program(drops.count == 1 ? drops[0] : "(\(drops.joined(separator: ") or (")))")
        }
        if let map = records.map { draft["map"] = .program(map) }
        if !rules.rules.isEmpty { draft["on"] = .list(rules.rules) }
    }

    /// Creates an empty body if pages, bounds or credentials are put into it and there is none.
    private func giveBody(
        to request: inout RequestDraft,
        _ paging: AirbytePaging,
        _ since: AirbyteSince,
        _ auth: AuthDraft
    ) {
        var places = [since.since?["send"], since.since?["until"]].compactMap(\.self).flatMap(\.keys)
        if case .text(let place)? = paging.page?["in"] { places.append(place) }
        guard auth.isInBody || !Set(places).isDisjoint(with: ["json", "form"]) else { return }
        guard request.json == nil, request.form == nil, request.text == nil else { return }
        if places.contains("form") || auth.sendsForm { request.form = [] } else { request.json = .mapping([]) }
    }

    // MARK: - What identifies a record

    private func identify(
        _ draft: inout StreamDraft,
        _ stream: Component,
        _ records: AirbyteRecords,
        _ version: String?
    ) throws(Unsayable) {
        var keys: [String] = []
        for steps in try primaryKey(of: stream) where steps.count > 1 || !records.madeUp.contains(steps[0]) {
            keys.append(steps.count == 1 ? try member(steps[0], records) : PathNotation.path(steps))
        }
        if keys.isEmpty {
            // A record without a key is identified by its contents. Added members may be all that tells two records apart, such
            // as those of their parents, or of their windows.
            draft["key"] = .program(records.mapWithoutEnd.map { "\($0) | tojson | sha256" } ?? ". | tojson | sha256")
            draft["version"] = .text("none")
            return
        }
        let hasBounds = keys.contains { $0.names("since") || $0.names("until") }
        draft["key"] = keys.count == 1 ? .program(keys[0]) : .list(keys.map(PlugYAML.program))
        draft["version"] = hasBounds ? .text("content") : version.map(PlugYAML.program) ?? .text("content")
    }

    /// The paths of the members that identify a record.
    private func primaryKey(of stream: Component) throws(Unsayable) -> [[String]] {
        guard let key = try stream.member("primary_key") else { return [] }
        if let text = key.text { return text.isEmpty ? [] : [[text]] }
        var paths: [[String]] = []
        for element in try key.elements ?? [] {
            let steps = element.text.map { [$0] } ?? (element.node.sequence ?? []).compactMap { $0.scalar?.text }
            if !steps.isEmpty { paths.append(steps) }
        }
        return paths
    }

    private func member(_ text: String, _ records: AirbyteRecords) throws(Unsayable) -> String {
        let template = try JinjaTemplate(text, JinjaScope(place: .record, config: config))
        guard let constant = template.constant else {
            throw Unsayable("a 'primary_key' that is not a constant has no counterpart")
        }
        if records.added[constant] != nil || records.renames { return records.value(of: constant) }
        return PathNotation.path([constant])
    }
}

extension AuthDraft {
    /// Whether it puts anything into the body.
    fileprivate var isInBody: Bool {
        guard let key = value["key"] else { return false }
        return key["in"] == .text("body")
    }
}
