internal import PlugCore
internal import PlugDeliver

/// The accounting checks that run in production: every record has exactly one fate, batch by batch and page by page.
enum RecordBalance {
    /// The error (our bug) of a receipt that does not cover every record that was sent, or leaves some open without saying why.
    static func fault(_ receipt: DeliveryReceipt, sent: Int, stream: String) -> PlugError? {
        let isOpen = receipt.fates.contains { if case .undelivered = $0 { true } else { false } }
        return receipt.fates.count == sent && (receipt.stop != nil || receipt.isPaused || !isOpen)
            ? nil : unbalanced(stream)
    }

    /// The error (our bug) of a stream whose records' fates do not add up to the number fetched.
    ///
    /// - Parameter inHand: Records that await a verdict.
    static func fault(_ counts: StreamCounts, inHand: Int, stream: String) -> PlugError? {
        var counts = counts
        counts.undelivered += inHand
        return counts.isBalanced && counts.queued >= 0 ? nil : unbalanced(stream)
    }

    /// The error (our bug) of records without a fate.
    static func unbalanced(_ stream: String) -> PlugError {
        PlugError(
            .unbalanced,
            "the record counts of this stream do not add up",
            advice: "report it, with the summary of the run; what was delivered is remembered",
            stream: stream
        )
    }
}
