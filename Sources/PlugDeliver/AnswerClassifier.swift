internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import Throttling

/// Classifies a PDA's answer: a pure function of status, headers and body.
struct AnswerClassifier {
    /// Codes of errors raised before anything was sent, to spare a failing host.
    static let sparingCodes: Set<PlugError.Code> = [.pdaCircuitOpen, .pdaRetriesSpent]

    /// The URL without its query, for messages.
    let place: String
    /// Microseconds since 1970, for a `Retry-After` that is a date.
    let now: Int64

    /// Classifies an answer.
    func classify(_ response: HTTPResponse) -> AppendAnswer {
        var answer = AppendAnswer(verdict: verdict(response))
        answer.mayHaveStored = Self.mayHaveStored(response.status)
        answer.mayBeContent = Self.mayBeContent(response)
        answer.retryAfter = response.headers.first("Retry-After").flatMap { RequestedWait.retryAfter($0, now: now) }
        answer.bytesOut = response.sentBytes
        answer.bytesIn = response.receivedBytes
        return answer
    }

    /// After a success other than 201, a time-out or a server error, the records may or may not have been stored.
    private static func mayHaveStored(_ status: Int) -> Bool {
        status == 408 || status >= 500 || (200..<300 ~= status && status != 201)
    }

    /// A filter in front of the PDA may answer in HTML, and a server may fail each time on one record. Neither says anything
    /// about other records.
    private static func mayBeContent(_ response: HTTPResponse) -> Bool {
        switch response.status {
        case 201, 401, 429, 503: false
        case 200..<300, 500...: true
        case 400, 403, 406, 409, 422: isHTML(response)
        default: false
        }
    }

    private func verdict(_ response: HTTPResponse) -> AppendAnswer.Verdict {
        let isHTML = Self.isHTML(response)
        switch response.status {
        case 201: return .stored(response.body)
        case 200..<300: return .again(unexpected(response.status, isHTML))
        case 300..<400: return .stop(redirect(response))
        case 400, 409, 422: return isHTML ? .again(unexpected(response.status, isHTML)) : refusal(response)
        case 401: return .stop(unauthorised)
        case 403: return .stop(forbidden)
        case 404: return missing(response)
        case 413: return .tooLarge
        case 429, 503: return .later(busy(response.status))
        case 408, 421, 425, 500...: return .again(failing(response.status, isHTML))
        default: return .stop(unexpected(response.status, isHTML))
        }
    }

    // MARK: - Refusals

    private func refusal(_ response: HTTPResponse) -> AppendAnswer.Verdict {
        guard let failure = Self.failure(response) else {
            return .refused(.init(isDuplicate: false, reason: "\(response.status) without an explanation"))
        }
        // The reference server answers with this title where others answer 429.
        if failure.title == "Request rate exceeded" { return .later(busy(response.status)) }
        let text = "\(response.status) \(failure.title): \(failure.cause)"
        return .refused(.init(isDuplicate: failure.isDuplicate, reason: String(text.prefix(200))))
    }

    private func missing(_ response: HTTPResponse) -> AppendAnswer.Verdict {
        // The reference server also gives this answer while its database is busy.
        if Self.failure(response)?.cause == PDACause.unavailable {
            return .again(
                PlugError(
                    .pdaUnavailable,
                    "the PDA at \(place) answered 404 \"HAT unavailable\"",
                    advice: "check the address; if it is right, the PDA is busy: run again later; nothing is lost"
                )
            )
        }
        return .stop(
            PlugError(
                .pdaPath,
                "the PDA answered 404 to POST \(place)\(Self.isHTML(response) ? " with an HTML page" : "")",
                advice: "check that this is the address of a PDA"
            )
        )
    }

    // MARK: - Errors

    private var unauthorised: PlugError {
        PlugError(
            .pdaToken,
            "the PDA does not accept the token (401 from \(place))",
            advice: "get a new application token for this plug"
        )
    }

    private var forbidden: PlugError {
        PlugError(
            .pdaForbidden,
            "the PDA does not allow this plug to write to \(place) (403)",
            advice: "the owner may have disabled the plug, or the token is for another namespace; set the plug up again"
        )
    }

    private func redirect(_ response: HTTPResponse) -> PlugError {
        let target = response.headers.first("Location") ?? ""
        if response.status == 303, target == "/" || target == origin + "/" {
            return PlugError(
                .pdaLogin,
                "the PDA redirects \(place) to its login page (303)",
                advice: "get a new application token for this plug"
            )
        }
        return PlugError(
            .pdaRedirect,
            "\(place) redirects (\(response.status)); records are not sent to another address",
            advice: "give the PDA's own address with --pda"
        )
    }

    private var origin: String { place.firstRange(of: PDARoute.base).map { String(place[..<$0.lowerBound]) } ?? place }

    private func busy(_ status: Int) -> PlugError {
        PlugError(
            .pdaBusy,
            "the PDA asks plughost to wait (\(status) from \(place))",
            advice: "run again later; nothing is lost"
        )
    }

    private func failing(_ status: Int, _ isHTML: Bool) -> PlugError {
        PlugError(
            .pdaFailing,
            "the PDA answered \(status)\(isHTML ? " with an HTML page" : "") to POST \(place), even after retries",
            advice: "run again later; nothing is lost"
        )
    }

    /// For an answer that a PDA never gives.
    func unexpected(_ status: Int, _ isHTML: Bool) -> PlugError {
        let content = isHTML ? "an HTML page" : "something other than a PDA's acknowledgement"
        return PlugError(
            .pdaAnswer,
            "\(place) answered \(status) with \(content)",
            advice: "something between this machine and the PDA may be answering in its place (a proxy, a login page)"
        )
    }

    /// Classifies the absence of an answer.
    func classify(_ error: HTTPError) -> AppendAnswer {
        var answer = AppendAnswer(verdict: verdict(error), mayHaveStored: error.mayHaveArrived)
        switch error.code {
        case .timedOut, .connectionLost, .truncated, .tooLarge, .growsTooMuch, .headerTooLarge, .badEncoding,
            .badResponse:
            answer.mayBeContent = error.mayHaveArrived
        default: break
        }
        return answer
    }

    private func verdict(_ error: HTTPError) -> AppendAnswer.Verdict {
        switch error.code {
        case .cancelled:
            return .stop(PlugError(.interrupted, "interrupted while delivering to \(place)"))
        case .tls:
            return .stop(
                PlugError(
                    .pdaTLS,
                    "no trusted connection to the PDA: \(error.message)",
                    advice: "check the PDA's certificate, and this machine's clock and CA certificates"
                )
            )
        case .addressRefused, .schemeRefused, .invalidURL:
            return .stop(
                PlugError(
                    .pdaAddress,
                    "the PDA's address is not allowed: \(error.message)",
                    advice: "check --pda; a PDA in a private network needs --allow-network pda=CIDR"
                )
            )
        case .metadataRefused:
            return .stop(
                PlugError(
                    .pdaAddress,
                    "the PDA's address is not allowed: \(error.message)",
                    advice: "check --pda; no option opens it"
                )
            )
        case .circuitOpen:
            return .stop(
                PlugError(
                    .pdaCircuitOpen,
                    "no requests are sent to the PDA for a while: \(error.message)",
                    advice: "run again then; nothing is lost"
                )
            )
        case .retriesSpent:
            return .stop(
                PlugError(
                    .pdaRetriesSpent,
                    error.message,
                    advice: "run again later; nothing is lost"
                )
            )
        case .noMemory: return .stop(.memoryShort("the answer of \(place)"))
        case .invalidRequest, .shutDown, .internal:
            return .stop(PlugError(.pdaTransport, "cannot send to \(place): \(error.message)"))
        case .cannotResolve:
            return .again(
                PlugError(
                    .pdaUnreachable,
                    "the PDA is unreachable: \(error.message)",
                    advice: "check the name, and this machine's DNS settings; nothing is lost"
                )
            )
        case .cannotConnect:
            return .again(
                PlugError(
                    .pdaUnreachable,
                    "the PDA is unreachable: \(error.message)",
                    advice: "the PDA may be down: check its address and port, and the network; nothing is lost"
                )
            )
        default:
            return .again(
                PlugError(
                    .pdaNoAnswer,
                    "no answer from the PDA: \(error.message)",
                    advice: "run again later; nothing is lost"
                )
            )
        }
    }

    // MARK: - Bodies

    private static func failure(_ response: HTTPResponse) -> PDAFailure? {
        guard let document = try? JSONDocument(response.body, limits: JSONLimits(depth: 64)) else { return nil }
        return PDAFailure(body: document.root)
    }

    private static func isHTML(_ response: HTTPResponse) -> Bool {
        if let type = response.headers.first("Content-Type")?.lowercased(), type.hasPrefix("text/html") { return true }
        return response.body.withBytes { bytes in
            bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
        }
    }
}
