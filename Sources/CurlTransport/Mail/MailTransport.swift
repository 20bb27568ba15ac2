import CLibCURL
internal import Glibc
package import PlugCore
internal import Synchronization

/// One mail for one server.
package struct OutgoingMail: Sendable {
    /// The server that accepts it.
    package var server: MailServer
    /// The login for submitting mail there; `nil` if none is needed.
    package var login: (name: String, password: Secret)?
    /// Where bounces go: a bare address.
    package var sender: String
    /// The recipients: bare addresses.
    package var recipients: [String]
    /// Header and body, with the line endings of mail.
    package var message: [UInt8]
    /// Private networks in which the server may be.
    package var networks: [CIDR] = []
    /// How long the whole exchange may take.
    package var timeout = Duration.seconds(60)

    /// A mail.
    package init(server: MailServer, sender: String, recipients: [String], message: [UInt8]) {
        (self.server, self.sender, self.recipients, self.message) = (server, sender, recipients, message)
    }
}

/// Submits mail over SMTP: through libcurl, on a thread of its own, as mails are few.
///
/// The rules are those of requests: TLS with a verified certificate, public addresses unless the operator has opened a network,
/// never metadata services. A server named as this machine need not offer TLS.
package enum MailTransport {
    /// Sends a mail; ends early if the task is cancelled.
    ///
    /// - Throws: `HTTPError`, which names only the server and the code with which it answered.
    package static func send(_ mail: OutgoingMail) async throws(HTTPError) {
        let wish = CancelWish()
        let result = await withTaskCancellationHandler {
            await onAThreadOfItsOwn { Result { () throws(HTTPError) in try MailTransfer(mail, wish).run() } }
        } onCancel: {
            wish.isCancelled.store(true, ordering: .releasing)
        }
        try result.get()
    }
}

/// Whether the caller has stopped waiting.
private final class CancelWish: Sendable {
    let isCancelled = Atomic(false)
}

/// A mail while libcurl sends it. It is created, used and destroyed on one thread.
private final class MailTransfer {
    private let mail: OutgoingMail
    private let wish: CancelWish
    /// How much of the message has been sent.
    private var offset = 0
    /// Whether an address of the server was not dialled, and whether one was.
    private var hasRefused = false
    private var hasDialled = false

    init(_ mail: OutgoingMail, _ wish: CancelWish) { (self.mail, self.wish) = (mail, wish) }

    func run() throws(HTTPError) {
        let recipients = mail.recipients.map { "<\($0)>\0" }.joined()
        let list = CurlList(Array(recipients.utf8), count: mail.recipients.count)
        guard CurlLibrary.start == CURLE_OK, let handle = EasyHandle(share: nil) else {
            throw HTTPError(.internal, "no memory for a mail to \(mail.server.hostAndPort)")
        }
        var options = handle.options()
        setServer(&options)
        // Both lists live until the transfer ends, below.
        options.note(plughost_curl_set_list(options.pointer, CURLOPT_MAIL_RCPT, list.pointer))
        setCallbacks(&options)
        guard options.failure == CURLE_OK else {
            throw HTTPError(
                .internal,
                "libcurl refused an option for a mail to \(mail.server.hostAndPort)",
                curlCode: Int32(options.failure.rawValue)
            )
        }
        // Blocks this thread, which belongs to the transfer; every callback is called inside.
        let code = withExtendedLifetime((self, list)) { curl_easy_perform(handle.pointer) }
        if code != CURLE_OK { throw error(code, handle) }
    }

    private func setServer(_ options: inout EasyOptions) {
        // The URL's path is the name we give in EHLO: the sender's domain, not this machine's name.
        let domain = mail.sender.split(separator: "@").last.map(String.init) ?? "localhost"
        options.set(CURLOPT_URL, "\(mail.server)/\(domain)")
        options.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        options.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        options.set(CURLOPT_PROXY, "")
        options.set(CURLOPT_NOPROXY, "")
        options.set(CURLOPT_NOSIGNAL, true)
        let limits = MailLimits(whole: mail.timeout)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, limits.greeting)
        options.set(CURLOPT_TIMEOUT_MS, limits.whole)
        options.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(limits.answer.components.seconds))
        let security = mail.server.isThisMachine ? CURLUSESSL_NONE : CURLUSESSL_ALL
        options.set(CURLOPT_USE_SSL, Int(security.rawValue))
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        options.set(CURLOPT_SSL_VERIFYPEER, true)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_MAIL_FROM, "<\(mail.sender)>")
        if let login = mail.login {
            options.set(CURLOPT_USERNAME, login.name)
            options.set(CURLOPT_PASSWORD, login.password.reveal())
        }
    }

    private func setCallbacks(_ options: inout EasyOptions) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        options.set(CURLOPT_UPLOAD, true)
        options.note(
            plughost_curl_set_off(options.pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count))
        )
        options.note(plughost_curl_on_read(options.pointer, Self.onRead, Self.onSeek, context))
        options.note(plughost_curl_on_open_socket(options.pointer, Self.onOpenSocket, context))
        options.note(plughost_curl_on_progress(options.pointer, Self.onProgress, context))
        // The server's replies to commands belong to no body.
        options.note(plughost_curl_on_write(options.pointer, { _, size, count, _ in size * count }, context))
    }

    private func error(_ code: CURLcode, _ handle: EasyHandle) -> HTTPError {
        let (server, detail) = (mail.server.hostAndPort, handle.errorText)
        let answer = handle.long(CURLINFO_RESPONSE_CODE)
        func made(_ kind: HTTPError.Code, _ text: String) -> HTTPError {
            HTTPError(kind, text, mayHaveArrived: offset > 0, curlCode: Int32(code.rawValue))
        }
        switch code {
        case CURLE_ABORTED_BY_CALLBACK: return made(.cancelled, "the mail to \(server) was cancelled")
        case CURLE_COULDNT_RESOLVE_HOST: return made(.cannotResolve, "cannot resolve the name of \(server)")
        case CURLE_COULDNT_CONNECT:
            return hasRefused && !hasDialled
                ? made(
                    .addressRefused,
                    "\(server) is neither on the public internet nor in one of the target's 'networks'"
                )
                : made(.cannotConnect, "\(server) does not accept connections")
        case CURLE_OPERATION_TIMEDOUT:
            let passed = Duration.microseconds(handle.size(CURLINFO_TOTAL_TIME_T))
            return made(.timedOut, "\(server) \(MailLimits(whole: mail.timeout).passed(after: passed))")
        case CURLE_USE_SSL_FAILED:
            return made(.tls, "\(server) does not offer TLS (STARTTLS), and no mail is sent without it")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            return made(.tls, "\(server) offers no trusted TLS connection\(detail.isEmpty ? "" : ": \(detail)")")
        case CURLE_LOGIN_DENIED: return made(.badResponse, "\(server) refuses the user name or the password")
        default:
            return answer >= 400
                ? made(.badResponse, "\(server) refused the mail with code \(answer)")
                : made(.connectionLost, "\(server) ended the connection, or does not speak SMTP")
        }
    }

    // MARK: - What libcurl calls, inside curl_easy_perform, with the transfer as the context

    private static func from(_ context: UnsafeMutableRawPointer?) -> MailTransfer? {
        context.map { Unmanaged<MailTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let onRead: plughost_curl_data_callback = { bytes, size, count, context in
        guard let transfer = from(context), let bytes else { return 0 }
        let part = transfer.mail.message[transfer.offset...].prefix(size * count)
        UnsafeMutableRawBufferPointer(start: bytes, count: part.count).copyBytes(from: part)
        transfer.offset += part.count
        return part.count
    }

    private static let onSeek: plughost_curl_seek_callback = { context, offset, origin in
        guard let transfer = from(context), origin == SEEK_SET, (0...transfer.mail.message.count).contains(Int(offset))
        else { return CURL_SEEKFUNC_FAIL }
        transfer.offset = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    private static let onProgress: plughost_curl_progress_callback = { context, _, _, _, _ in
        from(context)?.wish.isCancelled.load(ordering: .acquiring) == true ? 1 : 0
    }

    private static let onOpenSocket: plughost_curl_open_socket_callback = { context, purpose, address in
        guard let transfer = from(context) else { return -1 }
        return openSocket(purpose, address) { target in
            let isAllowed = target.map(transfer.mayDial) ?? false
            if isAllowed { transfer.hasDialled = true } else { transfer.hasRefused = true }
            return isAllowed
        }
    }

    private func mayDial(_ address: IPAddress) -> Bool {
        switch AddressTable.verdict(for: address) {
        case .metadata: false
        case .public: true
        case .private:
            mail.server.isThisMachine && address.isLoopback || mail.networks.contains { $0.contains(address) }
        }
    }
}
