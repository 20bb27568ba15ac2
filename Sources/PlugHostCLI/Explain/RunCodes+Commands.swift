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
            "What the manifest says in 'application' is of a type that a PDA's clients cannot decode, or it lacks what "
                + "they show to an owner: they would leave the plug out.",
            "Mend what was reported; plug.yaml.example shows every member."
        ),
        CodeExplanation(
            "bad-host-address",
            exit: .usage,
            "--base or --exchange is not an http or https address.",
            "Write scheme and host, such as https://plugs.example"
        ),
        CodeExplanation(
            "exchange-failed",
            exit: .tryLater,
            "The exchange is busy or in trouble.",
            "Try again later."
        ),
        CodeExplanation(
            "exchange-forbidden",
            exit: .authorisation,
            "The exchange does not take the token: it has expired, or its developer may not register this application.",
            "Write a developer's token for this exchange into the token file."
        ),
        CodeExplanation(
            "exchange-refused",
            exit: .data,
            "The exchange does not take the definition, for example because the application is registered already.",
            "Read its words. What is registered is changed with --update."
        ),
        CodeExplanation(
            "exchange-unreachable",
            exit: .unreachable,
            "There was no answer from the exchange.",
            "Check --exchange and the network. A request may have arrived even so: look before you try again."
        ),
    ]
}
