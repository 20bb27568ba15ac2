internal import PlugCore

/// The codes of operators.
enum OperatorCodes {
    static let all: [PlugError.Code] = [
        .operatorUnknown
    ]
}

extension PlugError.Code {
    static let operatorUnknown = Self(
        "operator-unknown",
        exit: .configuration,
        "The configuration names the operators of this host, and the given name is not among them.",
        "Use one of the names, or add it to 'operators'."
    )
}
