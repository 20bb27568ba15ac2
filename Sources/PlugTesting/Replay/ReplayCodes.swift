internal import PlugCore

/// The codes of the replay server.
enum ReplayCodes {
    static let all: [PlugError.Code] = [
        .fixtureMismatch, .fixtureUnasked, .replayServer,
    ]
}

extension PlugError.Code {
    static let fixtureMismatch = Self(
        "fixture-mismatch",
        exit: .failed,
        "The plug sends a request that the fixture has no answer for, or sends it too often.",
        "Compare the request with the nearest one; correct the manifest, or add the exchange to the fixture."
    )

    static let fixtureUnasked = Self(
        "fixture-unasked",
        exit: .failed,
        "The fixture holds an exchange that the plug never requests.",
        "Remove it, or find out why the plug stops before it: paging and 'since' are the usual reasons."
    )

    static let replayServer = Self(
        "replay-server",
        exit: .unreachable,
        "The system did not allow the socket that serves the recorded answers.",
        "Check the limits on open files and on sockets on 127.0.0.1."
    )
}
