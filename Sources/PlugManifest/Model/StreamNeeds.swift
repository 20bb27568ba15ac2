package import Decoding

/// What streams need of their answers because of what else is in their manifest.
package struct StreamNeeds: Sendable {
    /// The streams that others are read for.
    private let parents: Set<String>
    /// The streams that others with `deletes: {missing: true}` are read for, however many levels up.
    private let aboveCompared: Set<String>
    /// Whether rules for all streams look into the bodies of good answers.
    private let looksIntoAll: Bool

    package init(_ streams: [Stream], _ http: HTTPSettings, _ authorization: Authorization?) {
        parents = Set(streams.flatMap { $0.parent?.streams ?? [] })
        aboveCompared = Self.namesAboveCompared(streams)
        looksIntoAll =
            http.rules.contains(where: \.looksIntoGoodAnswers) || authorization?.looksIntoGoodAnswers == true
    }

    private static func namesAboveCompared(_ streams: [Stream]) -> Set<String> {
        var names: Set<String> = []
        var next = streams.filter { $0.missing != nil }
        while !next.isEmpty {
            let above = Set(next.flatMap { $0.parent?.streams ?? [] }).subtracting(names)
            names.formUnion(above)
            next = streams.filter { above.contains($0.name) }
        }
        return names
    }

    /// Whether its pages have to be joined, so that records are told apart: those of the counted ones with `since`, where what was
    /// missed once is never read, and with `deletes: {missing: true}`, where it would count as deleted, and so would what is read for
    /// it. All others read everything again in the next pass; and a token leads to the next page whatever is deleted meanwhile.
    package func joinsPages(_ stream: Stream) -> Bool {
        stream.paging?.isCounted == true
            && (stream.since != nil || stream.missing != nil || aboveCompared.contains(stream.name))
    }

    /// Whether it needs all records of an answer at once: pages that are joined are compared as a whole, and parents are numbered on
    /// their page.
    package func needsWholePages(_ stream: Stream) -> Bool { parents.contains(stream.name) || joinsPages(stream) }

    /// Where its answers of JSON have their list, if large ones are read in pieces of it; `nil` where all of an answer is needed at
    /// once.
    package func list(of stream: Stream) -> JSONList? {
        guard let list = stream.list, !looksIntoAll, !needsWholePages(stream),
            !stream.rules.contains(where: \.looksIntoGoodAnswers)
        else { return nil }
        return list
    }
}

extension StatusRule {
    /// Whether it looks into the bodies of good answers.
    fileprivate var looksIntoGoodAnswers: Bool {
        guard status.overlaps(200...299) else { return false }
        if case .program = wait { return true }
        return condition != nil
    }
}

extension Authorization {
    /// Whether a token's death may be told by the body of a good answer.
    fileprivate var looksIntoGoodAnswers: Bool {
        switch self {
        case .login(let settings):
            settings.deadIf.map { $0.condition != nil && $0.status?.overlaps(200...299) ?? true } ?? false
        case .anyOf(let choice): choice.alternatives.contains { $0.authorization.looksIntoGoodAnswers }
        default: false
        }
    }
}

extension StatusMatch {
    /// Whether a status of this range belongs to it.
    fileprivate func overlaps(_ range: ClosedRange<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }
}
