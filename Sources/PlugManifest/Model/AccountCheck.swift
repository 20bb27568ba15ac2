package import JQ

/// How to find out whether an account can be read, and whose it is (`check`).
package struct AccountCheck: Sendable {
    /// What is read.
    package enum Target: Sendable {
        /// The first page of a stream, which has no parents.
        case stream(String)
        /// A request of its own.
        case request(Request)
    }

    /// What is read.
    package var target: Target
    /// The account's name: over the first record of a stream, or over the answer to a request. Its globals are those of
    /// `RecordGlobals.answer`.
    package var who: JQProgram?
}
