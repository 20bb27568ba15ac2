/// Why one record could not be normalised: what becomes a dead letter's code and reason. The reason quotes no values:
/// lists and logs show it, and whoever may see the record finds them there.
struct RecordFailure: Error {
    var code: String
    var reason: String

    init(_ code: String, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
