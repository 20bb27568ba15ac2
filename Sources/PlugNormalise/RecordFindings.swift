internal import JQ
package import PlugCore
package import PlugManifest

/// What records show about their stream's manifest: whether its casts and its `version` find the members that they name.
package struct RecordFindings: Sendable, Equatable {
    /// Among fewer records than this, a member that none of them has may just be rare.
    package static let enoughOfARun = 20

    /// How many records were written.
    private(set) var records = 0
    /// How many `drop_if` or `map` left out.
    var dropped = 0
    /// Which casts have met their member.
    var casts = MetCasts()
    /// Whether a record has the member of `version`, or its value.
    var hasVersion = false
    /// Members that `fields` does not name, if the stream wants them reported.
    private(set) var unknown = UnknownNames()

    /// Whether there was no record at all, not even a dropped one.
    package var isEmpty: Bool { records == 0 && dropped == 0 }

    /// Findings from no records.
    package init() {}

    init(records: Int, casts: MetCasts, hasVersion: Bool, unknown: UnknownNames) {
        (self.records, self.casts, self.hasVersion, self.unknown) = (records, casts, hasVersion, unknown)
    }

    /// Merges what other records showed.
    package mutating func add(_ other: RecordFindings) {
        records += other.records
        dropped += other.dropped
        casts.formUnion(other.casts)
        hasVersion = hasVersion || other.hasVersion
        unknown.formUnion(other.unknown)
    }

    /// The warnings of a run about its records; the run continues.
    ///
    /// - Parameters:
    ///   - manifest: The stream's manifest, for the places.
    ///   - enough: With fewer records, nothing is reported that may be due to chance.
    package func warnings(
        _ stream: Stream,
        in manifest: Manifest,
        enough: Int = Self.enoughOfARun
    ) -> [PlugError] {
        [
            castFault(stream, in: manifest, enough: enough), unitFault(stream, in: manifest), dropFault(stream),
            unknownFault(stream),
        ].compactMap(\.self)
    }

    /// Reports that `drop_if` or `map` left out every record of a run that had many: a misspelt member is not an error in jq.
    private func dropFault(_ stream: Stream) -> PlugError? {
        guard records == 0, dropped >= Self.enoughOfARun else { return nil }
        let programs = [("drop_if", stream.dropIf), ("map", stream.map)].compactMap { key, program in
            program.map { (key: key, text: "'\(key)' (\($0.source))") }
        }
        guard let first = programs.first else { return nil }
        return PlugError(
            .allDropped,
            "\(stream.places[first.key]): \(programs.map(\.text).joined(separator: " and ")) dropped all \(dropped) records of "
                + "this run",
            advice: "check the program against a record of the source: plughost run --dry-run shows what is left",
            stream: stream.name
        )
    }

    /// Reports that records have members which `fields` does not name, each name once.
    private func unknownFault(_ stream: Stream) -> PlugError? {
        guard !unknown.names.isEmpty else { return nil }
        let names = unknown.names.map { "'\(DisplayText.escaped(String($0.prefix(60))))'" }.joined(separator: ", ")
        return PlugError(
            .unknownMembers,
            "\(stream.places["unknown"]): records have members that 'fields' does not name: \(names)"
                + (unknown.isCut ? " and more" : ""),
            advice: "name them in 'fields' ('any' leaves a value as it is), or leave them out with 'unknown: drop'",
            stream: stream.name
        )
    }

    /// What is wrong with a stream that casts a member which no record has; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - manifest: The stream's manifest, for the place.
    ///   - enough: With fewer records, nothing is reported.
    package func castFault(_ stream: Stream, in manifest: Manifest, enough: Int = 1) -> PlugError? {
        let unmet = stream.fields.enumerated().filter { !casts.contains($0.offset) }.map(\.element)
        guard records >= enough, let first = unmet.first else { return nil }
        let names = unmet.map { "'\($0.name)'" }.joined(separator: ", ")
        let count = records == 1 ? "the record" : "any of the \(records) records"
        return PlugError(
            .castUnmet,
            "\(manifest.source.path):\(first.location.line):\(first.location.column): 'fields' casts \(names), which "
                + "\(unmet.count == 1 ? "is" : "are") not in \(count) after 'map'",
            advice: "'fields' names members of the mapped record, not of the source's record: check the spelling",
            stream: stream.name
        )
    }

    /// Reports casts that read all numbers of their member as times next to 1970; `nil` if there is none.
    package func unitFault(_ stream: Stream, in manifest: Manifest) -> PlugError? {
        let doubtful = stream.fields.enumerated().filter { casts.areDoubtful($0.offset) }.map(\.element)
        guard let first = doubtful.first else { return nil }
        let names = doubtful.map { "'\($0.name)'" }.joined(separator: ", ")
        return PlugError(
            .castUnit,
            "\(manifest.source.path):\(first.location.line):\(first.location.column): all numbers of \(names) become times in "
                + "January 1970: their unit is not the one that 'fields' names",
            advice: "write 'epoch' for seconds, 'epoch_ms' for milliseconds, 'epoch_us' for microseconds",
            stream: stream.name
        )
    }

    /// What is wrong with a stream whose `version` names a member that no record has; `nil` if nothing is.
    ///
    /// A member that is `null` counts as present: a thing that has never changed may have no version yet.
    ///
    /// - Parameter enough: With fewer records, nothing is reported.
    package func versionFault(_ stream: Stream, enough: Int = 1) -> PlugError? {
        guard let version = stream.version, stream.options.hasIdentity, records >= enough, !hasVersion else {
            return nil
        }
        return PlugError(
            .versionUnmet,
            "'version' (\(version.source)) is in \(records == 1 ? "no record" : "none of the \(records) records"): a "
                + "record that changes would count as known, and its change would not be delivered",
            advice:
                "check 'version' against a record of the source; or leave 'version' out, and contents are compared",
            stream: stream.name
        )
    }
}
