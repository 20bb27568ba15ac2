internal import PlugCore

/// Content that gets no answer to work with (500, a closed connection, an HTML page), while the PDA takes everything else.
///
/// One failing request says nothing: the PDA may be out of order. A request that holds something else tells. Where the PDA
/// takes that, the rest is posted around it, until the record is found, and that record holds up nothing.
extension BlockDelivery {
    /// How many records are sent alone to see whether the PDA takes anything.
    private static let samples = 3
    /// So many requests in a row without an answer are the PDA's trouble. Finding one record of 500 takes less.
    static let unansweredLimit = 30

    /// Sends single records of a part that got no answer, until one gets one.
    ///
    /// - Returns: The record that is settled; `nil` where the PDA seems to take nothing.
    func settledAlone(of part: Range<Int>) async -> Int? {
        isSampling = true
        defer { isSampling = false }
        let samples = min(Self.samples, part.count)
        // By chance, so that another run takes others, and far from each other.
        let start = min(part.count - 1, Int(clock.random() * Double(part.count)))
        for sample in 0..<samples {
            guard evidence.unanswered < Self.unansweredLimit else { return nil }
            let position = part.lowerBound + (start + sample * part.count / samples) % part.count
            let outcome = await postAlone(position)
            if stop != nil { return nil }
            if outcome != .stopped { return position }
        }
        return nil
    }

    /// Notes a record that gets no answer alone.
    ///
    /// - Parameter wasInDoubt: Whether the request before it, which held something else, got none either.
    func noteUnanswered(_ position: Int, _ error: PlugError, isOutage: Bool, wasInDoubt: Bool) {
        if isSampling { return }
        guard !wasInDoubt || (evidence.hasPoison && evidence.unanswered < Self.unansweredLimit) else {
            (stop, self.isOutage) = (error, isOutage)
            return
        }
        fates[position] = .unanswered(reason: error.message)
    }
}
