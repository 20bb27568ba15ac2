internal import PlugCore

/// A page after reading: normalised, with what the ledger knew of each record beforehand.
struct IncomingPage: Equatable {
    /// The states to commit once its records are safe.
    var states: [String: StreamState] = [:]
    var endsPass = false
    /// Whether it can be read again from an earlier state.
    var isRepeatable = true
    /// Whether records of parents did not fit the manifest and were left out, on this page or an earlier one.
    var leavesOutParents = false
    var cost = FetchedPage.Cost()
    var dropped = 0
    /// Records that report a thing as gone.
    var deleted = 0
    var repaired = 0
    /// The things its records are about, if passes are compared.
    var inventory: [UInt8] = []
    /// Whether it is read without comparing, so that what the pass has found so far is incomplete.
    var dropsInventory = false

    var block = RecordBlock()
    /// One for each record.
    var fingerprints: [RecordFingerprint] = []
    /// One for each record.
    var findings: [FingerprintSet.Finding] = []

    /// Records that could not be normalised and are not yet kept.
    var letters: [DeadLetter] = []
    /// The fingerprints of all records that could not be normalised.
    var letterFingerprints: [RecordFingerprint] = []
}
