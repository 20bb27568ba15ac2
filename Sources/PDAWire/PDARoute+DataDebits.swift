internal import PlugCore

extension PDARoute {
    /// GET: every data debit.
    public static let dataDebits = "\(base)/data-debit"
    /// GET: one data debit. POST: proposes it. PUT: proposes a change to it.
    public static func dataDebit(_ key: String) -> String { "\(dataDebits)/\(PercentEncoding.segment(key))" }
    /// GET: agrees to the latest proposal. A GET that changes state, as on the reference server.
    public static func enableDataDebit(_ key: String) -> String { "\(dataDebit(key))/enable" }
    /// GET: ends the agreement, immediately or at the end of its period.
    public static func disableDataDebit(_ key: String, atPeriodEnd: Bool) -> String {
        "\(dataDebit(key))/disable?atPeriodEnd=\(atPeriodEnd)"
    }
    /// GET: the data.
    public static func dataDebitValues(_ key: String) -> String { "\(dataDebit(key))/values" }
}
