package import Logging
package import LosslessJSON
package import PDAWire
package import PlugCore

/// How a sandbox runs.
package struct SandboxOptions: Sendable {
    /// A name or address to listen on; only loopback unless `allowsInsecureListen`.
    package var host: String
    /// A port, 0 for any free one.
    package var port: Int
    /// The folder for records, applications and the signing key; made (0700) if it is missing.
    package var stateFolder: String
    /// The owner's log-in name.
    package var owner: String
    /// The owner's password; a salted scrypt hash of it is stored, and the password of the latest start counts.
    package var password: Secret
    /// The owner's e-mail address. Nothing is sent to it: what the reference server would mail is shown on the page.
    package var email = "owner@sandbox.invalid"
    /// The only `Host` (`name` or `name:port`) under which the PDA answers; `nil` for any.
    package var domain: String?
    /// Definitions (bare Applications) that the PDA should resolve. They stay known in the state folder.
    package var applications: [JSONValue] = []
    /// Where definitions are looked up; `nil` for those in the state folder, `applications` among them.
    package var directory: (any ApplicationDirectory)?
    /// Whether it may listen without TLS on addresses that other machines can reach.
    package var allowsInsecureListen = false
    /// Where it logs. Tokens, passwords and records are never logged.
    package var logger = Logger(label: "sandbox")
    /// How many bytes the bodies of all requests in progress may take together; beyond that, requests are deferred (503).
    package var bodyRoom = 64 << 20
    /// scrypt's N for stored passwords: some 50 ms each, on purpose. Only tests, whose passwords are not secrets, reduce it; in
    /// unoptimised builds it takes four times as long.
    package var passwordRounds = defaultPasswordRounds
    static let defaultPasswordRounds = 1 << 14

    /// Options; `listen` is `host:port` such as `127.0.0.1:8899` or `[::1]:0`.
    ///
    /// - Throws: `PlugError` `sandbox-listen` (usage) if `listen` is not such an address.
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

/// Where to find a running sandbox.
package struct SandboxAddress: Sendable, Equatable {
    /// The PDA's address, such as `http://127.0.0.1:8899`, without a trailing slash.
    package var url: String
    /// The address of the page with a key that logs one browser in, once.
    package var page: Secret
    /// The host as in `url`.
    package var host: String
    /// The port.
    package var port: Int
}
