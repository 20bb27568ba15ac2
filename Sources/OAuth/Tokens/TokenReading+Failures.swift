internal import LosslessJSON
internal import PlugCore
internal import Throttling

extension TokenReading {
    /// The failure that a response reports; `nil` if it may contain a token.
    ///
    /// Services also report errors with a success status, so the body counts as much as the status.
    func failure(in answer: ReceivedAnswer, now: Int64, _ hidden: HiddenTexts) throws(TokenFailure) -> TokenFailure? {
        let told = ToldError(answer)
        let isGood = answer.isSuccess && told == nil
        let kind = kind(of: told?.code, answer, now: now)
        var isToldDead = false
        do { isToldDead = try self.isToldDead(answer) } catch {
            // A condition that fails on the standard's own error is not about it, nor about tokens or a failing service.
            if told?.code == "invalid_grant", !kind.isPassing {
                isToldDead = true
            } else if !isGood, !kind.isPassing {
                throw error
            }
        }
        if isToldDead {
            return told.map { TokenFailure(.dead, $0, hidden, status: answer.status) }
                ?? TokenFailure(.dead, "it refuses", status: answer.status)
        }
        if isGood { return nil }
        if case .unreadable = kind { return Self.unreadable(answer) }
        return told.map { TokenFailure(kind, $0, hidden, status: answer.status) }
            ?? TokenFailure(kind, Self.reason(answer.status), status: answer.status)
    }

    private func isToldDead(_ answer: ReceivedAnswer) throws(TokenFailure) -> Bool {
        guard let isDead else { return false }
        do { return try isDead(answer) } catch {
            throw TokenFailure(.unusable, "the condition of 'dead_if' failed on it", status: answer.status)
        }
    }

    private func kind(of code: String?, _ answer: ReceivedAnswer, now: Int64) -> TokenFailure.Kind {
        // While a device waits, services use all kinds of statuses.
        switch code {
        case "authorization_pending": return .pending
        case "slow_down": return .slowDown
        case "access_denied": return .denied
        case "expired_token": return .expired
        default: break
        }
        let isFailing = answer.status == 429 || answer.status == 408 || answer.status >= 500
        if isFailing || code == "temporarily_unavailable" || code == "server_error" {
            let wait = RequestedWait.asked(by: answer.headers, isLimit: answer.status == 429, now: now)
            return .passing(after: wait)
        }
        switch code {
        // If the manifest has a rule of its own, only that rule marks a grant as dead.
        case "invalid_grant": return isDead == nil ? .dead : .refused
        case "invalid_client", "unauthorized_client": return .wrongClient
        case "invalid_request", "invalid_scope", "unsupported_grant_type": return .refused
        default:
            if [404, 405, 410].contains(answer.status) || 300..<400 ~= answer.status { return .misdirected }
            return answer.isSuccess && answer.value == nil ? .unreadable : .refused
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 300..<400: "it redirects, and plughost never follows with a secret"
        case 401, 403: "it refuses without saying why"
        case 404, 405, 410: "nothing there issues tokens"
        case 429: "it gets too many requests"
        case 500...: "the service is failing"
        default: "it refuses without saying why"
        }
    }
}
