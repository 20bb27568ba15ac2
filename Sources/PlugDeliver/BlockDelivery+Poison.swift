internal import PlugCore

/// Content that gets no usable answer (500, a closed connection, an HTML page) while the PDA accepts everything else.
///
/// One failing request proves nothing: the PDA may be out of order. A request with other content settles it. If the PDA accepts
/// that, the rest is posted around the failing part until the record is found, and that record holds up nothing.
extension BlockDelivery {
    /// How many records are sent alone to see whether the PDA accepts anything.
    private static let samples = 3

    /// Sends single records of a part that got no answer, until one is answered.
    ///
    /// - Returns: The record that is settled; `nil` if the PDA seems to accept nothing.
    func settledAlone(of part: Range<Int>) async -> Int? {
        isSampling = true
        defer { isSampling = false }
        var sent: Set<Int> = []
        for _ in 0..<min(Self.samples, part.count) {
            guard evidence.unanswered < RunEvidence.unansweredLimitOfBatch else { return nil }
            // At random, so that another run picks others: failing records may be evenly spaced.
            var position = part.lowerBound + min(part.count - 1, Int(clock.random() * Double(part.count)))
            while !sent.insert(position).inserted {
                position = position + 1 == part.upperBound ? part.lowerBound : position + 1
            }
            position = oldestVersion(of: position, in: part)
            sent.insert(position)
            let outcome = await postAlone(position)
            if stop != nil { return nil }
            if outcome != .stopped { return position }
        }
        return nil
    }

    /// The position of the oldest version of the record at a position: versions are stored in their order.
    private func oldestVersion(of position: Int, in part: Range<Int>) -> Int {
        let thing = block.thing(selection[position])
        if thing.isEmpty { return position }
        return part.first { block.thing(selection[$0]) == thing } ?? position
    }

    /// Leaves out a record if an older version of it gets no answer.
    ///
    /// - Returns: Its position in the part; `nil` if there is none.
    func newerVersionOfUnanswered(in part: Range<Int>) -> Int? {
        if unansweredThings.isEmpty { return nil }
        guard
            let position = part.first(where: {
                unansweredThings.contains(block.thing(selection[$0]))
            })
        else { return nil }
        fates[position] = .unanswered(reason: "the PDA gives no answer to an older version of it")
        return position
    }

    /// Notes a record that gets no answer even when sent alone.
    ///
    /// - Parameter wasInDoubt: Whether the previous request, with other content, got no answer either.
    func noteUnanswered(_ position: Int, _ error: PlugError, isOutage: Bool, wasInDoubt: Bool) {
        if isSampling { return }
        guard !wasInDoubt || (evidence.hasPoison && evidence.unanswered < RunEvidence.unansweredLimitOfBatch) else {
            return stopInDoubt(error, isOutage: isOutage)
        }
        fates[position] = .unanswered(reason: error.message)
        let thing = block.thing(selection[position])
        if !thing.isEmpty { unansweredThings.insert(thing) }
    }
}
