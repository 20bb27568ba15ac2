import CLibCURL
import LosslessJSON

extension Transfer {
    /// Sets all of libcurl's options for this request. Options not set here have libcurl's defaults, so everything that the
    /// environment or a file could change is set.
    func configure(_ handle: EasyHandle) throws(HTTPError) {
        guard let headers = HeaderList(headerLines) else {
            throw HTTPError(.internal, "no memory for a request to \(url.hostAndPort)")
        }
        self.headers = headers
        self.handle = handle
        let context = Unmanaged.passUnretained(self).toOpaque()

        var options = handle.options()
        options.note(plughost_curl_set_private(options.pointer, context))
        setTarget(&options)
        setMethod(&options)
        setNetwork(&options)
        setTLS(&options)
        options.note(plughost_curl_set_list(options.pointer, CURLOPT_HTTPHEADER, headers.pointer))
        options.note(plughost_curl_on_header(options.pointer, Self.onHeader, context))
        options.note(plughost_curl_on_write(options.pointer, Self.onWrite, context))
        options.note(plughost_curl_on_open_socket(options.pointer, Self.onOpenSocket, context))
        options.note(plughost_curl_before_request(options.pointer, Self.beforeRequest, context))
        guard options.failure == CURLE_OK else {
            throw HTTPError(
                .internal,
                "libcurl refused an option for a request to \(url.hostAndPort)",
                curlCode: Int32(options.failure.rawValue)
            )
        }
    }

    private func setTarget(_ options: inout EasyOptions) {
        options.set(CURLOPT_URL, url.description)
        // The path is sent as our parser wrote it.
        options.set(CURLOPT_PATH_AS_IS, true)
        options.set(CURLOPT_PROTOCOLS_STR, "http,https")
        options.set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
        options.set(CURLOPT_FOLLOWLOCATION, false)
        options.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        options.set(CURLOPT_USERAGENT, guarding.policy.userAgent)
        options.set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        // `BodyInflater` does this, and notices when a body is cut short.
        options.set(CURLOPT_HTTP_CONTENT_DECODING, false)
        options.set(CURLOPT_HTTP09_ALLOWED, false)
    }

    private func setMethod(_ options: inout EasyOptions) {
        if let body = request.body {
            options.set(CURLOPT_POST, true)
            options.note(
                plughost_curl_set_off(options.pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            )
            let context = Unmanaged.passUnretained(self).toOpaque()
            options.note(plughost_curl_on_read(options.pointer, Self.onRead, Self.onSeek, context))
            if request.method != "POST" { options.set(CURLOPT_CUSTOMREQUEST, request.method) }
        } else if request.method == "HEAD" {
            options.set(CURLOPT_NOBODY, true)
        } else {
            options.set(CURLOPT_HTTPGET, true)
            if request.method != "GET" { options.set(CURLOPT_CUSTOMREQUEST, request.method) }
        }
    }

    private func setNetwork(_ options: inout EasyOptions) {
        options.set(CURLOPT_NOSIGNAL, true)
        // A hanging resolver is left behind and does not block the loop.
        options.set(CURLOPT_QUICK_EXIT, true)
        options.set(CURLOPT_TCP_NODELAY, true)
        options.set(CURLOPT_TCP_KEEPALIVE, true)
        // Best effort: a handle that failed early, or whose connection is still in use, keeps its buffer across the reset, and
        // libcurl 7.88 then refuses any size. The existing buffer has this size.
        _ = plughost_curl_set_long(options.pointer, CURLOPT_BUFFERSIZE, Self.receiveBuffer)
        // libcurl allocates it for each body, and uses at least 16 KiB.
        options.set(CURLOPT_UPLOAD_BUFFERSIZE, min(256 << 10, max(16 << 10, request.body?.count ?? 0)))
        options.set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect)
        options.set(CURLOPT_TIMEOUT_MS, request.timeouts.total)
        // An empty string means "no proxy, whatever the environment says".
        options.set(CURLOPT_PROXY, guarding.usesProxy ? guarding.policy.proxy ?? "" : "")
        options.set(CURLOPT_NOPROXY, "")
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        options.set(CURLOPT_FRESH_CONNECT, request.needsNewConnection)
        // HTTP/2 if TLS negotiates it; http stays with 1.1.
        let mayBe2 = url.isSecure && !request.needsNewConnection
        options.set(CURLOPT_HTTP_VERSION, mayBe2 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
    }

    private func setTLS(_ options: inout EasyOptions) {
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        options.set(CURLOPT_SSL_VERIFYPEER, true)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        // The system's authorities are also in its certificate directory, so this file is used in addition.
        if let file = guarding.policy.certificateAuthorityFiles[request.side] {
            options.set(CURLOPT_CAINFO, file)
            options.set(CURLOPT_CAPATH, "/etc/ssl/certs")
        }
    }
}
