internal import Cryptography
package import CurlTransport
package import PlugCore

/// Posts notices as JSON, signed as defined by Standard Webhooks: HMAC-SHA256 over id, time and body.
package struct WebhookNotifier: Notifier {
    package let name: String
    package let namesPDAs: Bool
    private let url: HTTPURL
    private let key: SecretBytes
    private let transport: any HTTPSending
    private let clock: any HostClock

    /// - Parameter secret: The key: `whsec_` and its Base64, or any other text as it is.
    package init(
        _ name: String,
        url: HTTPURL,
        secret: Secret,
        namesPDAs: Bool,
        _ transport: any HTTPSending,
        clock: any HostClock
    ) {
        (self.name, self.url, self.namesPDAs, self.transport, self.clock) = (name, url, namesPDAs, transport, clock)
        key = Self.key(secret.reveal())
    }

    private static func key(_ text: String) -> SecretBytes {
        let prefix = "whsec_"
        if text.hasPrefix(prefix), let bytes = Base64.decoded(String(text.dropFirst(prefix.count))), !bytes.isEmpty {
            return SecretBytes(bytes)
        }
        return SecretBytes(Array(text.utf8))
    }

    package func send(_ notice: Notice) async throws(PlugError) -> String {
        let body = Array(notice.json.utf8)
        let time = "\(clock.now() / 1_000_000)"
        let code = HMAC.code(for: Array("\(notice.id).\(time).".utf8) + body, key: key)
        var timeouts = HTTPTimeouts()
        timeouts.total = .seconds(30)
        let request = HTTPRequest(
            method: "POST",
            url: "\(url)",
            headers: [
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("webhook-id", notice.id),
                HTTPHeader("webhook-timestamp", time),
                HTTPHeader("webhook-signature", "v1,\(Base64.encoded(code))"),
            ],
            body: body,
            side: .source,
            timeouts: timeouts,
            bodyLimit: 64 << 10,
            wireLimit: 64 << 10
        )
        do {
            let answer = try await transport.send(request)
            if 200..<300 ~= answer.status { return "answered \(answer.status)" }
            throw PlugError(
                .noticeRefused,
                "\(url.hostAndPort) answered the notice with \(answer.status)",
                advice: "it must answer 2xx, and not redirect"
            )
        } catch let error as HTTPError {
            throw unreachable(error)
        } catch let error as PlugError {
            throw error
        } catch {
            throw PlugError(.noticeUnreachable, "the notice was not sent")
        }
    }

    private func unreachable(_ error: HTTPError) -> PlugError {
        guard [.addressRefused, .metadataRefused, .schemeRefused].contains(error.code) else {
            return PlugError(.noticeUnreachable, error.message, advice: "'plughost notify test' tries it again")
        }
        return PlugError(
            .noticeUnreachable,
            "\(url.hostAndPort) leads to an address to which no notice is sent",
            advice: "list the private network under the target's 'networks'; http is allowed only in such a network"
        )
    }
}
