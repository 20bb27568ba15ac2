package import PlugCore

/// The error codes of delivery to a PDA, as listed by `plughost explain`.
package enum DeliveryCodes {
    /// All delivery codes.
    package static let all: [PlugError.Code] = [
        .pdaAddress, .pdaAnswer, .pdaBusy, .pdaFailing, .pdaUnanswered, .pdaForbidden, .pdaLogin, .pdaNamespace,
        .pdaCircuitOpen, .pdaRetriesSpent, .pdaNoAnswer, .pdaPath, .pdaRedirect, .pdaRefuses, .pdaRefusesRecords,
        .pdaTLS, .pdaToken, .pdaTransport, .pdaUnavailable, .pdaUnreachable, .pdaWait, .probeBudget,
    ]
}

extension PlugError.Code {
    static let pdaAddress = Self(
        "pda-address",
        exit: .configuration,
        "The PDA's address is not on the public internet, or the connection would not use TLS.",
        "Check --pda. A PDA in a private network needs --allow-network pda=CIDR."
    )

    package static let pdaAnswer = Self(
        "pda-answer",
        exit: .unreachable,
        "The answer is not a PDA's acknowledgement: it is an HTML page, or it lists other records than those sent.",
        "Check what is between this machine and the PDA, such as a proxy or a login page. Then run it again: every "
            + "record that is not proved to be stored is sent again."
    )

    package static let pdaBusy = Self(
        "pda-busy",
        exit: .tryLater,
        "The PDA asked plughost to wait (429, 503 or an exceeded rate limit) on every attempt.",
        "Run it again later; nothing is lost."
    )

    package static let pdaFailing = Self(
        "pda-failing",
        exit: .tryLater,
        "The PDA answered with an error of its own (5xx, 408, 421 or 425) on every attempt.",
        "Run it again later; nothing is lost. If it keeps happening, tell whoever runs the PDA."
    )

    package static let pdaUnanswered = Self(
        "pda-unanswered",
        exit: .failed,
        "The PDA gives no usable answer to some records, in this run or in an earlier one, although it accepts all "
            + "others: it fails, closes the connection, or something in front of it answers in HTML. These records "
            + "wait in the outbox and block no others.",
        "See 'plughost outbox list'. Each run tries them again; you can drop those that will never be accepted."
    )

    package static let pdaForbidden = Self(
        "pda-forbidden",
        exit: .authorisation,
        "The PDA answered 403: the token may not write to this namespace, or the owner has disabled the plug.",
        "Set the plug up again in the PDA, and write its new application token into the token file."
    )

    static let pdaLogin = Self(
        "pda-login",
        exit: .authorisation,
        "The PDA redirected the request to its login page, as it does when it does not accept a token.",
        "Get a new application token for this plug, and write it into the token file."
    )

    static let pdaNamespace = Self(
        "pda-namespace",
        exit: .bug,
        "A record was about to be sent outside the plug's namespace. It was not sent.",
        "Report it: plughost should have noticed earlier."
    )

    static let pdaCircuitOpen = Self(
        "pda-circuit-open",
        exit: .tryLater,
        "The PDA's host has failed repeatedly, in this run or in earlier ones, so plughost sends it no requests "
            + "for a while: 30 seconds at first, up to 15 minutes in a long outage.",
        "Run it again at the time that the error names: one request then tests whether the host is back. The first "
            + "ten runs of an outage may try at once."
    )

    static let pdaRetriesSpent = Self(
        "pda-retries-spent",
        exit: .tryLater,
        "Too many requests to the PDA's host had to be retried; retrying is suspended. Usually the last request's "
            + "own error is reported instead.",
        "Run it again later; nothing is lost."
    )

    static let pdaNoAnswer = Self(
        "pda-no-answer",
        exit: .tryLater,
        "The PDA accepted a connection, but on every attempt no complete answer came in time, or the answer "
            + "exceeded a limit, such as 64 KiB of header. The message says which.",
        "Run it again later; records that were stored meanwhile are recognised and not stored twice."
    )

    static let pdaPath = Self(
        "pda-path",
        exit: .configuration,
        "The address answered 404 at the path where a PDA accepts records.",
        "Check that --pda is the address of a PDA, without a path."
    )

    static let pdaRedirect = Self(
        "pda-redirect",
        exit: .unreachable,
        "The PDA's address redirects. plughost does not send records or tokens to another address.",
        "Give the PDA's own address with --pda."
    )

    static let pdaRefuses = Self(
        "pda-refuses",
        exit: .tryLater,
        "Of ten or more records that were posted one by one in this run, more than half were refused. The problem "
            + "is then the PDA and not the records, so none of them becomes a dead letter.",
        "Run it again later; nothing is lost."
    )

    package static let pdaRefusesRecords = Self(
        "pda-refuses-records",
        exit: .tryLater,
        "The PDA refused single records and has not accepted any others since, so it is not certain that these "
            + "records are at fault. The stream's cursor does not move; the other streams are run.",
        "Run it again later. A record that is refused in three runs becomes a dead letter, "
            + "and the stream continues."
    )

    static let pdaTLS = Self(
        "pda-tls",
        exit: .unreachable,
        "The PDA's certificate is not trusted, or no secure connection could be made.",
        "Check the address, the PDA's certificate, and this machine's clock and CA certificates."
    )

    package static let pdaToken = Self(
        "pda-token",
        exit: .authorisation,
        "The PDA answered 401: it does not accept the token.",
        "Get a new application token for this plug, and write it into the token file."
    )

    static let pdaTransport = Self(
        "pda-transport",
        exit: .bug,
        "The request could not be created or sent, for a reason on this machine.",
        "Report it; the machine may be short of memory."
    )

    package static let pdaUnavailable = Self(
        "pda-unavailable",
        exit: .tryLater,
        "The PDA answered 404 with \"HAT unavailable\" on every attempt: there is no PDA with "
            + "this name, or it is busy.",
        "Check --pda. If it is right, run it again later; nothing is lost."
    )

    package static let pdaUnreachable = Self(
        "pda-unreachable",
        exit: .unreachable,
        "No attempt reached the PDA. The message says why: the name has no address, or nothing accepts connections there.",
        "No address: check the name in --pda and this machine's DNS settings. No connection: the PDA is down, or uses another "
            + "port. Nothing is lost."
    )

    static let pdaWait = Self(
        "pda-wait",
        exit: .tryLater,
        "The PDA asks for a longer wait (429 or 503 with Retry-After) than a run may spend on one request, which "
            + "is 2 minutes in all. Records that were read wait in the outbox. Each run asks the PDA once; the "
            + "time is not remembered, because the PDA may recover sooner.",
        "Run it again at the time that the error names; nothing is lost."
    )

    static let probeBudget = Self(
        "probe-budget",
        exit: .tryLater,
        "Batches were refused because the PDA already has some of their records, so each record was posted alone "
            + "to find out which; a run posts at most 1000 this way. This happens after the state was lost, or a run was killed.",
        "Run it again: each run gets further. Or run it once with --accept-duplicates: a batch then counts as "
            + "stored when 32 random records of it are."
    )
}
