import Decoding
import JQ

extension Stream {
    /// Where the list is in a stream's JSON answers, if nothing in the stream itself needs all of it at once: neither `records`,
    /// nor a program of `page`, nor the errors of a query.
    static func list(
        _ request: Request?,
        _ decoding: AnswerDecoding?,
        _ records: JQProgram,
        _ paging: Paging?
    ) -> JSONList? {
        guard let request, !request.isGraphQL, decoding == nil, let names = JQChunks(records)?.names,
            // A page's records are counted at the path that the program begins with.
            let counted = JQPath.leading(records), counted.memberNames == names || counted.isElements(of: names)
        else { return nil }
        let programs = [paging?.kind.lead.program, paging?.more, paging?.total, paging?.pages].compactMap(\.self)
        if programs.contains(where: { $0.looks(atListOf: names) }) { return nil }
        var list = JSONList(path: names)
        list.keepsRest = !programs.isEmpty
        list.isNeeded = true
        return list
    }
}
