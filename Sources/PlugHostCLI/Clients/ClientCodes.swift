internal import PlugCore

/// The codes of OAuth clients.
enum ClientCodes {
    static let all: [PlugError.Code] = [
        .clientOption
    ]
}

extension PlugError.Code {
    static let clientOption = Self(
        "client-option",
        exit: .usage,
        "The options of the OAuth client do not fit together: a secret without an id, a secret on the command line itself, "
            + "or one client for plugs of several providers.",
        "Write --client-id ID --client-secret @FILE for one plug, or use a providers.yaml."
    )
}
