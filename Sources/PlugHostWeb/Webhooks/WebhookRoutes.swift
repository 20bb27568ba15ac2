internal import CurlTransport
internal import PlugCore
internal import Syncing

/// Webhook calls from services: `GET` for handshakes, `POST` for news. Anyone may call; the call must authenticate itself.
struct WebhookRoutes: Sendable {
    private let receiver: WebhookReceiver

    init(_ receiver: WebhookReceiver) { self.receiver = receiver }

    var all: [HostRoute] {
        let receiver = receiver
        return [HostRoute.Method.get, .post].map { method in
            HostRoute(method, "/plugs/{plug}/webhook", .anybody, body: .bytes(WebhookCall.bodyLimit)) { request in
                let call = WebhookCall(
                    method: request.method,
                    query: request.rawQuery,
                    headers: request.headers.fields.map { ($0.name, $0.value) },
                    body: request.body
                )
                let answer = await receiver.answer(call, to: request.parameter("plug"))
                return HostAnswer(answer.status, type: "text/plain; charset=utf-8", body: answer.body)
            }
        }
    }
}
