package import JQ

/// How to find out whether an account can be read, and whose it is (`check`).
package struct AccountCheck: Sendable {
    /// What is read for the check.
    package enum Target: Sendable {
        /// The first page of a stream without parents.
        case stream(String)
        /// A separate request.
        case request(Request)
    }

    /// What is read for the check.
    package var target: Target
    /// The account's name: computed from the first record of a stream, or from the answer to a request. Its globals are those of
    /// `RecordGlobals.answer`.
    package var who: JQProgram?
}
