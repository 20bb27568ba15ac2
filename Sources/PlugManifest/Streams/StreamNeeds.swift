package import Decoding

/// What streams need of their answers because of the rest of their manifest.
package struct StreamNeeds: Sendable {
    /// The parents of other streams.
    private let parents: Set<String>
    /// The parents, at any number of levels up, of streams with `deletes: {missing: true}`.
    private let aboveCompared: Set<String>
    /// Whether rules for all streams check the bodies of successful answers.
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

    /// Whether its pages have to be joined, so that records are told apart: counted pages with `since`, where a record missed
    /// once is never read, and with `deletes: {missing: true}`, where it would count as deleted, and so would its children. All
    /// others read everything again in the next pass; and a token leads to the next page whatever is deleted meanwhile.
    package func joinsPages(_ stream: Stream) -> Bool {
        stream.paging?.isCounted == true
            && (stream.since != nil || stream.missing != nil || aboveCompared.contains(stream.name))
    }

    /// Whether it needs all records of an answer at once: joined pages are compared as a whole, and parents are numbered on their
    /// page.
    package func needsWholePages(_ stream: Stream) -> Bool { parents.contains(stream.name) || joinsPages(stream) }

    /// Where its JSON answers have their list, if large ones are read in pieces of it; `nil` if the whole answer is needed at
    /// once.
    package func list(of stream: Stream) -> JSONList? {
        guard let list = stream.list, !looksIntoAll, !needsWholePages(stream),
            !stream.rules.contains(where: \.looksIntoGoodAnswers)
        else { return nil }
        return list
    }
}

extension StatusRule {
    /// Whether it checks the bodies of successful answers.
    fileprivate var looksIntoGoodAnswers: Bool {
        guard status.overlaps(200...299) else { return false }
        if case .program = wait { return true }
        return condition != nil
    }
}

extension Authorization {
    /// Whether the body of a successful answer may say that a token is no longer valid.
    fileprivate var looksIntoGoodAnswers: Bool {
        switch self {
        case .login(let settings):
            settings.deadIf.map { $0.condition != nil && $0.status?.overlaps(200...299) ?? true } ?? false
        case .anyOf(let choice): choice.alternatives.contains { $0.authorization.looksIntoGoodAnswers }
        case .none, .bearer, .basic, .keys, .sign, .oauth1, .aws, .oauth2: false
        }
    }
}

extension StatusMatch {
    /// Whether a status of this range belongs to it.
    fileprivate func overlaps(_ range: ClosedRange<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }
}
