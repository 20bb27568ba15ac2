extension PDARoute {
    /// GET: every data debit.
    public static let dataDebits = "\(base)/data-debit"
    /// GET: one data debit. POST: proposes it. PUT: proposes a change of it.
    public static func dataDebit(_ key: String) -> String { "\(dataDebits)/\(PercentEncoding.segment(key))" }
    /// GET: agrees to what was proposed last. A GET that changes state, as the reference server has it.
    public static func enableDataDebit(_ key: String) -> String { "\(dataDebit(key))/enable" }
    /// GET: ends the agreement, now or with its period.
    public static func disableDataDebit(_ key: String, atPeriodEnd: Bool) -> String {
        "\(dataDebit(key))/disable?atPeriodEnd=\(atPeriodEnd)"
    }
    /// GET: the data.
    public static func dataDebitValues(_ key: String) -> String { "\(dataDebit(key))/values" }
}
