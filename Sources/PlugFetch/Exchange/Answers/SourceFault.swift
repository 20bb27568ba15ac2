import CurlTransport
import PlugCore

/// The errors that a source's answers lead to, and their wording.
enum SourceFault {
    static func unexpectedlyUnchanged(_ request: String) -> PlugError {
        PlugError(
            .unexpectedNotModified,
            "\(request) was answered with 304, although the request was not conditional",
            advice: "request the same address by hand: something between this machine and the source may "
                + "be answering in its place"
        )
    }

    static func partial(_ request: String) -> PlugError {
        PlugError(
            .pageTruncated,
            "\(request) was answered with 206, a part of the answer, although no range was requested",
            advice:
                "request the same address by hand: a proxy may be at fault; if the service means a page of its list by it, write "
                + "on: [{status: 206, do: ok}]",
            reach: .item
        )
    }

    static func unauthorised(_ status: Int, _ request: String) -> PlugError {
        PlugError(
            .sourceUnauthorised,
            "\(request) was answered with \(status): the source does not accept the credentials for this request",
            advice: "check the credentials of 'auth' and what they allow to read",
            reach: .item
        )
    }

    /// The same, if no credentials were sent.
    ///
    /// - Parameter host: Where the request went.
    static func withoutCredentials(_ status: Int, _ request: String, host: String) -> PlugError {
        PlugError(
            .sourceUnauthorised,
            "\(request) was answered with \(status), and was sent without credentials: a redirect or a link of the source "
                + "leads to \(host), which neither 'http.base' nor a stream's own path names",
            advice:
                "if the plug is meant to read there with its credentials, give it a stream whose path is a full URL there",
            reach: .item
        )
    }

    /// - Parameters:
    ///   - until: When the wait ends. It may have ended meanwhile, but is never reported as a past time.
    ///   - isAsked: Whether the source requested the wait, rather than a rate of the manifest.
    ///   - isOwn: Whether it was the answer to this very request.
    static func limited(
        _ request: String,
        until: Int64,
        now: Int64,
        isAsked: Bool,
        isOwn: Bool = false
    ) -> PlugError {
        // Rounded up to the next full second: truncated, a wait of less than a second would already be over.
        let time = Timestamp(seconds: (max(until, now) + 999_999) / 1_000_000).rfc3339
        let who = isAsked ? "the source accepts" : "'http.limits' in the manifest allows"
        return PlugError(
            .rateLimited,
            "\(request): \(who) no more requests before \(time)",
            advice: "run it again then; it continues where it stopped"
                + (isAsked ? "" : ". If the service allows more, raise the rate"),
            reach: isOwn ? .item : .run
        ).retrying(at: until)
    }

    static func stillLimited(_ request: String, tries: Int) -> PlugError {
        PlugError(
            .rateLimited,
            "\(request) was refused for too many requests\(times(tries))",
            advice: "run it again later; it continues where it stopped. To slow the plug down, use 'http.limits'",
            reach: .item
        )
    }

    /// - Parameter isResuming: Whether it was the request for a saved position, which may be all that the source fails at.
    static func unavailable(_ status: Int, _ request: String, tries: Int, isResuming: Bool = false) -> PlugError {
        var advice = "the source is failing: run it again later; it continues where it stopped"
        if isResuming {
            advice +=
                ". If it always fails at this position, 'plughost connection rewind' starts the stream again; so does "
                + "on: [{status: \(status), do: reread}] in the manifest, by itself"
        }
        return PlugError(
            .sourceUnavailable,
            "\(request) was answered with \(status)\(times(tries))",
            advice: advice,
            reach: .item
        )
    }

    /// The error for a failure with a success status.
    static func answeredWithError(_ status: Int, _ request: String, tries: Int) -> PlugError {
        PlugError(
            .answerIsError,
            "\(request) was answered with \(status), but with an error and without any list\(times(tries))",
            advice: "run it again later; if the service means something else by it, say so in 'on': "
                + "{status: \(status), if: .error, do: skip}",
            reach: .item
        )
    }

    private static func times(_ tries: Int) -> String { tries > 1 ? ", \(tries) times" : "" }

    /// No answer at all.
    static func failed(_ error: HTTPError, _ request: String) -> PlugError {
        let message = "\(request): \(error.message)"
        switch error.code {
        case .truncated:
            return PlugError(
                .pageTruncated,
                message,
                advice: "the source ends its answers before their announced length",
                reach: .item
            )
        case .tooLarge, .growsTooMuch, .badEncoding, .badResponse, .headerTooLarge:
            return PlugError(.pageUnreadable, message, advice: advice(error.code), reach: .item)
        case .notKept: return notKept(message)
        case .noMemory: return .memoryShort("the answer to \(request)")
        case .addressRefused, .schemeRefused:
            return PlugError(
                .addressRefused,
                message,
                advice:
                    "if this is intended, allow it with --allow-network source=CIDR, or 'source.networks' of the host's configuration"
            )
        case .metadataRefused:
            return PlugError(
                .addressRefused,
                message,
                advice: "correct the address in the manifest, or in the answers that it comes from; no option opens it"
            )
        case .invalidURL, .invalidRequest:
            return PlugError(
                .badRequest,
                message,
                advice: "check the path, query and headers in the manifest"
            )
        case .circuitOpen:
            return PlugError(
                .sourceCircuitOpen,
                message,
                advice: "run it again then; it continues where it stopped"
            )
        case .internal, .shutDown: return PlugError(.transportFailed, message, advice: "report it")
        default:
            return PlugError(
                .sourceUnreachable,
                message,
                advice: "check the network and the address; the next run continues where this one stopped",
                // An unreachable host will be unreachable for the next request too.
                reach: [.cannotResolve, .cannotConnect, .tls].contains(error.code) ? .run : .item
            )
        }
    }

    /// The error for a large answer that the disk cannot store, or cannot return.
    static func notKept(_ message: String, _ reason: String? = nil) -> PlugError {
        PlugError(
            .answerNotKept,
            message + (reason.map { ": \($0)" } ?? ""),
            advice:
                "check the disk of the state folder, or of TMPDIR in a dry run: it needs room for the largest answer "
                + "('http.max_body'), as does \(RunLimitKey.scratch.setting) for all that are read at once. Nothing is lost: run it again"
        )
    }

    /// What helps with an answer that cannot be read.
    private static func advice(_ code: HTTPError.Code) -> String {
        switch code {
        case .tooLarge: "ask for smaller pages, or raise 'http.max_body' in the manifest"
        case .growsTooMuch: "a page of records does not expand that much: request the same address by hand"
        case .badEncoding:
            "no setting changes it: request the same address by hand; something between this machine and the source "
                + "may be compressing its answers"
        case .headerTooLarge:
            "no answer needs such a large header: something between this machine and the source may add to it"
        default:
            "check the scheme and port of the address: no HTTP server answers there, or something in "
                + "between changes its answers"
        }
    }

    /// Whether the same request may succeed later.
    static func isPassing(_ error: HTTPError) -> Bool {
        [.cannotResolve, .cannotConnect, .timedOut, .connectionLost, .truncated, .badResponse].contains(error.code)
    }

    /// Why an address that a source gave is not followed.
    enum Escape {
        /// It is outside the hosts; `host` is named as in a manifest, `nil` if that cannot be determined.
        case outside(hosts: String, host: String?)
        /// It lacks TLS, and the request had it.
        case unencrypted
        /// It is not an address.
        case unreadable(String)

        fileprivate var reason: String {
            switch self {
            case .outside(let hosts, _): "is not one of the plug's hosts (\(hosts))"
            case .unencrypted: "is not encrypted, although the request was"
            case .unreadable(let reason): "is not a usable address: \(reason)"
            }
        }

        fileprivate var advice: String {
            switch self {
            case .outside(_, let host?):
                "if the plug is meant to follow it, add \"\(host)\" to 'hosts' in the manifest"
            case .outside: "requests go only to 'hosts': add the host if the plug is meant to follow it"
            case .unencrypted:
                "if 'page.next' gives it, correct it in the program: .next | sub(\"^http:\"; \"https:\"); "
                    + "plughost never follows it as it is"
            case .unreadable:
                "check where it comes from: the program in the manifest may give something other than the address"
            }
        }
    }

    static func escape(_ link: String, _ escape: Escape, from request: String) -> PlugError {
        PlugError(
            .paginationEscape,
            "\(request) leads to \(link), which \(escape.reason)",
            advice: escape.advice,
            reach: .item
        )
    }

    /// The error for JSON nested too deeply to be traversed recursively.
    static func tooDeep(_ limit: Int, offset: Int, _ request: String) -> PlugError {
        PlugError(
            .pageTooDeep,
            "the answer to \(request) has arrays and objects nested deeper than the limit of \(limit) levels, "
                + "at byte offset \(offset)",
            advice: "no setting raises the limit: request less per answer, if the service has a parameter for it",
            reach: .item
        )
    }

    static func notJSON(_ reason: String, offset: Int, type: String?, _ request: String) -> PlugError {
        let says = type.map { ", which calls itself \(DisplayText.escaped($0))," } ?? ""
        return PlugError(
            .pageNotJSON,
            "the answer to \(request)\(says) is not JSON: \(reason) at byte offset \(offset)",
            advice: decoding(type).map { "if this is what you expect, write 'decode: \($0)' in the stream" }
                ?? "request the same address by hand; it often returns a login or error page",
            reach: .item
        )
    }

    /// The `decode` setting for a content type; `nil` for types that do not determine it.
    private static func decoding(_ type: String?) -> String? {
        guard let type = type?.lowercased() else { return nil }
        let known = [
            ("text/csv", "csv"), ("tab-separated-values", "tsv"), ("ndjson", "jsonl"), ("jsonl", "jsonl"),
            ("text/calendar", "ics"), ("rss+xml", "feed"), ("atom+xml", "feed"), ("/xml", "xml"),
        ]
        return known.first { type.contains($0.0) }?.1
    }
}
