package import JQ

/// What a stream is read for, once for each: records of other streams, elements of lists, or every combination of them.
package struct Parents: Sendable {
    /// The parts of a combination, the last of which changes fastest; nearly always one.
    package var levels: [Level]
    /// The names that programs and templates use for the records that a request is made for, outermost first, including those of
    /// the parents' own parents; `nil` for one without a name.
    package var lineage: [String?]

    /// One part of a combination.
    package struct Level: Sendable {
        /// What provides the records or elements; several are taken together, each once.
        package var sources: [Source]
        /// Skips those for which its first output is neither `false` nor `null`.
        package var skipIf: JQProgram?
        /// What `skipIf` sees besides the record.
        package var globals: RecordGlobals
        /// How many are combined in one request; `nil` for one at a time.
        package var group: Int?
        /// Whether only those that are new or have changed since the last complete pass are taken.
        package var onlyChanged: Bool
        /// Whether a parent is skipped if the source says that its single page is unchanged.
        package var skipsUnchanged: Bool = false
    }

    /// What provides records or elements.
    package enum Source: Sendable {
        /// The records of a stream.
        case stream(String)
        /// The elements of a list.
        case list(JSONTemplate)
    }

    /// The most records that one request may be made for, and the most streams and lists behind them.
    static let depthLimit = 16

    /// The stream all of whose records it is read for, one by one, if that is its only source.
    package var onlyStream: String? {
        guard levels.count == 1, let level = levels.first, level.sources.count == 1, level.group == nil,
            level.skipIf == nil, !level.onlyChanged, case .stream(let name) = level.sources[0]
        else { return nil }
        return name
    }

    /// Whether what is requested may be gone by then, which an answer then says: a record that a stream returned a moment ago.
    /// Elements of a list are written by someone, and in a group no one knows which of it is gone.
    package var mayBeGone: Bool {
        levels.allSatisfy { $0.group == nil }
            && levels.contains { $0.sources.contains { if case .stream = $0 { true } else { false } } }
    }

    /// Whether the validator of a parent's page is kept, and the page not read again while the source says that it is unchanged.
    package var skipsUnchanged: Bool { levels.count == 1 && levels[0].skipsUnchanged }

    /// Whether it is read for elements of a list.
    package var hasList: Bool { levels.contains { $0.sources.contains { if case .list = $0 { true } else { false } } } }

    /// The streams that provide records.
    package var streams: [String] {
        levels.flatMap(\.sources).compactMap { if case .stream(let name) = $0 { name } else { nil } }
    }
}
