package import PlugCore

/// The codes of the sandbox, as `plughost explain` lists them.
package enum SandboxCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [
        .sandboxApplication, .sandboxBroken, .sandboxKey, .open(.sandboxListen), .sandboxLocked, .sandboxNotLoopback,
        .sandboxState,
    ]
}

extension PlugError.Code {
    static let sandboxApplication = Self(
        "sandbox-application",
        exit: .configuration,
        "The sandbox does not know the application, or its definition lacks an id or a version such as 1.0.0.",
        "Start the sandbox with --plugs PATH, or name the manifest instead of the application's id."
    )

    static let sandboxBroken = Self(
        "sandbox-broken",
        exit: .failed,
        "The sandbox's server stopped with an error.",
        "Start it again; its data is kept."
    )

    static let sandboxKey = Self(
        "sandbox-key",
        exit: .configuration,
        "The key that signs the sandbox's tokens cannot be read.",
        "Restore signing-key.pem. If you remove it instead, a new key is generated and all tokens of "
            + "this sandbox become invalid."
    )

    static let sandboxLocked = Self(
        "sandbox-locked",
        exit: .tryLater,
        "Another sandbox is running with the same folder.",
        "Stop it first, or choose another folder with --state DIR."
    )

    static let sandboxNotLoopback = Self(
        "sandbox-not-loopback",
        exit: .configuration,
        "The sandbox uses HTTP without TLS, and other machines could reach it at this address.",
        "Listen on 127.0.0.1, or add --insecure-listen if you trust everyone on the network."
    )

    static let sandboxState = Self(
        "sandbox-state",
        exit: .configuration,
        "The sandbox's folder cannot be created, read or written; the error says why.",
        "Choose another folder with --state DIR, or check its permissions."
    )
}

extension PlugError.Code.Open {
    static let sandboxListen = Self(
        "sandbox-listen",
        "The sandbox cannot listen at the address of --listen: it is not an address, or "
            + "another program uses the port.",
        "Write --listen 127.0.0.1:8899, or choose another port; port 0 takes any free port."
    )
}
