internal import ArgumentParser
internal import CurlTransport
internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// A program of a manifest, to be run on pages in files.
struct PlugPrograms {
    /// A program of a stream, by its key.
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case records, map, key, version
        case dropIf = "drop_if"
        case sinceField = "since.field"
        case next = "page.next"
        case more = "page.more"
        case total = "page.total"
        case pages = "page.pages"

        /// Whether it has access to the answer's headers.
        var seesHeaders: Bool { isOverPage && self != .records }

        /// Whether it runs on a page, and not on each of its records.
        var isOverPage: Bool {
            switch self {
            case .records, .next, .more, .total, .pages: true
            case .map, .key, .version, .dropIf, .sinceField: false
            }
        }
    }

    private let manifest: Manifest
    private let stream: PlugManifest.Stream
    private let name: Name
    private let headers: JSONValue

    /// - Parameters:
    ///   - stream: Its name; `nil` if the plug has only one.
    ///   - headers: The headers of the answer that contained the page.
    /// - Throws: `PlugError` `jq-program` (usage).
    init(
        _ manifest: Manifest,
        stream: String?,
        _ name: Name,
        headers: [HTTPHeader] = []
    ) throws(PlugError) {
        self.headers = HTTPHeaders(headers).json
        let names = manifest.streams.map(\.name)
        let wanted = stream ?? (names.count == 1 ? names[0] : "")
        guard let found = manifest.stream(wanted) else {
            throw PlugError(
                .jqProgram,
                stream.map { "the plug '\(manifest.id)' has no stream '\(DisplayText.escaped($0))'" }
                    ?? "the plug '\(manifest.id)' has several streams",
                advice: stream.flatMap { Spelling.question($0, in: names) }
                    ?? "name one with --stream: \(names.joined(separator: ", "))"
            )
        }
        (self.manifest, self.stream, self.name) = (manifest, found, name)
    }

    /// The programs, their places, and their variables.
    ///
    /// - Throws: `PlugError` `jq-program` (usage) if the stream has none with this name.
    func programs() throws(PlugError) -> [JQProgram] {
        let found: [JQProgram] =
            switch name {
            case .records: [stream.records]
            case .map: [stream.map].compactMap(\.self)
            case .key: stream.key
            case .version: [stream.version].compactMap(\.self)
            case .dropIf: [stream.dropIf].compactMap(\.self)
            case .sinceField: stream.since?.fields ?? []
            case .next: [stream.paging?.kind.lead.program].compactMap(\.self)
            case .more: [stream.paging?.more].compactMap(\.self)
            case .total: [stream.paging?.total].compactMap(\.self)
            case .pages: [stream.paging?.pages].compactMap(\.self)
            }
        guard found.isEmpty else { return found }
        throw PlugError(
            .jqProgram,
            "the stream '\(stream.name)' has no program '\(name.rawValue)'",
            advice: "look at \(stream.places[name.rawValue])"
        )
    }

    /// The places of the programs.
    var place: String { stream.places[name.rawValue] }

    /// The programs' variables: the configuration's defaults and the given headers, and nothing of a parent or of bounds.
    var globals: JQGlobals {
        let config = JSONObject(
            manifest.config.compactMap { field in
                field.isSecret ? nil : field.default.map { (JSONString(field.name), $0) }
            }
        )
        let names =
            name == .map || name == .key
            ? stream.mapGlobals : name.seesHeaders ? stream.pageGlobals : stream.recordGlobals
        return JQGlobals(names.values(parents: [], config: .object(config), headers: headers))
    }

    /// The programs' inputs: the page itself, or each record that `records` finds in it.
    ///
    /// - Throws: `JQError` if `records` fails.
    func inputs(of page: JQInput) throws(JQError) -> [JQInput] {
        if name.isOverPage { return [page] }
        let config = JQGlobals(stream.recordGlobals.values(parents: [], config: .object(JSONObject())))
        let outputs = try stream.records.run(page, globals: config)
        if outputs.count == 1, case .array(let elements) = outputs[0].json { return elements.map { JQInput($0) } }
        return outputs.map { JQInput($0.json) }
    }
}
