import LosslessJSON
import PlugCore

/// How a source offers a stream, and how the manifest reads it.
struct StreamShape: Sendable {
    enum Paging: Sendable, CaseIterable { case next, link, cursor, number, offset }
    enum Order: Sendable, CaseIterable { case newestFirst, oldestFirst, byID }
    enum Since: Sendable, CaseIterable { case none, time, integer }
    /// Whether a pass is divided, and what the source takes a window's end for.
    enum Windows: Sendable, CaseIterable {
        case none
        /// It belongs to the window, and the manifest names the granule.
        case closed
        /// It belongs to the window, and the manifest does not say so.
        case shared
        /// It belongs to the next one.
        case exclusive
    }
    enum Versions: Sendable, CaseIterable {
        /// Things change and say so.
        case declared
        /// Things never change.
        case none
        /// Things change, and the manifest has no word about it.
        case undeclared
    }

    /// What the source's answers are.
    enum Format: Sendable, CaseIterable {
        case json, jsonLines, delimited, xml

        /// Whether a record is an object of texts.
        var isOfTexts: Bool { self == .delimited || self == .xml }
    }

    /// How plughost learns that a thing is gone.
    enum Deletes: Sendable {
        case unknown
        /// The source says it in the thing's record.
        case flagged
        /// What is there no more is gone.
        case missing
    }

    var name: String
    var format = Format.json
    var paging = Paging.next
    /// Whether the next page's cursor is made of the last record, and not told by the source. Only where answers are decoded.
    var pagesByLast = false
    var order = Order.oldestFirst
    var since = Since.none
    /// The manifest's promise that records come oldest first.
    var isAscending = false
    /// Only where `since` is a time.
    var windows = Windows.none
    /// Whether a pass ends where all is known; the source is not told where that is. Only with the newest first.
    var stopsAtKnown = false
    var versions = Versions.declared
    var isMapped = false
    var hasIdentity = true
    var pageSize = 2
    /// The source refuses a page of more records than this if one of them is heavy; `nil` where it refuses none. Only where
    /// requests say how large pages are to be.
    var heavyLimit: Int?
    /// The source refuses pages that reach beyond so many things of what was asked for; `nil` where it gives all. Only with
    /// windows, or in the order of time.
    var searchLimit: Int?
    /// Whether its records are delivered, and not only read for what is below them.
    var isDelivered = true
    /// The index of the stream that this one is read for.
    var parent: Int?
    /// Whether its things stand in the records of their parents, which change with them, and are not asked for.
    var isInside = false
    /// Whether the child's key names its parent.
    var keyHasParent = false
    /// Whether it is read only for those parents that have changed.
    var onlyChanged = false
    /// Whether it is read again only for those parents whose page has changed, which the source's tags tell.
    var skipsUnchanged = false
    var deletes = Deletes.unknown
    /// How much of all may be missing at a time, as the manifest has it.
    var mostMissing = "100%"
    /// The index of the stream whose removed things this one lists, to the same endpoint.
    var tombstonesOf: Int?
    /// In how many parts it is read, each by a request of its own, for each parent; 0 for no parts.
    var shares = 0

    /// Whether what it belongs to changes with each of its things, and says so.
    var touchesParent: Bool { onlyChanged || isInside }

    /// Whether it is read for something.
    var isChild: Bool { parent != nil || shares > 0 }

    /// Whether tokens name a place and not a count, so that changes shift nothing.
    var isKeyed: Bool { paging == .next || paging == .link || paging == .cursor }

    /// Whether the source is told up to when to give things.
    var hasUpperBound: Bool { windows != .none || (searchLimit != nil && order == .newestFirst) }

    /// Whether its pages are counted, and have to be joined because no other pass reads them again.
    var joinsPages: Bool { !isKeyed && (since != .none || deletes == .missing) }

    /// The stream in the manifest.
    func lines(_ streams: [StreamShape]) -> [String] {
        if isInside { return linesInside(streams) + recordLines(streams) }
        var path = "/{{ config.user }}/\(name)"
        if parent != nil { path += "/{{ \(shares > 0 ? "above" : "parent").id }}" }
        if shares > 0 { path += "\(parent == nil ? "/-" : "")/{{ share }}" }
        var lines = [
            "request: {path: \"\(path)\"}", "records: \(format == .json ? ".items" : ".")",
        ]
        lines += decodeLines
        let list = "{list: '{{ [range(\(shares))] }}', as: share}"
        switch parent.map({ streams[$0].name }) {
        case let name? where shares > 0: lines.append("for_each: [\(list), {in: \(name), as: above}]")
        case let name?:
            let limits = (onlyChanged ? ", only: changed" : "") + (skipsUnchanged ? ", unchanged: skip" : "")
            lines.append("for_each: {in: \(name)\(limits)}")
        case nil: if shares > 0 { lines.append("for_each: \(list)") }
        }
        switch paging {
        case .next: lines.append("page: {next: \(place("next"))}")
        case .link: lines.append("page: {link: next}")
        case .cursor: lines.append("page: {cursor: {from: \(place("cursor")), param: after\(sizes)}}")
        case .number: lines.append("page: {number: {param: page, from: 1\(sizes)}}")
        case .offset: lines.append("page: {offset: {param: offset, size: \(pageSize), size_param: limit}}")
        }
        let rules = [
            heavyLimit.map { _ in "{status: 413, do: shrink}" },
            searchLimit.map { _ in "{status: 422, do: reset_page}" },
        ]
        if heavyLimit != nil || searchLimit != nil {
            lines.append("on: [\(rules.compactMap(\.self).joined(separator: ", "))]")
        }
        if let since = sinceText { lines.append("since: \(since)") }
        return lines + recordLines(streams)
    }

    /// A stream whose records stand in those of another one.
    private func linesInside(_ streams: [StreamShape]) -> [String] {
        let above = parent.map { streams[$0].name } ?? ""
        return ["for_each: {in: \(above), inside: .\(name)\(onlyChanged ? ", only: changed" : "")}"]
    }

    /// What becomes of its records.
    private func recordLines(_ streams: [StreamShape]) -> [String] {
        var lines: [String] = []
        if isDelivered { lines.append("endpoint: \(tombstonesOf.map { streams[$0].name } ?? name)") }
        lines.append(keyHasParent ? "key: [\(shares > 0 ? "above" : "parent").id, .id]" : "key: [.id]")
        switch versions {
        case .declared: lines.append("version: .version")
        case .none: lines.append("version: none")
        case .undeclared: break
        }
        if !hasIdentity { lines.append("identity: off") }
        if tombstonesOf != nil { lines.append("deletes: {field: true}") }
        switch deletes {
        case .unknown: break
        case .flagged: lines.append("deletes: {field: '\(flag("gone"))'}")
        case .missing: lines.append("deletes: {missing: true, max: \(mostMissing)}")
        }
        if isMapped {
            let map =
                "{id, owner, kind, version, amount, size: (.size | tonumber)} + "
                + "(if \(flag("poison")) then {poison} else {} end) + (if \(flag("stumble")) then {stumble} else {} end)"
            lines += [
                "map: '\(map)'", "drop_if: '\(flag("hidden"))'", "fields: {amount: {any, sensitive: true}}",
            ]
        }
        return lines
    }

    private var sizes: String { heavyLimit == nil ? "" : ", size: \(pageSize), size_param: limit" }

    private var sinceText: String? {
        var text: String
        switch since {
        case .none: return nil
        case .time: text = "field: .updated_at, type: time"
        case .integer: text = "field: .seq, type: integer"
        }
        if !stopsAtKnown { text += ", send: {query: {changed_since: \(since == .time ? "epoch" : "value")}}" }
        if isAscending { text += ", order: asc" }
        if stopsAtKnown { text += ", order: desc, stop: known" }
        if searchLimit != nil, order == .newestFirst {
            text +=
                (stopsAtKnown ? "" : ", order: desc")
                + (windows == .none ? ", until: {query: {changed_until: epoch}}" : "")
        }
        if windows != .none {
            // Things change at full hours, where windows of half an hour have their borders.
            let start = Timestamp(seconds: WorldClock.start).rfc3339
            text += ", from: \"\(start)\", until: {query: {changed_until: epoch}}, window: 30m"
        }
        if windows == .closed { text += ", granule: 1s" }
        return "{\(text)}"
    }

    /// A thing as the source writes it.
    ///
    /// - Parameter inside: The members that hold what stands in it.
    func text(_ item: Item, of owner: String, inside: String = "") -> String {
        if item.isGone { return remains(item) }
        var text = #"{"version": \#(item.version), "id": \#(item.id), "owner": "\#(owner)", "kind": "\#(name)", "#
        text += #""amount": \#(item.id % 7).10, "exponent": 1e2, "text": "é\u0001\"\\ \ud83d\ude00", "#
        text += #""updated_at": "\#(Timestamp(seconds: item.updated).rfc3339)", "seq": \#(item.sequence), "#
        if item.destiny == .refusedByPDA { text += #""poison": true, "# }
        if item.destiny == .stumbling { text += #""stumble": true, "# }
        if item.destiny == .dropped { text += #""hidden": true, "# }
        return text + inside + #""size": "\#(item.destiny == .unmappable ? "large" : "7")"}"#
    }

    /// What the source still says of a thing that is gone.
    private func remains(_ item: Item) -> String {
        let hidden = item.destiny == .dropped ? #", "hidden": true"# : ""
        return #"{"version": \#(item.version), "id": \#(item.id), "gone": true\#(hidden), "#
            + #""updated_at": "\#(Timestamp(seconds: item.updated).rfc3339)", "seq": \#(item.sequence)}"#
    }

    /// The `_id` of a thing without its version.
    private func thing(_ item: Item, to endpoint: String) -> String {
        "sim/\(endpoint)/" + (keyHasParent ? item.parent.map { "\($0)," } ?? "" : "") + String(item.id)
    }

    /// What says that a thing is gone, as the host has to tell it. It waits behind an older version at which the PDA fails.
    ///
    /// - Parameter endpoint: `nil` for the stream's own.
    func deletion(_ item: Item, to endpoint: String? = nil) throws -> Version {
        let thing = thing(item, to: endpoint ?? name)
        let identity = thing + (versions == .declared ? "@\(item.version)@deleted" : "@@deleted")
        return Version(
            identity: identity,
            content: .object(["_id": .text(identity), "deleted": .bool(true), "of": .text(thing)]),
            raw: format.isOfTexts ? texts(item, of: "") : try JSONValue(parsing: remains(item)),
            destiny: [.dropped, .stumbling].contains(item.destiny) ? item.destiny : .delivered,
            stream: name,
            item: item.id,
            number: item.version,
            isDeletion: true
        )
    }

    /// What has to become of a thing.
    ///
    /// - Parameters:
    ///   - inside: The members that hold what stands in it.
    ///   - endpoint: `nil` for the stream's own.
    func version(
        _ item: Item,
        of owner: String,
        inside: String = "",
        to endpoint: String? = nil
    ) throws -> Version {
        if item.isGone { return try deletion(item, to: endpoint) }
        if item.destiny == .broken { return broken(item) }
        let json = text(item, of: owner, inside: inside)
        let raw = format.isOfTexts ? texts(item, of: owner) : try JSONValue(parsing: json)
        let thing = thing(item, to: endpoint ?? name)
        let identity = hasIdentity ? thing + (versions == .declared ? "@\(item.version)" : "") : ""
        var object = raw.object ?? JSONObject()
        if isMapped {
            var mapped = JSONObject()
            for key: JSONString in ["id", "owner", "kind", "version", "amount", "poison", "stumble"] {
                if let value = object[key], value.stringText != "" { mapped[key] = value }
            }
            mapped["size"] = .integer(7)
            object = mapped
        }
        if hasIdentity { object["_id"] = .text(identity) }
        return Version(
            identity: identity,
            content: .object(object),
            raw: raw,
            destiny: isDelivered ? item.destiny : .dropped,
            stream: name,
            item: item.id,
            number: item.version
        )
    }
}
