import HTTPTransport
import PlugCore

/// The errors that a source's answers lead to, with their words.
enum SourceFault {
    static func refused(_ status: Int, _ request: String, byRule: Bool) -> PlugError {
        let advice =
            switch status {
            case _ where byRule: "the manifest's 'http.on' says so"
            case 400, 422: "the source does not take this request: check path, query and body in the manifest"
            case 404, 410:
                "check the path, or say in the manifest what this means: http.on: [{status: \(status), do: skip}]"
            case 300..<400: "name the address it leads to in the manifest"
            default: "check the request in the manifest, or say what this means in 'http.on'"
            }
        return PlugError(
            "source-refused",
            exit: .failed,
            "\(request) was answered with \(status)",
            advice: advice,
            // What the manifest says of an answer it says of the stream.
            reach: byRule ? .stream : .item
        )
    }

    static func unexpectedlyUnchanged(_ request: String) -> PlugError {
        PlugError(
            "unexpected-not-modified",
            exit: .data,
            "\(request) was answered with 304, though nothing was asked that this answers",
            advice: "ask for the same address by hand: something between here and the source may answer in its place"
        )
    }

    static func unauthorised(_ status: Int, _ request: String) -> PlugError {
        PlugError(
            "source-unauthorised",
            exit: .authorisation,
            "\(request) was answered with \(status): the source does not accept the credentials for this",
            advice: "check the credentials of 'auth' and what they are allowed to read",
            reach: .item
        )
    }

    /// - Parameter isAsked: Whether the source asked for the wait, and not a rate of the manifest.
    static func limited(_ request: String, until: Int64, isAsked: Bool) -> PlugError {
        let time = Timestamp(seconds: Timestamp(microseconds: until).seconds).rfc3339
        let who = isAsked ? "the source takes" : "'http.limits' of the manifest lets"
        return PlugError(
            "rate-limited",
            exit: .tryLater,
            "\(request): \(who) no more requests \(isAsked ? "" : "out ")before \(time)",
            advice: "run it again then; it goes on where it stopped"
                + (isAsked ? "" : ". Where the service allows more, raise the rate")
        )
    }

    static func stillLimited(_ request: String, tries: Int) -> PlugError {
        PlugError(
            "rate-limited",
            exit: .tryLater,
            "\(request) was refused for too many requests, \(tries) times",
            advice: "run it again later; it goes on where it stopped. 'http.limits' can slow the plug down",
            reach: .item
        )
    }

    static func unavailable(_ status: Int, _ request: String, tries: Int) -> PlugError {
        PlugError(
            "source-unavailable",
            exit: .tryLater,
            "\(request) was answered with \(status), \(tries) times",
            advice: "the source has trouble: run it again later; it goes on where it stopped",
            reach: .item
        )
    }

    /// No answer at all.
    static func failed(_ error: HTTPError, _ request: String) -> PlugError {
        let message = "\(request): \(error.message)"
        switch error.code {
        case .truncated:
            return PlugError(
                "page-truncated",
                exit: .data,
                message,
                advice: "the source ends its answers early",
                reach: .item
            )
        case .tooLarge, .growsTooMuch, .badEncoding, .badResponse, .headerTooLarge:
            return PlugError("page-unreadable", exit: .data, message, advice: advice(error.code), reach: .item)
        case .addressRefused, .schemeRefused:
            return PlugError(
                "address-refused",
                exit: .configuration,
                message,
                advice: "where this is meant, allow it with --allow-network source=CIDR"
            )
        case .invalidURL, .invalidRequest:
            return PlugError(
                "bad-request",
                exit: .data,
                message,
                advice: "check path, query and headers in the manifest"
            )
        case .circuitOpen:
            return PlugError(
                "source-circuit-open",
                exit: .tryLater,
                message,
                advice: "run it again then; it goes on where it stopped"
            )
        case .internal, .shutDown: return PlugError("transport-failed", exit: .bug, message, advice: "report it")
        default:
            return PlugError(
                "source-unreachable",
                exit: .unreachable,
                message,
                advice: "check the network and the address; the next run goes on where this one stopped",
                // A host that is not reached at all will not be reached for the next request.
                reach: [.cannotResolve, .cannotConnect, .tls].contains(error.code) ? .run : .item
            )
        }
    }

    /// What helps with an answer that cannot be read.
    private static func advice(_ code: HTTPError.Code) -> String {
        switch code {
        case .tooLarge: "ask for smaller pages, or raise 'http.max_body' in the manifest"
        case .growsTooMuch: "pages of records do not grow so much: ask for the same address by hand"
        case .badEncoding:
            "no setting changes it: ask for the same address by hand, for something between here and the source may pack its "
                + "answers"
        case .headerTooLarge: "no answer needs such a header: something between here and the source may add to it"
        default:
            "check scheme and port of the address: no HTTP server answers there, or something between changes its answers"
        }
    }

    /// What the last try came to, where there will be no other one for now, and why not.
    static func givenUp(_ fault: PlugError, _ error: HTTPError) -> PlugError {
        var fault = fault
        fault.message += "; \(error.message)"
        return fault
    }

    /// Whether the same request may fare better.
    static func isPassing(_ error: HTTPError) -> Bool {
        [.cannotResolve, .cannotConnect, .timedOut, .connectionLost, .truncated, .badResponse].contains(error.code)
    }

    /// Why an address that a source gave is not followed.
    enum Escape {
        /// It is outside the hosts; `host` as the manifest would name it, `nil` where that cannot be told.
        case outside(hosts: String, host: String?)
        /// It has no TLS, and the request had.
        case unencrypted
        /// It is no address.
        case unreadable(String)

        fileprivate var reason: String {
            switch self {
            case .outside(let hosts, _): "is outside the plug's hosts (\(hosts))"
            case .unencrypted: "is not encrypted, as the request was"
            case .unreadable(let reason): "is not an address to follow: \(reason)"
            }
        }

        fileprivate var advice: String {
            switch self {
            case .outside(_, let host?):
                "where the plug is meant to follow it, add \"\(host)\" to 'hosts' in the manifest"
            case .outside: "requests stay within 'hosts': add the host where the plug is meant to follow it"
            case .unencrypted:
                "where 'page.next' gives it, let the program correct it: .next | sub(\"^http:\"; \"https:\"); "
                    + "nothing allows it as it is"
            case .unreadable:
                "check what gives it: the program in the manifest may meet something else than the address"
            }
        }
    }

    static func escape(_ link: String, _ escape: Escape, from request: String) -> PlugError {
        PlugError(
            "pagination-escape",
            exit: .data,
            "\(request) leads to \(link), which \(escape.reason)",
            advice: escape.advice,
            reach: .item
        )
    }

    /// JSON that is deeper than trees may be that are gone through by recursion.
    static func tooDeep(_ limit: Int, offset: Int, _ request: String) -> PlugError {
        PlugError(
            "page-too-deep",
            exit: .data,
            "the answer to \(request) has arrays and objects inside each other deeper than \(limit) levels, which is the limit, "
                + "at byte offset \(offset)",
            advice: "no setting raises it: ask for less in an answer, where the service has a parameter for it",
            reach: .item
        )
    }

    static func notJSON(_ reason: String, offset: Int, type: String?, _ request: String) -> PlugError {
        let says = type.map { ", which calls itself \(DisplayText.escaped($0))," } ?? ""
        return PlugError(
            "page-not-json",
            exit: .data,
            "the answer to \(request)\(says) is not JSON: \(reason) at byte offset \(offset)",
            advice: "ask for the same address by hand; a login or error page often stands there",
            reach: .item
        )
    }
}
