internal import PlugCore

extension RunCodes {
    /// What delivering to a PDA can meet.
    static let delivery: [CodeExplanation] = [
        CodeExplanation(
            "pda-address",
            exit: .configuration,
            "The PDA's address is not on the public internet, or it is asked without TLS.",
            "Check --pda. A PDA in a private network needs --allow-network pda=CIDR."
        ),
        CodeExplanation(
            "pda-answer",
            exit: .unreachable,
            "Something answered that is not an acknowledgement of a PDA: an HTML page, or other records than those sent.",
            "Look at what is between here and the PDA, such as a proxy or a login page. Then run it again: every "
                + "record that is not proved to be stored is sent again."
        ),
        CodeExplanation(
            "pda-busy",
            exit: .tryLater,
            "The PDA asked to wait (429, 503 or a rate exceeded) on every try.",
            "Run it again later; nothing is lost."
        ),
        CodeExplanation(
            "pda-failing",
            exit: .tryLater,
            "The PDA answered with an error of its own (5xx, 408, 421 or 425) on every try.",
            "Run it again later; nothing is lost. Tell whoever runs the PDA when it stays so."
        ),
        CodeExplanation(
            "pda-unanswered",
            exit: .failed,
            "The PDA gives no usable answer to some records (it fails, closes the connection, or something before it answers in "
                + "HTML), while it takes all others, in this run or in an earlier one. Each of them waits in the outbox and holds up nothing.",
            "See 'plughost outbox list'. Each run tries again; what will never be taken a person may drop."
        ),
        CodeExplanation(
            "pda-forbidden",
            exit: .authorisation,
            "The PDA answered 403: the token may not write to this namespace, or the owner has disabled the plug.",
            "Set the plug up again in the PDA, and write its new application token into the token file."
        ),
        CodeExplanation(
            "pda-login",
            exit: .authorisation,
            "The PDA led the request to its login page, as it does with a token that it does not accept.",
            "Get a new application token for this plug, and write it into the token file."
        ),
        CodeExplanation(
            "pda-namespace",
            exit: .bug,
            "A record was to go outside the plug's namespace. It was not sent.",
            "Report it: plughost should have noticed earlier."
        ),
        CodeExplanation(
            "pda-circuit-open",
            exit: .tryLater,
            "The PDA's host has failed again and again, in this run or in earlier ones, so that it is left alone for a "
                + "while: 30 seconds at first, up to 15 minutes in a long outage.",
            "Run it again at the time it names: then one request tries whether the host is back. The first ten runs of "
                + "an outage may try at once."
        ),
        CodeExplanation(
            "pda-retries-spent",
            exit: .tryLater,
            "Of the requests to the PDA's host so many had to be sent again that no more are. Usually the error names "
                + "what the last one came to instead.",
            "Run it again later; nothing is lost."
        ),
        CodeExplanation(
            "pda-no-answer",
            exit: .tryLater,
            "A connection to the PDA stood, and no whole answer came in time on any try, or one beyond the limits, such as a "
                + "header of more than 64 KiB. The message says which.",
            "Run it again later; what was stored meanwhile is recognised and not stored twice."
        ),
        CodeExplanation(
            "pda-path",
            exit: .configuration,
            "The address answered 404 where a PDA takes records.",
            "Check that --pda is the address of a PDA, without a path."
        ),
        CodeExplanation(
            "pda-redirect",
            exit: .unreachable,
            "The PDA's address redirects. Records and tokens are not sent on to another place.",
            "Give the PDA's own address with --pda."
        ),
        CodeExplanation(
            "pda-refuses",
            exit: .tryLater,
            "Of ten or more records that were posted one by one in this run, more than half were refused. That is "
                + "trouble of the PDA and not of the records, so none of them is given up.",
            "Run it again later; nothing is lost."
        ),
        CodeExplanation(
            "pda-refuses-records",
            exit: .tryLater,
            "The PDA refused single records, and it has not accepted others since that would show it to be their "
                + "fault. The place in the stream stays where it is; the other streams are run.",
            "Run it again later. A record that is refused in three runs becomes a dead letter, and the stream goes on."
        ),
        CodeExplanation(
            "pda-tls",
            exit: .unreachable,
            "The PDA's certificate is not to be trusted, or no secure connection came about.",
            "Check the address, the PDA's certificate, and this machine's time and CA certificates."
        ),
        CodeExplanation(
            "pda-token",
            exit: .authorisation,
            "The PDA answered 401: it does not accept the token.",
            "Get a new application token for this plug, and write it into the token file."
        ),
        CodeExplanation(
            "pda-transport",
            exit: .bug,
            "The request could not be made or sent, for a reason on this side.",
            "Report it; memory may be short."
        ),
        CodeExplanation(
            "pda-unavailable",
            exit: .tryLater,
            "The PDA answered 404 with \"HAT unavailable\" on every try: there is no PDA of this name, or it is busy.",
            "Check --pda. If it is right, run it again later; nothing is lost."
        ),
        CodeExplanation(
            "pda-unreachable",
            exit: .unreachable,
            "The PDA's name was not found, or nobody took the connection, on any try.",
            "Check --pda and the network; nothing is lost."
        ),
        CodeExplanation(
            "pda-wait",
            exit: .tryLater,
            "The PDA asks for a longer wait (429 or 503 with Retry-After) than a run may spend on one request, which is 2 minutes "
                + "in all. What was read waits in the outbox. Each run asks once: the time is not remembered, as it may be "
                + "over sooner.",
            "Run it again at the time that the error names; nothing is lost."
        ),
        CodeExplanation(
            "probe-budget",
            exit: .tryLater,
            "Batches were refused because records of them are in the PDA already, so each was posted alone to learn "
                + "which; a run does so with at most 1000. It happens after the state was lost.",
            "Run it again: each run gets further. Or run it once with --accept-duplicates, which believes that a "
                + "batch is in the PDA when 32 random records of it are."
        ),
    ]
}
