internal import PlugCore

/// The codes of `plughost connect`.
enum ConnectCodes {
    static let all: [PlugError.Code] = [
        .callbackPort, .connectionNew,
    ]
}

extension PlugError.Code {
    static let callbackPort = Self(
        "callback-port",
        exit: .unreachable,
        "The port that the browser comes back to cannot be used, usually because another program uses it.",
        "Choose another --port, and register it with the service if it needs exact addresses; or use --paste."
    )

    static let connectionNew = Self(
        "connection-new",
        exit: .usage,
        "A connection belongs to a PDA. A new one needs --pda, because nothing is known of it yet.",
        "Write --pda https://you.example, as in later runs."
    )
}
