/// Why one record could not be normalised: what becomes a dead letter's code and reason.
struct RecordFailure: Error {
    var code: String
    /// For whoever may see the record: values are quoted.
    var reason: String
    /// The same for logs and reports, which show nobody's data.
    var withoutValues: String

    init(_ code: String, _ reason: String, withoutValues: String? = nil) {
        self.code = code
        self.reason = reason
        self.withoutValues = withoutValues ?? reason
    }
}
