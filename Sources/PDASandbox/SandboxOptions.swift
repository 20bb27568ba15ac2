package import Logging
package import LosslessJSON
package import PDAWire
package import PlugCore

/// How a sandbox runs.
package struct SandboxOptions: Sendable {
    /// A name or address to listen on; only loopback unless `allowsInsecureListen`.
    package var host: String
    /// A port, 0 for any that is free.
    package var port: Int
    /// The folder that keeps records, applications and the signing key; made (0700) if it is missing.
    package var stateFolder: String
    /// The owner's name at log-in.
    package var owner: String
    /// The owner's password; a salted scrypt hash of it is kept, and the newest start's password counts.
    package var password: Secret
    /// The owner's e-mail address. Nothing is sent to it: what the reference server would mail stands on the page.
    package var email: String
    /// The only `Host` (`name` or `name:port`) under which the PDA answers; `nil` for any that leads to it.
    package var domain: String?
    /// Definitions (bare Applications) that the PDA shall resolve. They stay known in the state folder.
    package var applications: [JSONValue]
    /// Where definitions are looked up; `nil` for those in the state folder, `applications` among them.
    package var directory: (any ApplicationDirectory)?
    /// Whether it may listen where other machines reach it, without TLS.
    package var allowsInsecureListen: Bool
    /// Where it logs. No token, password or record is ever logged.
    package var logger: Logger
    /// How many bytes the bodies of all requests under way may take together; with more, requests are put off (503).
    package var bodyRoom = 64 << 20
    /// scrypt's N for kept passwords: some 50 ms for one, on purpose. Only tests, whose passwords are no secrets, make it
    /// less; if nothing is optimised it takes four times as long.
    package var passwordRounds = usualPasswordRounds
    static let usualPasswordRounds = 1 << 14

    /// Options; `listen` is `host:port` such as `127.0.0.1:8899` or `[::1]:0`.
    ///
    /// - Throws: `PlugError` `sandbox-listen` (usage) if `listen` is no such address.
    package init(
        listen: String = "127.0.0.1:0",
        stateFolder: String,
        owner: String,
        password: Secret,
        email: String = "owner@sandbox.invalid",
        domain: String? = nil,
        applications: [JSONValue] = [],
        directory: (any ApplicationDirectory)? = nil,
        allowsInsecureListen: Bool = false,
        logger: Logger = Logger(label: "sandbox")
    ) throws(PlugError) {
        guard let (host, port) = ListenAddress.parse(listen) else {
            throw PlugError(
                .sandboxListen,
                exit: .usage,
                "'\(listen)' is not an address to listen on",
                advice: "write HOST:PORT such as 127.0.0.1:8899, or port 0 for any free port"
            )
        }
        self.host = host
        self.port = port
        self.stateFolder = stateFolder
        self.owner = owner
        self.password = password
        self.email = email
        self.domain = domain
        self.applications = applications
        self.directory = directory
        self.allowsInsecureListen = allowsInsecureListen
        self.logger = logger
    }
}

/// Where a running sandbox is found.
package struct SandboxAddress: Sendable, Equatable {
    /// The PDA's address, such as `http://127.0.0.1:8899`, without a slash at the end.
    package var url: String
    /// The address of the page with a key that logs one browser in, once.
    package var page: Secret
    /// The host as it stands in `url`.
    package var host: String
    /// The port.
    package var port: Int
}

/// Reads `host:port` and knows which hosts are this machine.
enum ListenAddress {
    static func parse(_ text: String) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65535 ~= port
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        return host.isEmpty ? nil : (String(host), port)
    }

    /// Whether a host, without port and brackets, names this machine by loopback.
    static func isLoopback(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The host of a `Host` header: without port, brackets off.
    static func host(ofHeader header: String) -> String {
        if header.hasPrefix("["), let end = header.firstIndex(of: "]") {
            return String(header[header.index(after: header.startIndex)..<end])
        }
        return String(header.prefix { $0 != ":" })
    }

    static func authority(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
