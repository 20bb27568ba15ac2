internal import Synchronization

/// A mail server on a loopback address: it takes every mail but those to whom it does not know.
package final class MailHost: Sendable {
    /// A mail that was handed in.
    package struct Mail: Sendable, Equatable {
        /// What the client has proved itself with, as it came.
        package var login: String?
        package var sender: String
        package var recipients: [String]
        /// Header and body, as they came.
        package var message: String

        package init(login: String?, sender: String, recipients: [String], message: String) {
            (self.login, self.sender, self.recipients, self.message) = (login, sender, recipients, message)
        }
    }

    private let taken: Taken
    private let server: LoopbackServer

    private final class Taken: Sendable {
        let mails = Mutex<[Mail]>([])
    }

    /// - Parameter refused: Recipients that it does not know.
    package init(refusing refused: Set<String> = []) throws {
        let taken = Taken()
        self.taken = taken
        server = try LoopbackServer { connection in
            if let mail = Self.mail(&connection, refused) { taken.mails.withLock { $0.append(mail) } }
            while connection.nextLine() != nil { _ = connection.say("221 bye") }
        }
    }

    /// The mails in the order in which they came.
    package var mails: [Mail] { taken.mails.withLock { $0 } }

    /// `127.0.0.1:PORT`
    package var authority: String { server.authority }

    /// Refuses new connections.
    package func stop() { server.stop() }

    /// Talks until a mail has come; `nil` at the end.
    private static func mail(_ connection: inout LoopbackConnection, _ refused: Set<String>) -> Mail? {
        var mail = Mail(login: nil, sender: "", recipients: [], message: "")
        guard connection.say("220 mail.test ESMTP") else { return nil }
        while let line = connection.nextLine() {
            let address = line.split(separator: "<").last.map { String($0.prefix { $0 != ">" }) } ?? ""
            switch line.prefix(4).uppercased() {
            case "EHLO": _ = connection.say("250-mail.test\r\n250-AUTH PLAIN\r\n250 8BITMIME")
            case "AUTH":
                let words = line.split(separator: " ")
                if words.count == 2 { _ = connection.say("334 ") }
                mail.login = words.count > 2 ? String(words[2]) : connection.nextLine()
                _ = connection.say("235 welcome")
            case "MAIL":
                mail.sender = address
                _ = connection.say("250 fine")
            case "RCPT" where refused.contains(address): _ = connection.say("550 nobody of that name")
            case "RCPT":
                mail.recipients.append(address)
                _ = connection.say("250 fine")
            case "DATA":
                _ = connection.say("354 go on")
                while let line = connection.nextLine(), line != "." {
                    mail.message += (line.hasPrefix(".") ? String(line.dropFirst()) : line) + "\r\n"
                }
                _ = connection.say("250 taken")
                return mail
            case "QUIT":
                _ = connection.say("221 bye")
                return nil
            default: _ = connection.say("502 unknown")
            }
        }
        return nil
    }
}

extension LoopbackConnection {
    /// Sends a line; `false` where nobody is there to take it.
    package func say(_ line: String) -> Bool { send(Array("\(line)\r\n".utf8)) }
}
