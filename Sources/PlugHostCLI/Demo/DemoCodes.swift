internal import PlugCore

/// The codes of the demo.
enum DemoCodes {
    static let all: [PlugError.Code] = [
        .demoPlugMissing, .demoNoSource, .open(.demoPDA),
    ]
}

extension PlugError.Code {
    static let demoPlugMissing = Self(
        "demo-plug-missing",
        exit: .configuration,
        "The bundled plug is neither in ./Plugs nor next to the program.",
        "Run the demo in the plughost repository, or name a plug with --plug PATH."
    )

    static let demoNoSource = Self(
        "demo-no-source",
        exit: .unreachable,
        "The service cannot be read from this machine, and the plug has no fixture to use instead.",
        "Check the network, or use a plug that has a recorded conversation in fixtures/."
    )
}

extension PlugError.Code.Open {
    static let demoPDA = Self(
        "demo-pda",
        "The demo's own sandbox gave an unexpected answer.",
        "Run the demo again. If it happens again, report it."
    )
}
