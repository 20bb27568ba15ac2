package import Decoding
package import JQ
package import LosslessJSON
package import PlugCore

/// One kind of record of a plug.
package struct Stream: Sendable {
    /// The key in `streams`.
    package var name: String
    /// Where its records go; `nil` for a stream that is read for its children only.
    package var path: DataPath?
    /// What is asked.
    package var request: Request
    /// What to do with answers, before the rules of `http`.
    package var rules: [StatusRule]
    /// What its answers are, `nil` for JSON.
    package var decoding: AnswerDecoding?
    /// The records of a page. A single output that is an array stands for its elements.
    package var records: JQProgram
    /// How the next page is found; `nil` for a single page.
    package var paging: Paging?
    /// How it is read incrementally; `nil` reads everything on every pass.
    package var since: Since?
    /// The parent stream: this one is read once for each of its records.
    package var parent: Parent?
    /// What makes a record the same thing when it is seen again: each program gives one part.
    package var key: [JQProgram]
    /// What changes when the thing changes; `nil` for things that never do.
    package var version: JQProgram?
    /// Whether the manifest says anything about `version`, `none` included.
    package var declaresVersion: Bool
    /// Source record to canonical record; `nil` keeps it.
    package var map: JQProgram?
    /// Leaves out the source records for which its first output is neither `false` nor `null`.
    package var dropIf: JQProgram?
    /// Casts of the mapped record's members, in file order.
    package var fields: [(name: String, cast: Cast, location: Diagnostic.Location)]
    /// How often the stream is worth reading.
    package var every: Duration?
    /// Examples: a source record and the record it must become.
    package var tests: [InlineTest]
    /// Whether records get an `_id`; `false` with `identity: off`.
    package var hasIdentity: Bool
    /// Where its keys stand.
    package var places: KeyPlaces

    /// The values that programs over this stream's records see beside the record: the `globals` that `records`, `key`,
    /// `version`, `map`, `dropIf`, `paging` and `since.field` were compiled with.
    package var recordGlobals: RecordGlobals { RecordGlobals(parentName: parent?.name) }

    /// What the programs of `page` see beside the answer's body.
    package var pageGlobals: RecordGlobals { recordGlobals.withHeaders }
}

/// The records of another stream for which a stream is read.
package struct Parent: Sendable, Equatable {
    /// The other stream.
    package var stream: String
    /// How programs and templates call its record, beside `parent`.
    package var name: String?
}

/// How answers that are no JSON become records.
package struct AnswerDecoding: Sendable, Equatable {
    /// What they are.
    package var format: RecordFormat
    /// Their encoding, where the manifest says it.
    package var charset: Charset?
}

/// How the member of a mapped record is written.
package enum Cast: String, Sendable, CaseIterable {
    /// RFC 3339 in UTC.
    case time
    /// A day, `2026-11-21`.
    case date
    /// A whole number.
    case integer
    /// A number.
    case decimal
    /// Text.
    case string
    /// `true` or `false`.
    case boolean
}

/// An example in the manifest: what a source record must become.
package struct InlineTest: Sendable {
    /// The source record.
    package var input: JSONValue
    /// The record after `map` and `fields`, without `_id`; `null` if `map` or `drop_if` gives none.
    package var output: JSONValue
    /// Where it stands.
    package var location: Diagnostic.Location
}

/// What programs over records see beside the record: `parent`, `config` without its secrets, and the parent's own name.
/// Programs over answers see the answer's `headers`, too.
package struct RecordGlobals: Sendable, Equatable {
    /// The names, in the order in which `JQProgram.run` takes their values.
    package let names: [String]

    init(parentName: String?) { names = ["parent", "config"] + (parentName.map { [$0] } ?? []) }
    private init(names: [String]) { self.names = names }

    /// What `http.on` conditions see: `config` and `headers`.
    package static let answer = RecordGlobals(names: ["config", "headers"])

    /// The same, and `headers`.
    var withHeaders: RecordGlobals { RecordGlobals(names: names + ["headers"]) }

    /// The values in order.
    ///
    /// - Parameters:
    ///   - parent: The parent's raw record, `null` if there is none.
    ///   - config: The configuration; give `Manifest.withoutSecrets`.
    ///   - headers: The answer's headers: names in lower case, several of one name joined by `, `.
    package func values(parent: JSONValue?, config: JSONValue, headers: JSONValue = .null) -> [JSONValue] {
        names.map { name in
            switch name {
            case "config": config
            case "headers": headers
            default: parent ?? .null
            }
        }
    }
}
