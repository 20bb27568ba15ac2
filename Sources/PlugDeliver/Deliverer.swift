package import PlugCore

/// Delivers a run's records to one PDA and tracks the fate of each.
///
/// What a run learns (its budget of single probes, refusals, whether the PDA is in trouble) spans all calls: a run has one
/// deliverer for each PDA. A record that came back as `refused` may be passed again later in the run: once another record has
/// been stored in between, a second refusal convicts it.
package actor Deliverer {
    private let pda: AppendOnlyPDA
    private let clock: any HostClock
    /// How to send, including the size of requests.
    package nonisolated let options: DeliveryOptions
    private let observer: @Sendable (DeliveryEvent) -> Void
    private let evidence = RunEvidence()
    /// How long proofs may wait for their commit, in microseconds.
    private static let longestUncommitted: Int64 = 1_000_000
    /// The previous request's buffer, reused for the next.
    private var spare: [UInt8] = []

    /// Creates a deliverer for one run.
    package init(
        pda: AppendOnlyPDA,
        clock: any HostClock = SystemClock(),
        options: DeliveryOptions = DeliveryOptions(),
        observer: @escaping @Sendable (DeliveryEvent) -> Void = { _ in }
    ) {
        self.pda = pda
        self.clock = clock
        self.options = options
        self.observer = observer
    }

    /// Delivers entries of a block, in order, in batches.
    ///
    /// - Parameters:
    ///   - block: Canonical records.
    ///   - selection: Indexes into `block.entries`: those that the ledger does not contain.
    ///   - path: The endpoint.
    ///   - pauses: Whether it pauses after a second in which something was proved. A process that is killed again and again would
    ///     otherwise prove the same records each time, if one call takes longer than it lives.
    ///   - refusedBefore: The number of earlier runs in which the record at an index was refused alone.
    /// - Returns: The fate of each record. A stop, cancellation included, is part of the receipt, so that what was proved before
    ///   it is not lost.
    package func deliver(
        _ block: RecordBlock,
        selection: some Collection<Int> & Sendable,
        to path: DataPath,
        pauses: Bool = false,
        refusedBefore: @Sendable (Int) -> Int = { _ in 0 }
    ) async -> DeliveryReceipt {
        let sender = BatchSender(pda: pda, path: path, clock: clock, options: options, observer: observer)
        swap(&sender.body, &spare)
        let delivery = BlockDelivery(block, Array(selection), sender, evidence, options, clock)
        if pauses { delivery.pausesAt = clock.steady().microseconds + Self.longestUncommitted }
        await delivery.run()
        swap(&sender.body, &spare)
        return delivery.receipt(refusedBefore)
    }
}
