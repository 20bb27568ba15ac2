public import LosslessJSON
public import PlugCore

/// The outcome of a call.
public enum PDAResult: Sendable {
    /// The PDA answered without an error status.
    ///
    /// - Parameters:
    ///   - isSuccess: Whether the status is 200–299. `false` for an answer that is neither that nor an error: a 304.
    ///   - status: The status code.
    ///   - json: The body; plain text is a JSON string, an empty body is `null`.
    ///   - token: The refreshed token, `nil` if the answer has none or an empty one.
    case success(isSuccess: Bool, status: Int?, json: JSONValue, token: Secret?)
    /// There was no answer, or one with a status of 400–599, or one that is not an API answer (HTML, a redirect).
    ///
    /// - Parameters:
    ///   - error: What went wrong and what to do.
    ///   - status: The status code, `nil` if there was no answer.
    ///   - json: The body if it is JSON.
    case failure(error: PDAError, status: Int?, json: JSONValue?)

    /// The body of a 2xx answer.
    ///
    /// - Throws: `PDAError` for everything else.
    public func value() throws(PDAError) -> JSONValue {
        switch self {
        case .success(true, _, let json, _): return json
        case .success(false, let status, _, _):
            let message = "the PDA answered \(status ?? 0), neither success nor error"
            throw PDAError(.unexpectedStatus, message, status: status)
        case .failure(let error, _, _): throw error
        }
    }
}
