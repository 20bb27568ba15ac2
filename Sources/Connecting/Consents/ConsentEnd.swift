internal import LosslessJSON
package import PlugCore

/// The outcome of connecting something, for the page that the browser is led to and for later look-ups.
package struct ConsentEnd: Sendable, Equatable {
    /// Whose account is connected; `nil` if unknown, or if nothing is connected.
    package var who: String?
    /// Scopes that were requested but not granted.
    package var missing: [String] = []
    /// Why nothing was connected: the error's code; `nil` if all went well.
    package var code: String?
    /// What happened.
    package var message: String?
    /// What to do.
    package var advice: String?
    /// The connection that it was for, if known.
    package var connection: String?
    /// The plug that it was for, if known.
    package var plug: String?

    /// An account is connected.
    package init(_ account: ConnectedAccount) {
        (who, missing) = (account.who, account.missing)
        (connection, plug) = (account.connection, account.plug)
    }

    /// Nothing was connected.
    package init(_ error: PlugError, connection: String? = nil, plug: String? = nil) {
        (code, message, advice) = (error.code.text, error.message, error.advice)
        (self.connection, self.plug) = (connection, plug)
    }

    var content: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
        return .members(
            ("who", text(who)),
            ("missing", .array(missing.map { .text($0) })),
            ("code", text(code)),
            ("message", text(message)),
            ("advice", text(advice)),
            ("connection", text(connection)),
            ("plug", text(plug))
        )
    }

    init?(content: JSONValue) {
        guard content.object != nil else { return nil }
        who = content["who"]?.stringText
        missing = content["missing"]?.elements?.compactMap(\.stringText) ?? []
        code = content["code"]?.stringText
        message = content["message"]?.stringText
        advice = content["advice"]?.stringText
        connection = content["connection"]?.stringText
        plug = content["plug"]?.stringText
    }
}
