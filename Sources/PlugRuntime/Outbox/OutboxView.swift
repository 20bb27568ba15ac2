/// What the outbox knows of one stream, for those who decide what becomes of new records.
struct OutboxView: Equatable {
    /// Whether all that is new waits behind what cannot be sent just now.
    var holdsBack = false
    /// What waits; `nil` where that was not looked at since it was told last.
    var waiting: WaitingRecords?
    /// What became of records that this run has queued, since it was told last: how the counts change.
    var settled = StreamCounts()
}
