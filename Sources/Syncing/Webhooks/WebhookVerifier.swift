internal import Cryptography
internal import PlugCore
internal import PlugManifest
internal import Signing
internal import Synchronization

/// Determines whether a call is from the service, and whether it was received before.
final class WebhookVerifier: Sendable {
    enum Verdict: Sendable, Equatable {
        /// It is; `id` is what to remember once the call was handled, `nil` if nothing distinguishes it from others.
        case genuine(id: String?)
        /// It is, and it is a repetition.
        case repeated
        /// It is not, or that cannot be determined.
        case refused
        /// Nothing in the call claims to be from the service: it may be a handshake.
        case unsigned
    }

    /// How many calls are remembered; the oldest make room. They also expire after `tolerance`, so if a service calls more often
    /// than this within it, one of its calls could be replayed; the only effect is an extra sync.
    private static let limit = 10_000

    private struct Seen: Sendable {
        var calls: Set<String> = []
        var order: [String] = []
        var next = 0

        /// Remembers a call.
        mutating func insert(_ call: String) {
            guard calls.insert(call).inserted else { return }
            if order.count < WebhookVerifier.limit {
                order.append(call)
            } else {
                calls.remove(order[next])
                order[next] = call
                next = (next + 1) % order.count
            }
        }
    }

    private let seen = Mutex(Seen())

    /// Checks a call.
    ///
    /// - Parameters:
    ///   - plug: The plug being called.
    ///   - secret: The key, or the secret itself.
    ///   - now: Microseconds since 1970.
    func verdict(
        _ call: WebhookCall,
        _ verification: Webhook.Verification,
        of plug: String,
        secret: Secret,
        now: Int64
    ) -> Verdict {
        switch verification {
        case .token(let place):
            let texts = call.texts(place)
            if texts.isEmpty { return .unsigned }
            let expected = Array(secret.reveal().utf8)
            let isGood = texts.contains { ConstantTime.areEqual(Array($0.utf8), expected) }
            return isGood ? .genuine(id: nil) : .refused
        case .hmac(let check): return verdict(call, check, plug, secret, now)
        }
    }

    private func verdict(
        _ call: WebhookCall,
        _ check: Webhook.HMACCheck,
        _ plug: String,
        _ secret: Secret,
        _ now: Int64
    ) -> Verdict {
        let signatures = call.texts(check.signature)
        if signatures.isEmpty { return .unsigned }
        guard let message = Self.message(call, check),
            let signer = try? MessageSigner(check.algorithm, key: secret, check.keyEncoding, check.encoding)
        else { return .refused }
        let own = Array(signer.signature(of: message).utf8)
        let isGood = signatures.contains { text in
            ConstantTime.areEqual(Array((check.encoding == .hex ? text.lowercased() : text).utf8), own)
        }
        guard isGood else { return .refused }
        if let place = check.timestamp {
            guard let seconds = call.texts(place).first.flatMap({ Int64($0) }) else { return .refused }
            let tolerance = check.tolerance.components.seconds
            let difference = (now / 1_000_000).subtractingReportingOverflow(seconds)
            guard !difference.overflow, difference.partialValue.magnitude <= tolerance.magnitude else {
                return .refused
            }
        }
        guard let id = Self.id(call, check, signature: own) else { return .genuine(id: nil) }
        // A name of fixed length, whatever the service writes.
        let name = "\(plug) \(Hexadecimal.encoded(HashFunction.sha256.hash(Array(id.utf8))))"
        return seen.withLock { $0.calls.contains(name) } ? .repeated : .genuine(id: name)
    }

    /// Remembers a call that was handled: the same one again is a repetition. A failed one is not remembered, because the service
    /// is asked to call again.
    func remember(_ id: String) { seen.withLock { $0.insert(id) } }

    /// What distinguishes the call from others. If the service does not sign its id, anyone could write another one: then it is
    /// the signature, which covers the time. Without a time, two calls with the same text are two calls, unless the id says
    /// otherwise: many services only say that something is new.
    private static func id(_ call: WebhookCall, _ check: Webhook.HMACCheck, signature: [UInt8]) -> String? {
        if !check.signed.contains(.id), check.timestamp != nil { return String(decoding: signature, as: UTF8.self) }
        if let id = check.id.flatMap({ call.texts($0).first }) { return id }
        return check.timestamp == nil ? nil : String(decoding: signature, as: UTF8.self)
    }

    /// The signed message; `nil` if a part of it is missing.
    private static func message(_ call: WebhookCall, _ check: Webhook.HMACCheck) -> [UInt8]? {
        var message: [UInt8] = []
        for piece in check.signed {
            switch piece {
            case .text(let text): message += Array(text.utf8)
            case .body: message += call.body
            case .timestamp, .id:
                let place = piece == .id ? check.id : check.timestamp
                guard let text = place.flatMap({ call.texts($0).first }) else { return nil }
                message += Array(text.utf8)
            }
        }
        return message
    }
}
