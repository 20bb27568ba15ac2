/// Why one record could not be normalised: what becomes a dead letter's code and reason.
struct RecordFailure: Error {
    var code: String
    var reason: String

    init(_ code: String, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
