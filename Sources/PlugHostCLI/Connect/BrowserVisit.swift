internal import Connecting
internal import CurlTransport
internal import OAuth
internal import PlugCore

/// How a person's browser visits a service and returns, whatever the protocol.
struct BrowserVisit: Sendable {
    /// How the browser's answer is received.
    enum Way: Sendable {
        /// At a port of this machine; 0 for a free one.
        case listening(port: Int, opensBrowser: Bool)
        /// The person copies the address.
        case pasting(port: Int?)
    }

    /// The service's name, for messages.
    let host: String
    /// The secrets that no message may quote from the service's text.
    let hidden: HiddenTexts
    /// Where a service's address is.
    let place: @Sendable (HTTPURL) throws(HTTPError) -> HTTPURL
    let way: Way
    let context: CommandContext

    /// The port in the pasted address, if none is given: nothing listens there.
    static let pastedPort = 53_127

    private var clock: any HostClock { context.clock }

    /// Sends the browser to the service, and passes its answer to `finish`, whose text the browser shows.
    ///
    /// - Parameters:
    ///   - begin: Begins a consent with a return address, and returns where the person goes.
    ///   - finish: Does the rest; called at most once.
    /// - Throws: `PlugError`, `CancellationError`, and the errors of the two.
    func run<Pending: AnsweredConsent, Result: Sendable>(
        begin: @Sendable (_ redirectURI: String) async throws -> (Pending, HTTPURL),
        finish: @escaping @Sendable (Pending.Proof) async throws -> (result: Result, words: String)
    ) async throws -> Result {
        switch way {
        case .listening(let port, let opensBrowser):
            let listener = try CallbackListener(port: port)
            let (pending, address) = try await begin(listener.redirectURI)
            let url = routed(address)
            show(url, isOpened: opensBrowser && Browser.open(url.description, context.environment))
            let answer = BrowserAnswer(pending, of: host, hiding: hidden, clock: clock)
            return try await answer.wait(at: listener, finish: finish)
        case .pasting(let port):
            let redirectURI = "http://127.0.0.1:\(port ?? Self.pastedPort)\(CallbackListener.path)"
            var (pending, address) = try await begin(redirectURI)
            let url = routed(address)
            context.errors.write(
                """
                Open this address in any browser and consent:

                  \(url)

                The browser then shows an error, or nothing, at an address that begins with
                \(redirectURI). Copy that whole address, and paste it here:

                """
            )
            return try await finish(try await pasted(for: &pending, redirectURI)).result
        }
    }

    /// The address for the browser: a mock's if one takes the service's place. What may not be dialled here, a browser may open.
    private func routed(_ url: HTTPURL) -> HTTPURL {
        do throws(HTTPError) { return try place(url) } catch { return url }
    }

    /// How often a person may paste something else, such as a line from another window.
    private static let pastes = 10

    private func pasted<Pending: AnsweredConsent>(
        for pending: inout Pending,
        _ redirectURI: String
    ) async throws -> Pending.Proof {
        var left = Self.pastes
        while true {
            guard let query = try await PastedAnswer.query() else {
                throw PlugError(.consentUnanswered, "nothing was pasted", advice: "run it again")
            }
            do { return try pending.answer(query, now: clock.now(), hiding: hidden) } catch {
                left -= 1
                // Unrelated input ends nothing, as with unrelated requests at the callback port.
                guard error.kind == .foreign, left > 0 else { throw error.plugError(from: host) }
                context.errors.write(
                    "This is not the address that the browser came back to. Copy the whole address that begins with\n"
                        + "\(redirectURI), and paste it here:\n\n"
                )
            }
        }
    }

    private func show(_ url: HTTPURL, isOpened: Bool) {
        let first =
            isOpened
            ? "The browser shows what to consent to. If it does not, open this address:"
            : "Open this address in a browser on this machine, and consent:"
        context.errors.write("\(first)\n\n  \(url)\n\nWaiting for the browser to come back (5 minutes) …\n")
    }
}
