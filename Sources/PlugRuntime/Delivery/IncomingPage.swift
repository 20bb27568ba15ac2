internal import PlugCore

/// A page that was read: normalised, and with what the ledger knew of each record before it met it here.
struct IncomingPage: Equatable {
    /// The states to commit once its records are safe.
    var states: [String: StreamState] = [:]
    var endsPass = false
    /// Whether it can be read again from an earlier state.
    var isRepeatable = true
    /// Whether records of parents did not fit and were left out, on this page or an earlier one.
    var leavesOutParents = false
    var cost = FetchedPage.Cost()
    var dropped = 0
    /// Records that say that a thing is gone.
    var deleted = 0
    var repaired = 0
    /// What its records are about, where passes are compared.
    var inventory: [UInt8] = []
    /// Whether it is read without comparing, so that what the pass has found so far is not all of it.
    var dropsInventory = false

    var block = RecordBlock()
    /// One for each record.
    var fingerprints: [RecordFingerprint] = []
    /// One for each record.
    var findings: [FingerprintSet.Finding] = []

    /// Records that could not be normalised, and are not kept yet.
    var letters: [DeadLetter] = []
    /// Of all records that could not be normalised.
    var letterFingerprints: [RecordFingerprint] = []
}
