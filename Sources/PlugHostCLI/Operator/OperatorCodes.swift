internal import PlugCore

extension PlugError.Code {
    static let operatorUnknown = Self(
        "operator-unknown",
        exit: .configuration,
        "The configuration names the operators of this host, and the given name is not among them.",
        "Use one of the names, or add it to 'operators'."
    )
}
