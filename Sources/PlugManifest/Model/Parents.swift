package import JQ

/// What a stream is read for, once each: records of other streams, elements of lists, or every combination of them.
package struct Parents: Sendable {
    /// The parts of a combination, of which the last changes fastest; nearly always one.
    package var levels: [Level]
    /// How programs and templates call the records that a request is made for, outermost first, those of the parents' own
    /// parents included; `nil` for one without a name.
    package var lineage: [String?]

    /// One part of a combination.
    package struct Level: Sendable {
        /// What gives the records or elements; several stand for all of them together, each once.
        package var sources: [Source]
        /// Leaves out those for which its first output is neither `false` nor `null`.
        package var skipIf: JQProgram?
        /// What `skipIf` sees beside the record.
        package var globals: RecordGlobals
        /// How many are put together for one request; `nil` for one at a time.
        package var group: Int?
        /// Whether only those are taken that are new or have changed since the last complete pass.
        package var onlyChanged: Bool
        /// Whether a parent is left out whose one page the source says is as it was.
        package var skipsUnchanged: Bool = false
    }

    /// What gives records or elements.
    package enum Source: Sendable {
        /// The records of a stream.
        case stream(String)
        /// The elements of a list.
        case list(JSONTemplate)
    }

    /// The most records that one request may be made for, and the most streams and lists behind them.
    static let depthLimit = 16

    /// The one stream all of whose records it is read for, one by one, if that is what it is.
    package var onlyStream: String? {
        guard levels.count == 1, let level = levels.first, level.sources.count == 1, level.group == nil,
            level.skipIf == nil, !level.onlyChanged, case .stream(let name) = level.sources[0]
        else { return nil }
        return name
    }

    /// Whether what is asked for may be gone by the time it is asked for, which an answer says then: a record that a stream gave
    /// a moment ago. Elements of a list are what somebody wrote, and of a group nobody knows which of it is gone.
    package var mayBeGone: Bool {
        levels.allSatisfy { $0.group == nil }
            && levels.contains { $0.sources.contains { if case .stream = $0 { true } else { false } } }
    }

    /// Whether what is read for one of them is kept a mark of, and not read again as long as the source says that it is as it was.
    package var skipsUnchanged: Bool { levels.count == 1 && levels[0].skipsUnchanged }

    /// The streams that give records.
    package var streams: [String] {
        levels.flatMap(\.sources).compactMap { if case .stream(let name) = $0 { name } else { nil } }
    }
}
