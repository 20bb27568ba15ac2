internal import PlugCore

extension PlugError.Code {
    static let callbackPort = Self(
        "callback-port",
        exit: .unreachable,
        "The port that the browser comes back to cannot be listened on, mostly because another program uses it.",
        "Choose another --port, and register it with the service where that wants exact addresses; or use --paste."
    )

    static let connectionNew = Self(
        "connection-new",
        exit: .usage,
        "A connection belongs to a PDA. A new one needs --pda, because nothing is known of it yet.",
        "Write --pda https://you.example, as in the runs that follow."
    )
}
