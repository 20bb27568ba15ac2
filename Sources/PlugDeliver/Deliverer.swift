package import PlugCore

/// Delivers a run's records to one PDA and knows what became of each.
///
/// What a run learns (its budget of single probes, refusals, whether the PDA is in trouble) spans all calls: there is
/// one deliverer for a run and a PDA. A record that came back as `refused` may be given again later in the run: once
/// another record has been stored meanwhile, the second refusal convicts it.
package actor Deliverer {
    private let pda: AppendOnlyPDA
    private let clock: any HostClock
    /// How it sends, the size of its requests included.
    package nonisolated let options: DeliveryOptions
    private let observer: @Sendable (DeliveryEvent) -> Void
    private let evidence = RunEvidence()
    /// The last request's buffer, kept for the next.
    private var spare: [UInt8] = []

    /// A deliverer for one run.
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
    ///   - selection: Indexes into `block.entries`: those that the ledger does not know.
    ///   - path: The endpoint.
    ///   - refusedBefore: In how many earlier runs the record at an index was refused alone.
    /// - Returns: What became of each. A stop, cancellation included, is in the receipt, so that what was proved before
    ///   it is not forgotten.
    package func deliver(
        _ block: RecordBlock,
        selection: some Collection<Int> & Sendable,
        to path: DataPath,
        refusedBefore: @Sendable (Int) -> Int = { _ in 0 }
    ) async -> DeliveryReceipt {
        let exchange = Exchange(pda: pda, path: path, clock: clock, options: options, observer: observer)
        swap(&exchange.body, &spare)
        let delivery = BlockDelivery(block, Array(selection), exchange, evidence, options, clock)
        await delivery.run()
        swap(&exchange.body, &spare)
        return delivery.receipt(refusedBefore)
    }
}
