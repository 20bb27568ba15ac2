internal import PlugCore

/// Why one record could not be normalised: becomes a dead letter's code and reason. The reason quotes no values: lists and
/// logs show it, and anyone who may see the record finds them there.
struct RecordFailure: Error {
    var code: PlugError.Code
    var reason: String
    /// The stream's key in the manifest that does not fit, such as `map` or `fields.at`.
    var key: String

    init(_ code: PlugError.Code, _ reason: String, key: String) {
        self.key = key
        self.code = code
        self.reason = reason
    }
}
