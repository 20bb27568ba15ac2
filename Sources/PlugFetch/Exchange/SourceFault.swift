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

    static func limited(_ request: String, until: Int64) -> PlugError {
        let time = Timestamp(seconds: Timestamp(microseconds: until).seconds).rfc3339
        return PlugError(
            "rate-limited",
            exit: .tryLater,
            "\(request): the source takes no more requests before \(time)",
            advice: "run it again then; it goes on where it stopped"
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
        case .tooLarge, .badEncoding, .badResponse:
            return PlugError(
                "page-unreadable",
                exit: .data,
                message,
                advice: "ask for smaller pages where it is too large, or raise 'http.max_body' in the manifest",
                reach: .item
            )
        case .headerTooLarge:
            return PlugError(
                "page-unreadable",
                exit: .data,
                message,
                advice: "no answer needs such a header: something between here and the source may add to it",
                reach: .item
            )
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

    static func escape(_ link: String, _ what: String, hosts: String, from request: String) -> PlugError {
        PlugError(
            "pagination-escape",
            exit: .data,
            "\(request) leads to \(link), which \(what)",
            advice: "requests stay within 'hosts' (\(hosts)): add the host where the plug is meant to follow it",
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
