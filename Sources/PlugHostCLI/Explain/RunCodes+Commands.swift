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

    /// Codes of `pda`.
    static let pda: [CodeExplanation] = [
        CodeExplanation(
            "pda-call",
            exit: .usage,
            "The call cannot be made as it was given, such as with a namespace that no PDA can have; nothing was sent.",
            "Change what the error names."
        ),
        CodeExplanation(
            "pda-duplicate",
            exit: .data,
            "The same data is in the PDA already, in whichever endpoint: a PDA stores a value once.",
            "Nothing, if that is what you wanted. Otherwise give it a member that tells it apart."
        ),
        CodeExplanation(
            "pda-input",
            exit: .data,
            "A file or stdin does not hold the JSON that the command needs.",
            "Give one JSON document, or one a line."
        ),
        CodeExplanation(
            "pda-not-found",
            exit: .failed,
            "The PDA has nothing of this name, or does not show it to this token.",
            "Check the name, and whose token it is."
        ),
        CodeExplanation(
            "pda-password-missing",
            exit: .usage,
            "To log in there has to be a password, and the command line is no place for it.",
            "Name a file that holds it with --password-file, or set PLUGHOST_PDA_PASSWORD."
        ),
        CodeExplanation(
            "pda-refused",
            exit: .data,
            "The PDA understood the call and refuses it; the error has its reason.",
            "Change what it names. All or nothing: of a refused list nothing was done."
        ),
        CodeExplanation(
            "pda-token-missing",
            exit: .usage,
            "The command needs a token of the PDA.",
            "Name a file with --token-file, or set PLUGHOST_PDA_TOKEN. 'plughost pda login' gets one."
        ),
    ]
}
