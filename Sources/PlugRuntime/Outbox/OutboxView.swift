/// What the outbox knows of one stream, for deciding what becomes of new records.
struct OutboxView: Equatable {
    /// Whether everything new waits behind something that cannot be sent at the moment.
    var holdsBack = false
    /// What waits; `nil` if that was not looked at since it was last reported.
    var waiting: WaitingRecords?
    /// What became of records that this run has queued, since the last report: the change of the counts.
    var settled = StreamCounts()
}
