import Decoding
import JQ

extension Stream {
    /// Where the list stands in a stream's answers of JSON, if a large answer can be read in pieces of that list; `nil` where all of
    /// it is needed at once: by `records`, by a program of `page`, or to see what went wrong with a query.
    ///
    /// Rules over an answer's body, and how the stream is used, may need all of it as well.
    static func pieces(
        _ request: Request?,
        _ decoding: AnswerDecoding?,
        _ records: JQProgram,
        _ paging: Paging?
    ) -> JSONList? {
        guard let request, !request.isGraphQL, decoding == nil, let names = JQPath.ofChunks(records)?.memberNames
        else { return nil }
        let programs = [paging?.kind.lead.program, paging?.more, paging?.total, paging?.pages].compactMap(\.self)
        if programs.contains(where: { $0.looks(atListOf: names) }) { return nil }
        return JSONList(path: names, keepsRest: !programs.isEmpty)
    }
}

extension StatusRule {
    /// Whether it looks into the bodies of good answers.
    package var judgesPages: Bool {
        guard status.overlaps(200...299) else { return false }
        if condition != nil { return true }
        if case .program = wait { return true }
        return false
    }
}

extension StatusMatch {
    /// Whether a status of this range belongs to it.
    package func overlaps(_ range: ClosedRange<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }
}
