internal import Glibc
internal import PlugCore

/// The address that the browser returns to: a port of 127.0.0.1, for the duration of one consent (RFC 8252, section 7.3).
///
/// By its address and never by `localhost`, which may resolve to another machine; not on all interfaces, where others could send
/// answers.
final class CallbackListener: Sendable {
    /// The path that a browser is redirected to.
    static let path = "/callback"
    /// The maximum number of concurrent connections.
    private static let widest = 16

    /// The port.
    let port: Int
    private let listener: Int32
    private let alarm: Alarm

    /// The response to a request, and whether it is the last one.
    struct Reply: Sendable {
        var page: CallbackPage
        var isLast: Bool
    }

    /// Listens.
    ///
    /// - Parameter wanted: A port, or 0 for a free one.
    /// - Throws: `PlugError` `callback-port` (69).
    init(port wanted: Int) throws(PlugError) {
        // We must close the descriptor, and no browser that is started inherits it.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Self.cannotListen(wanted, errno) }
        var yes: Int32 = 1
        // A port that was in use a moment ago can be reused.
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: wanted).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening, let alarm = try? Alarm() else {
            let number = errno
            close(listener)
            throw Self.cannotListen(wanted, number)
        }
        (self.listener, self.alarm) = (listener, alarm)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(listener) }

    /// `http://127.0.0.1:PORT/callback`
    var redirectURI: String { "http://127.0.0.1:\(port)\(Self.path)" }

    /// The authorities that browsers send: they leave out the default port of http.
    static func authorities(of port: Int) -> Set<String> {
        port == 80 ? ["127.0.0.1:80", "127.0.0.1"] : ["127.0.0.1:\(port)"]
    }

    /// Answers requests until a reply is the last one, which has then been sent.
    ///
    /// - Parameter answer: Receives the query of each callback. Several may come at the same time.
    /// - Throws: `CancellationError`.
    func serve(_ answer: @escaping @Sendable (_ query: String) async -> Reply) async throws {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                var open = 0
                while let connection = await accepted() {
                    if open == Self.widest {
                        _ = await group.next()
                        open -= 1
                    }
                    open += 1
                    group.addTask { await self.talk(over: connection, answer) }
                }
            }
        } onCancel: {
            alarm.ring()
        }
        try Task.checkCancellation()
    }

    /// The next connection; `nil` when there are no more.
    private func accepted() async -> CallbackConnection? {
        await onAThreadOfItsOwn { [listener, alarm] in
            while alarm.wait(for: listener) == .ready {
                // accept(2) returns a descriptor that we must close; -1 if the browser has since gone. Nothing is started
                // afterwards that could inherit it.
                let client = accept(listener, nil, nil)
                if client >= 0 { return CallbackConnection(taking: client) }
            }
            return nil
        }
    }

    private func talk(over connection: CallbackConnection, _ answer: @Sendable (String) async -> Reply) async {
        let reply: Reply
        let authorities = Self.authorities(of: port)
        switch await onAThreadOfItsOwn({ [alarm] in connection.request(for: authorities, alarm) }) {
        case .none: return
        case .malformed: reply = Reply(page: .malformed, isLast: false)
        case .other: reply = Reply(page: .notFound, isLast: false)
        case .callback(let query): reply = await answer(query)
        }
        await onAThreadOfItsOwn { connection.send(reply.page.bytes) }
        if reply.isLast { alarm.ring() }
    }

    private static func cannotListen(_ port: Int, _ number: Int32) -> PlugError {
        let place = port == 0 ? "" : " on port \(port)"
        return PlugError(
            .callbackPort,
            "cannot listen\(place) for the browser to come back: \(String(cString: strerror(number)))",
            advice: "choose another --port, or use --paste"
        )
    }
}
