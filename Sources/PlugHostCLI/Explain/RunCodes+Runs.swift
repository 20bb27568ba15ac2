internal import PlugCore

extension RunCodes {
    /// Tokens, and the run as a whole.
    static let runs: [CodeExplanation] = [
        CodeExplanation(
            "since-unused",
            exit: .usage,
            "--since was given, but no stream of the plug has 'since' in its manifest.",
            "Leave --since out: streams without 'since' are read whole every time."
        ),
        CodeExplanation(
            "interrupted",
            exit: .interrupted,
            "Ctrl-C or SIGTERM ended the work in order.",
            "Run it again: it goes on where it stopped, and nothing is lost."
        ),
        CodeExplanation(
            "token-application",
            "A warning: the token belongs to no application, as an owner's token does, so it may be allowed much more "
                + "than to write the plug's data.",
            "Set the plug up in the PDA, and use the application token that it gives."
        ),
        CodeExplanation(
            "token-empty",
            exit: .authorisation,
            "The token file holds nothing but white space.",
            "Write the plug's application token into it."
        ),
        CodeExplanation(
            "token-expired",
            exit: .authorisation,
            "The token says itself that its time is over, and the state holds no newer one.",
            "Get a new application token for this plug, and write it into the token file."
        ),
        CodeExplanation(
            "token-idle",
            exit: .authorisation,
            "The token was issued more than three days ago, and a PDA refuses those. Each run keeps the newer one "
                + "that the PDA sends, so it happens when none ran for three days.",
            "Write a new application token into the token file, and run the plug at least every other day."
        ),
        CodeExplanation(
            "token-missing",
            exit: .authorisation,
            "No token file was named, and the PDA has not given the connection a token yet.",
            "Name the file that holds the plug's application token with --token-file FILE."
        ),
        CodeExplanation(
            "token-issuer",
            "A warning: the token names another PDA than --pda as its issuer. That PDA will probably not accept it.",
            "Check --pda and --token-file. Nothing is wrong where a PDA has several names."
        ),
        CodeExplanation(
            "token-malformed",
            exit: .authorisation,
            "The token file holds something other than a JSON Web Token.",
            "Write the application token into it, and nothing else."
        ),
        CodeExplanation(
            "token-not-kept",
            exit: .failed,
            "A warning: the PDA sent a newer token, and the state could not keep it. This run went on with it.",
            "Look at the state folder's disk; without newer tokens the one in the file serves for three days."
        ),
        CodeExplanation(
            "unbalanced",
            exit: .bug,
            "The records that were fetched are not the sum of those delivered, known, refused and left. plughost "
                + "counts after each page, and stops when it does not come out even.",
            "Report it, with the summary of the run. What was delivered is remembered."
        ),
        CodeExplanation(
            "unexpected",
            exit: .bug,
            "An error ended the run that no part of plughost knows.",
            "Report it, with the command and the version. Running it again loses nothing."
        ),
    ]
}
