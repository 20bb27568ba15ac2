package import CurlTransport
package import PlugCore

/// Sends notices as mail.
package struct MailNotifier: Notifier {
    /// Where mail is submitted, its sender and its recipients.
    package struct Route: Sendable {
        /// The server.
        package var server: MailServer
        /// The user name and password on the server; `nil` if none is needed.
        package var login: (name: String, password: Secret)?
        /// The sender's address.
        package var from: String
        /// The recipients' addresses.
        package var to: [String]
        /// Private networks that the server may be in.
        package var networks: [CIDR]

        /// A route.
        package init(
            server: MailServer,
            login: (name: String, password: Secret)?,
            from: String,
            to: [String],
            networks: [CIDR]
        ) {
            (self.server, self.login, self.from, self.to, self.networks) = (server, login, from, to, networks)
        }
    }

    package let name: String
    package let namesPDAs: Bool
    private let route: Route

    /// A target.
    package init(_ name: String, _ route: Route, namesPDAs: Bool) {
        (self.name, self.route, self.namesPDAs) = (name, route, namesPDAs)
    }

    package func send(_ notice: Notice) async throws(PlugError) -> String {
        let message = NoticeMail(
            from: route.from,
            to: route.to,
            subject: notice.subject,
            text: notice.text,
            id: notice.id,
            at: notice.at
        )
        var mail = OutgoingMail(
            server: route.server,
            sender: route.from,
            recipients: route.to,
            message: message.bytes
        )
        (mail.login, mail.networks) = (route.login, route.networks)
        do {
            try await MailTransport.send(mail)
            return "taken by \(route.server.hostAndPort)"
        } catch {
            let code: PlugError.Code = error.code == .badResponse ? .noticeRefused : .noticeUnreachable
            throw PlugError(code, error.message, advice: "'plughost notify test' tries it again")
        }
    }
}
