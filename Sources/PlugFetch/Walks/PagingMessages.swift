import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// The messages for passes that cannot continue.
enum PagingMessages {
    /// A page of a pass that compares, without its list twice in a row.
    static func listNotShown(_ stream: PlugManifest.Stream, _ name: String) -> PlugError {
        PlugError(
            .recordsMissing,
            "\(stream.places["records"]): the answer to \(name) has no list, not even an empty one, and had none when it was asked "
                + "for again: what is missing from it would count as deleted",
            advice: "look at the answer; if the service leaves empty lists out, say so in 'on': "
                + "{status: 200, if: '(\(stream.records.source)) | length == 0', do: skip}",
            stream: stream.name,
            reach: .item
        )
    }

    static func broken(_ stream: PlugManifest.Stream, _ name: String) -> PlugError {
        PlugError(
            .pagesUnjoined,
            "the pages of this stream shifted while they were read, and records may have been skipped at \(name)",
            advice:
                "the next run reads again from where this pass began; if this happens in every run, page by a cursor "
                + "or ask for larger pages",
            stream: stream.name
        )
    }

    static func short(_ stream: PlugManifest.Stream, _ name: String, total: Int, seen: Int) -> PlugError {
        PlugError(
            .totalUnmet,
            "\(stream.places["page.total"]): 'page.total' (\(stream.paging?.total?.source ?? "")) says that there are "
                + "\(total) records, but the pages up to \(name) gave \(seen): records may be missing",
            advice: "check 'page': if paging ends too early, records are left unread; if this number does not count "
                + "what is requested, leave 'total' out",
            stream: stream.name,
            reach: .item
        )
    }

    static func fewPages(_ stream: PlugManifest.Stream, _ name: String, count: Int, read: Int) -> PlugError {
        PlugError(
            .pagesUnmet,
            "\(stream.places["page.pages"]): 'page.pages' (\(stream.paging?.pages?.source ?? "")) says that there are "
                + "\(count) pages, but \(name) was the last one, after \(read): records may be missing",
            advice: "check 'page': if paging ends too early, records are left unread; if this number does not count "
                + "pages of the size requested, leave 'pages' out",
            stream: stream.name,
            reach: .item
        )
    }

    /// - Parameter error: The source's own error.
    static func error(_ fault: Pass.SearchFault, _ error: PlugError, _ stream: PlugManifest.Stream) -> PlugError {
        let reason: String
        var code = PlugError.Code.windowFull
        var advice = "send the bound with smaller steps if the service understands them, or ask for less at a time"
        switch fault {
        case .full(let value?) where stream.since?.order == Since.Order.none:
            let from = stream.since.map { value.json($0.type).compactText } ?? ""
            reason = "the window that begins at \(from) is a single granule and cannot be narrowed"
        case .full(let value?):
            let at = stream.since.map { value.json($0.type).compactText } ?? ""
            reason = "no record that it gave lies beyond \(at), where it began or has to continue"
        case .full(nil), .unknown: reason = "it gave no record with a readable 'since.field'"
        case .unordered:
            code = .searchUnordered
            reason = "its records did not come in the order that 'since.order' promises"
            advice = "ask the service for this order, or remove 'order' and add 'window', which is halved until it fits"
        }
        return PlugError(
            code,
            "\(stream.places["since"]): \(error.message); \(reason)",
            advice: advice,
            stream: stream.name,
            reach: .item
        ).quoting(as: error)
    }

    static func error(_ fault: PagingFault, _ stream: PlugManifest.Stream, _ name: String) -> PlugError {
        switch fault {
        case .loop:
            PlugError(
                .paginationLoop,
                "\(stream.places["page"]): \(name) leads back to a page of this pass, or gives the "
                    + "same records again and again",
                advice:
                    "check 'page': its parameter may be misspelt, or its token the wrong one; if the service always names a next page, "
                    + "'more' or 'stop' says where to end",
                stream: stream.name,
                reach: .item
            )
        case .empty:
            PlugError(
                .paginationEmpty,
                "\(stream.places["page"]): \(name) is one of more than \(Pager.emptyLimit) pages "
                    + "in a row without records",
                advice: "check 'records' and 'page'; what was read is kept, and the next run continues here",
                stream: stream.name,
                reach: .item
            )
        case .limit:
            PlugError(
                .pageLimit,
                "\(stream.places["page.max"]): \(name) leads to more than the \(stream.paging?.maximum ?? 0) pages "
                    + "that 'page.max' allows a run",
                advice: "raise 'page.max' if the stream is that long; the next run continues here",
                stream: stream.name,
                reach: .stream
            )
        case .ignored:
            PlugError(
                .windowIgnored,
                "\(stream.places["since.window"]): \(name) gives records from beyond its window, and none from inside it: the "
                    + "service ignores the bounds that it is sent",
                advice: "check the names in 'since.send' and 'since.until', and that 'since.field' is what the service "
                    + "compares; without bounds at the service, leave 'window' out",
                stream: stream.name,
                reach: .item
            )
        case .windows:
            PlugError(
                .windowLimit,
                "\(stream.places["since.window"]): \(name) ends the last of \(SinceWindows.limit) windows that a run reads",
                advice: "make 'since.window' longer; the next run continues here",
                stream: stream.name,
                reach: .stream
            )
        }
    }
}
