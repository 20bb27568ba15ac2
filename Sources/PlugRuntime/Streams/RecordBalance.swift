internal import PlugCore
internal import PlugDeliver

/// The accounting that production checks: every record has one fate, batch by batch and page by page.
enum RecordBalance {
    /// Checks that a receipt speaks of every record that was given, and leaves none open without saying why.
    ///
    /// - Throws: `PlugError` `unbalanced` (our bug).
    static func check(_ receipt: DeliveryReceipt, sent: Int, stream: String) throws(PlugError) {
        let isWhole = receipt.stop != nil || !receipt.fates.contains(.undelivered)
        guard receipt.fates.count == sent, isWhole else { throw unbalanced(stream) }
    }

    /// Checks that the fates of a stream's records add up to those that were fetched.
    ///
    /// - Parameter inHand: Records that wait for a verdict.
    /// - Throws: `PlugError` `unbalanced` (our bug).
    static func check(_ counts: StreamCounts, inHand: Int, stream: String) throws(PlugError) {
        var counts = counts
        counts.undelivered += inHand
        guard counts.isBalanced, counts.queued >= 0 else { throw unbalanced(stream) }
    }

    private static func unbalanced(_ stream: String) -> PlugError {
        PlugError(
            .unbalanced,
            "the record counts of this stream do not add up",
            advice: "report it, with the summary of the run; what was delivered is remembered",
            stream: stream
        )
    }
}
