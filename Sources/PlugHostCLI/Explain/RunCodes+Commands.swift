internal import PlugCore

extension RunCodes {
    /// Codes of `deadletters`.
    static let deadLetters: [CodeExplanation] = [
        CodeExplanation(
            "deadletter-unknown",
            exit: .failed,
            "No dead letter has this number in the state folder. Numbers are never used again.",
            "Look with 'plughost deadletters list', and name the folder with --state DIR if it is another one."
        ),
        CodeExplanation(
            "not-confirmed",
            exit: .usage,
            "Something would be erased for good, and there is no terminal to ask at.",
            "Say --yes."
        ),
    ]

    /// Codes of `demo` and of applications in a sandbox.
    static let demo: [CodeExplanation] = [
        CodeExplanation(
            "demo-plug-missing",
            exit: .configuration,
            "The bundled plug is neither in ./Plugs nor beside the program.",
            "Run the demo in plughost's repository, or name a plug with --plug PATH."
        ),
        CodeExplanation(
            "demo-no-source",
            exit: .unreachable,
            "The service cannot be read from here, and the plug has no fixture to read instead.",
            "Check the network, or take a plug whose fixtures/ holds a conversation."
        ),
        CodeExplanation(
            "demo-pda",
            "The demo's own sandbox did not answer as it should.",
            "Run the demo again; if it stays, report it."
        ),
        CodeExplanation(
            "application-invalid",
            exit: .configuration,
            "What the manifest says in 'application' is of a type that a PDA's clients cannot decode: they would not "
                + "show the plug.",
            "Mend what was reported; plug.yaml.example shows every member."
        ),
    ]
}
