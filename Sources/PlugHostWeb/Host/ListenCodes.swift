package import PlugCore

/// The codes of the host's web side, as `plughost explain` lists them.
package enum ListenCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [.hostListen]
}

extension PlugError.Code {
    static let hostListen = Self(
        "host-listen",
        exit: .unreachable,
        "The host cannot listen on its address: another program uses the port, or the address is not this machine's.",
        "Choose another address with --listen HOST:PORT; port 0 takes any free port."
    )
}
