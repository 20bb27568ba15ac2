package import Decoding
package import JQ
package import LosslessJSON
package import PlugCore

/// One kind of record of a plug, as its manifest describes it.
///
/// A class: it never changes, all runs of a plug share it, and a copy would cost some kilobytes.
package final class Stream: Sendable {
    /// The key in `streams`.
    package let name: String
    /// Where its records go; `nil` for a stream that is read for its children only.
    package let path: DataPath?
    /// The request for a page; `nil` if the records are inside those of the parent, or in an export.
    package let request: Request?
    /// The export that it is read from; `nil` for none.
    package let archive: ArchiveSource?
    /// The fetcher in Swift that reads it; `nil` for none.
    package let module: ModuleSource?
    /// Its name in the plug's program; `nil` if requests read it.
    package let tapStream: String?
    /// How its requests are authenticated; `nil` to use the plug's authorisation.
    package let authorization: Authorization?
    /// What to do with answers, checked before the rules of `http`.
    package let rules: [StatusRule]
    /// The format of its answers, `nil` for JSON.
    package let decoding: AnswerDecoding?
    /// The records of a page, or those inside the parent's record. A single output that is an array is taken as its elements.
    package let records: JQProgram
    /// Where its JSON answers have their list, as far as the stream itself says; `StreamNeeds` says if they are read in pieces.
    let list: JSONList?
    /// How the next page is found; `nil` for a single page.
    package let paging: Paging?
    /// Whether the author declared a single page: `page: none`.
    package let declinesPages: Bool
    /// How it is read incrementally; `nil` reads everything on every pass.
    package let since: Since?
    /// What it is read for, once for each; `nil` for a stream that is read once.
    package let parent: Parents?
    /// What identifies a record when it is seen again: each program gives one part.
    package let key: [JQProgram]
    /// What changes when the record changes; `nil` for records that never do.
    package let version: JQProgram?
    /// Whether `version` says when a record has changed, even if never (`none`); otherwise contents are compared.
    package let declaresVersion: Bool
    /// Maps a source record to the canonical record; `nil` keeps it.
    package let map: JQProgram?
    /// Drops the source records for which any output is neither `false` nor `null`.
    package let dropIf: JQProgram?
    /// Treats the source records for which any output is neither `false` nor `null` as deletions.
    package let deletion: JQProgram?
    /// Whether records missing from a complete pass count as deleted, and how many at most; `nil` if they do not.
    package let missing: MissingThings?
    /// Members of the mapped record with their casts, in file order.
    package let fields: [RecordField]
    /// Examples: a source record and the record it must become.
    package let tests: [InlineTest]
    /// What its short keys say.
    package let options: StreamOptions
    /// What '@' means in the `_id`s of its endpoint, in this stream or another one.
    package let identityMarks: IdentityMarks
    /// The locations of its keys in the manifest.
    package let places: KeyLocations

    /// Creates a stream.
    package init(
        name: String,
        path: DataPath? = nil,
        request: Request? = nil,
        archive: ArchiveSource? = nil,
        module: ModuleSource? = nil,
        tapStream: String? = nil,
        authorization: Authorization? = nil,
        rules: [StatusRule],
        decoding: AnswerDecoding? = nil,
        records: JQProgram,
        paging: Paging? = nil,
        declinesPages: Bool = false,
        since: Since? = nil,
        parent: Parents? = nil,
        key: [JQProgram],
        version: JQProgram? = nil,
        declaresVersion: Bool,
        map: JQProgram? = nil,
        dropIf: JQProgram? = nil,
        deletion: JQProgram? = nil,
        missing: MissingThings? = nil,
        fields: [RecordField],
        options: StreamOptions,
        tests: [InlineTest],
        identityMarks: IdentityMarks,
        places: KeyLocations
    ) {
        self.name = name
        self.path = path
        self.request = request
        self.archive = archive
        self.module = module
        self.tapStream = tapStream
        self.authorization = authorization
        self.rules = rules
        self.decoding = decoding
        self.records = records
        list = Self.list(request, decoding, records, paging)
        self.paging = paging
        self.declinesPages = declinesPages
        self.since = since
        self.parent = parent
        self.key = key
        self.version = version
        self.declaresVersion = declaresVersion
        self.map = map
        self.dropIf = dropIf
        self.deletion = deletion
        self.missing = missing
        self.fields = fields
        self.options = options
        self.tests = tests
        self.identityMarks = identityMarks
        self.places = places
    }

    /// The same stream with the given properties replaced; `.some(nil)` removes one.
    package func replacing(
        path: DataPath?? = nil,
        paging: Paging?? = nil,
        declinesPages: Bool? = nil,
        since: Since?? = nil,
        key: [JQProgram]? = nil,
        version: JQProgram?? = nil,
        missing: MissingThings?? = nil,
        options: StreamOptions? = nil,
        identityMarks: IdentityMarks? = nil
    ) -> Stream {
        Stream(
            name: name,
            path: path ?? self.path,
            request: request,
            archive: archive,
            module: module,
            tapStream: tapStream,
            authorization: authorization,
            rules: rules,
            decoding: decoding,
            records: records,
            paging: paging ?? self.paging,
            declinesPages: declinesPages ?? self.declinesPages,
            since: since ?? self.since,
            parent: parent,
            key: key ?? self.key,
            version: version ?? self.version,
            declaresVersion: declaresVersion,
            map: map,
            dropIf: dropIf,
            deletion: deletion,
            missing: missing ?? self.missing,
            fields: fields,
            options: options ?? self.options,
            tests: tests,
            identityMarks: identityMarks ?? self.identityMarks,
            places: places
        )
    }

    /// The programs that run over each of its records.
    package var recordPrograms: [JQProgram] { key + [version, map, dropIf, deletion].compactMap(\.self) }

    /// Whether its requests say from where on records are asked for.
    package var sendsSince: Bool { since?.send.isEmpty == false || request?.usedRoots.contains("since") == true }

    /// Which of its records' members are hidden. The `_id` is hidden unless its programs certainly read something else.
    package var hidden: HiddenMembers {
        let names = fields.filter(\.isSensitive).map(\.name)
        guard !names.isEmpty else { return HiddenMembers() }
        let identity = key + [version].compactMap(\.self)
        let isTold = names.contains { name in
            let origin = MemberOrigin(of: name, in: map)
            return identity.contains { origin.mayBeRead(by: $0) }
        }
        // For the source record, no one knows which of its members they are made of.
        return HiddenMembers(
            names + (options.raw == .keep ? ["raw"] : []),
            hidesIdentity: options.hasIdentity && isTold
        )
    }

    /// The values that programs over this stream's records see besides the record: the `globals` that `records`, `key`,
    /// `version`, `map`, `dropIf`, `paging` and `since.field` were compiled with.
    package var recordGlobals: RecordGlobals { RecordGlobals(lineage: parent?.lineage ?? [], hasEntry: archive != nil) }

    /// What `map` sees besides the record.
    package var mapGlobals: RecordGlobals { recordGlobals.withBounds }

    /// What the programs of `page` see besides the answer's body.
    package var pageGlobals: RecordGlobals { recordGlobals.withHeaders }
}

/// How answers that are not JSON become records.
package struct AnswerDecoding: Sendable, Equatable {
    /// Their format.
    package var format: RecordFormat
    /// Their encoding, if the manifest gives it.
    package var charset: Charset?
    /// Creates a decoding.
    package init(format: RecordFormat, charset: Charset?) {
        self.format = format
        self.charset = charset
    }

    /// The same, if a table without rows must have one of these columns.
    func expecting(columns: [String]) -> AnswerDecoding {
        guard case .delimited(var dialect) = format else { return self }
        dialect.expected = columns
        return AnswerDecoding(format: .delimited(dialect), charset: charset)
    }

    /// Whether each line is a JSON value.
    package var hasJSONLines: Bool { if case .jsonLines = format { true } else { false } }
}

/// What may follow an '@' in an `_id`.
package enum IdentityMarks: Int, Sendable, Comparable {
    /// Nothing: it is part of a key.
    case none
    /// A version.
    case versions
    /// A version, or the word that marks a deletion.
    case deletions

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Records that the previous complete pass found, and this one did not.
package struct MissingThings: Sendable, Equatable {
    /// The percentage that may be missing at a time: more are held back, because a service that returns half of a list has
    /// deleted nothing.
    package var limit: Int
    /// The default if the manifest does not say.
    package static let defaultLimit = 20
}

/// An example in the manifest: what a source record must become.
package struct InlineTest: Sendable {
    /// The source record.
    package var input: JSONValue
    /// The record after `map` and `fields`, without `_id`; `null` if `map` or `drop_if` gives none.
    package var output: JSONValue
    /// The parent's record and those above it, outermost first; empty for a stream without parents.
    package var parents: [JSONValue] = []
    /// The config values that differ from the defaults of `config`.
    package var config = JSONObject()
    /// The key as it appears in `_id`; `nil` if the test does not check it.
    package var key: String?
    /// The version as it appears in `_id`; `nil` if the test does not check it.
    package var version: String?
    /// The bounds of the request that returned it.
    package var bounds: FetchedPage.Bounds
    /// The name of the archive's entry that it is in; `nil` for a stream without an archive.
    package var entry: String?
    /// Its location in the manifest.
    package var location: Diagnostic.Location
}
