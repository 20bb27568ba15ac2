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
    package var email = "owner@sandbox.invalid"
    /// The only `Host` (`name` or `name:port`) under which the PDA answers; `nil` for any that leads to it.
    package var domain: String?
    /// Definitions (bare Applications) that the PDA shall resolve. They stay known in the state folder.
    package var applications: [JSONValue] = []
    /// Where definitions are looked up; `nil` for those in the state folder, `applications` among them.
    package var directory: (any ApplicationDirectory)?
    /// Whether it may listen where other machines reach it, without TLS.
    package var allowsInsecureListen = false
    /// Where it logs. No token, password or record is ever logged.
    package var logger = Logger(label: "sandbox")
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
        password: Secret
    ) throws(PlugError) {
        guard let address = ListenAddress(listen) else {
            throw PlugError(
                .sandboxListen,
                exit: .usage,
                "'\(listen)' is not an address to listen on",
                advice: "write HOST:PORT such as 127.0.0.1:8899, or port 0 for any free port"
            )
        }
        host = address.host
        port = address.port
        self.stateFolder = stateFolder
        self.owner = owner
        self.password = password
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
