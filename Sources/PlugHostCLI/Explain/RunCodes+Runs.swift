internal import PlugCore

extension RunCodes {
    /// Tokens, and the run as a whole.
    static let runs: [CodeExplanation] = [
        CodeExplanation(
            "since-unused",
            exit: .usage,
            "--since was given, but no stream of the plug has 'since' in its manifest.",
            "Leave out --since: streams without 'since' are read completely every time."
        ),
        CodeExplanation(
            "interrupted",
            exit: .interrupted,
            "Ctrl-C or SIGTERM stopped the command cleanly.",
            "Run it again: it continues where it stopped, and nothing is lost."
        ),
        CodeExplanation(
            "token-application",
            "A warning: the token belongs to no application. It may be an owner's token, which allows much more than "
                + "writing the plug's data.",
            "Set the plug up in the PDA, and use the application token that it gives."
        ),
        CodeExplanation(
            "token-empty",
            exit: .authorisation,
            "The token file is empty, or holds only white space.",
            "Write the plug's application token into it."
        ),
        CodeExplanation(
            "token-expired",
            exit: .authorisation,
            "The token has expired, and the state holds no newer one.",
            "Get a new application token for this plug, and write it into the token file."
        ),
        CodeExplanation(
            "token-idle",
            exit: .authorisation,
            "The token was issued more than three days ago, and a PDA refuses such tokens. Each run keeps the newer "
                + "token that the PDA sends, so this happens when the plug has not run for three days.",
            "Write a new application token into the token file, and run the plug at least every other day."
        ),
        CodeExplanation(
            "token-missing",
            exit: .authorisation,
            "No token file was named, and the PDA has not yet given this connection a token.",
            "Name the file that holds the plug's application token with --token-file FILE."
        ),
        CodeExplanation(
            "token-issuer",
            "A warning: the token's issuer is another PDA than --pda, which will probably not accept it.",
            "Check --pda and --token-file. If the PDA has several names, ignore the warning."
        ),
        CodeExplanation(
            "token-malformed",
            exit: .authorisation,
            "The token file does not hold a JSON Web Token.",
            "Write the application token into it, and nothing else."
        ),
        CodeExplanation(
            "token-not-kept",
            exit: .failed,
            "A warning: the PDA sent a newer token, but it could not be saved in the state. "
                + "This run continued with it.",
            "Check the disk of the state folder. Without newer tokens, the one in the file is valid for three days."
        ),
        CodeExplanation(
            "unbalanced",
            exit: .bug,
            "The number of records fetched differs from the sum of those delivered, known, refused and left. plughost "
                + "counts after each page and stops when the numbers differ.",
            "Report it, with the summary of the run. What was delivered is remembered."
        ),
        CodeExplanation(
            "unexpected",
            exit: .bug,
            "The run ended with an error that plughost does not know.",
            "Report it, with the command and the version. Running it again loses nothing."
        ),
    ]
}
