internal import PlugCore

extension RunCodes {
    /// Codes of `deadletters`.
    static let deadLetters: [CodeExplanation] = [
        CodeExplanation(
            "deadletter-unknown",
            exit: .failed,
            "No dead letter in the state folder has this number. Numbers are never reused.",
            "Run 'plughost deadletters list'. If the state is in another folder, name it with --state DIR."
        ),
        CodeExplanation(
            "not-confirmed",
            exit: .usage,
            "The command erases data for good, and there is no terminal to ask for confirmation.",
            "Add --yes."
        ),
    ]

    /// Codes of `demo` and of applications in a sandbox.
    static let demo: [CodeExplanation] = [
        CodeExplanation(
            "demo-plug-missing",
            exit: .configuration,
            "The bundled plug is neither in ./Plugs nor next to the program.",
            "Run the demo in the plughost repository, or name a plug with --plug PATH."
        ),
        CodeExplanation(
            "demo-no-source",
            exit: .unreachable,
            "The service cannot be read from this machine, and the plug has no fixture to use instead.",
            "Check the network, or use a plug that has a recorded conversation in fixtures/."
        ),
        CodeExplanation(
            "demo-pda",
            "The demo's own sandbox gave an unexpected answer.",
            "Run the demo again. If it happens again, report it."
        ),
        CodeExplanation(
            "application-invalid",
            exit: .configuration,
            "'application' in the manifest lacks something that PDA clients show to an owner, or has a member of a "
                + "type that they cannot decode. They would not list the plug.",
            "Correct what was reported; plug.yaml.example shows every member."
        ),
        CodeExplanation(
            "bad-host-address",
            exit: .usage,
            "--base or --exchange is not an http or https address.",
            "Write the scheme and host, such as https://plugs.example"
        ),
        CodeExplanation(
            "exchange-failed",
            exit: .tryLater,
            "The exchange is busy or failing.",
            "Try again later."
        ),
        CodeExplanation(
            "exchange-forbidden",
            exit: .authorisation,
            "The exchange does not accept the token: it has expired, or its developer may not "
                + "register this application.",
            "Write a developer's token for this exchange into the token file."
        ),
        CodeExplanation(
            "exchange-refused",
            exit: .data,
            "The exchange rejects the definition, for example because the application is already registered.",
            "Read the exchange's message. Use --update to change a registered application."
        ),
        CodeExplanation(
            "exchange-unreachable",
            exit: .unreachable,
            "The exchange did not answer.",
            "Check --exchange and the network. The request may have arrived anyway: check before you try again."
        ),
    ]

    /// Codes of `pda`.
    static let pda: [CodeExplanation] = [
        CodeExplanation(
            "pda-call",
            exit: .usage,
            "The call is not valid, for example because no PDA can have such a namespace. Nothing was sent.",
            "Correct what the error names."
        ),
        CodeExplanation(
            "pda-duplicate",
            exit: .data,
            "The PDA already has the same data, possibly in another endpoint: a PDA stores each value once.",
            "If that is what you wanted, do nothing. Otherwise add a member that makes the value different."
        ),
        CodeExplanation(
            "pda-input",
            exit: .data,
            "A file or stdin does not hold the JSON that the command needs.",
            "Give one JSON document, or one per line."
        ),
        CodeExplanation(
            "pda-not-found",
            exit: .failed,
            "The PDA has nothing with this name, or does not show it to this token.",
            "Check the name and the token."
        ),
        CodeExplanation(
            "pda-password-missing",
            exit: .usage,
            "Logging in needs a password, and it cannot be given on the command line.",
            "Name a file that holds it with --password-file, or set PLUGHOST_PDA_PASSWORD."
        ),
        CodeExplanation(
            "pda-refused",
            exit: .data,
            "The PDA understood the call and rejected it; the error gives its reason.",
            "Correct what it names. If you sent a list, nothing was changed."
        ),
        CodeExplanation(
            "pda-token-missing",
            exit: .usage,
            "The command needs a token of the PDA.",
            "Name a file with --token-file, or set PLUGHOST_PDA_TOKEN. 'plughost pda login' gets one."
        ),
    ]
}
