/// How services report a failure in XML, with a success status.
enum XMLFailure {
    static let reason = "its root element says that something failed, and it has no record"

    private static let roots: Set<String> = ["error", "errors", "err", "errorresponse", "fault", "exception"]
    private static let outcomes: Set<String> = ["stat", "status", "result", "success", "ok"]
    private static let failures: Set<String> = ["fail", "failed", "failure", "error", "false"]

    /// Whether a root element of this name, without its prefix, is an error.
    static func isRoot(_ name: String) -> Bool { roots.contains(name.lowercased()) }

    /// Whether an attribute of the root element reports one: `stat="fail"`.
    static func isTold(by name: String, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        outcomes.contains(name.lowercased())
            && failures.contains(String(decoding: value.prefix(16), as: UTF8.self).lowercased())
    }
}
