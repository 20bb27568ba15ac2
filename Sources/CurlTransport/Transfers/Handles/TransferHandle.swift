import CLibCURL

/// An easy handle that carries one request of a side after another. What holds for all of them is set once, and every request sets
/// all the rest (`Transfer.configure`).
///
/// Belongs to the loop's thread throughout its life.
final class TransferHandle {
    let easy: EasyHandle
    /// Where its requests go: libcurl parses this once, and not for each request.
    private let originHandle: OriginHandle
    /// The request that it carries; `nil` between two.
    var transfer: Transfer?
    /// When the loop checks the deadlines next.
    let sweep: NextSweep

    /// `nil` if memory is short or libcurl refuses an option. The share must outlive the handle.
    init?(share: UnsafeMutableRawPointer, side: NetworkSide, policy: NetworkPolicy, sweep: NextSweep) {
        guard let easy = EasyHandle(share: share), let originHandle = OriginHandle() else { return nil }
        self.easy = easy
        self.originHandle = originHandle
        self.sweep = sweep
        var options = easy.options()
        Self.setProtocol(&options)
        Self.setNetwork(&options)
        Self.setTLS(&options, side, policy)
        // libcurl calls back only while a transfer runs, and this handle lives longer than that.
        let context = Unmanaged.passUnretained(self).toOpaque()
        options.note(plughost_curl_set_private(options.pointer, context))
        options.note(plughost_curl_on_header(options.pointer, Transfer.onHeader, context))
        options.note(plughost_curl_on_write(options.pointer, Transfer.onWrite, context))
        options.note(plughost_curl_on_read(options.pointer, Transfer.onRead, Transfer.onSeek, context))
        options.note(plughost_curl_on_open_socket(options.pointer, Transfer.onOpenSocket, context))
        options.note(plughost_curl_before_request(options.pointer, Transfer.beforeRequest, context))
        guard options.failure == CURLE_OK else { return nil }
    }

    /// The handle that a context of libcurl's refers to.
    static func from(_ context: UnsafeMutableRawPointer?) -> TransferHandle? {
        context.map { Unmanaged<TransferHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sends its requests to an origin.
    func setOrigin(_ origin: String, _ options: inout EasyOptions) { originHandle.set(origin, for: &options) }

    /// Ends the use of the last request, whose header list can be freed then.
    func clear() {
        // It cannot fail: nothing is allocated.
        _ = plughost_curl_set_list(easy.pointer, CURLOPT_HTTPHEADER, nil)
        transfer = nil
    }

    // Options that are set nowhere have libcurl's defaults, so everything that the environment or a file could change is set.

    private static func setProtocol(_ options: inout EasyOptions) {
        options.set(CURLOPT_PROTOCOLS_STR, "http,https")
        options.set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
        options.set(CURLOPT_FOLLOWLOCATION, false)
        options.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        // `BodyInflater` does this, and notices when a body is cut short.
        options.set(CURLOPT_HTTP_CONTENT_DECODING, false)
        options.set(CURLOPT_HTTP09_ALLOWED, false)
    }

    private static func setNetwork(_ options: inout EasyOptions) {
        options.set(CURLOPT_NOSIGNAL, true)
        // A hanging resolver is left behind and does not block the loop.
        options.set(CURLOPT_QUICK_EXIT, true)
        options.set(CURLOPT_TCP_NODELAY, true)
        options.set(CURLOPT_TCP_KEEPALIVE, true)
        options.set(CURLOPT_BUFFERSIZE, Transfer.receiveBuffer)
        options.set(CURLOPT_NOPROXY, "")
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    }

    private static func setTLS(_ options: inout EasyOptions, _ side: NetworkSide, _ policy: NetworkPolicy) {
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        options.set(CURLOPT_SSL_VERIFYPEER, true)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        // The system's authorities are also in its certificate directory, so this file is used in addition.
        if let file = policy.certificateAuthorityFiles[side] {
            options.set(CURLOPT_CAINFO, file)
            options.set(CURLOPT_CAPATH, "/etc/ssl/certs")
        }
    }
}
