import CLibCURL

extension Transfer {
    /// Sets what is particular to this request, and unsets what was particular to the last one.
    func configure(_ handle: TransferHandle) throws(HTTPError) {
        let list = CurlList(headers.bytes, count: headers.count)
        self.list = list
        self.handle = handle
        handle.transfer = self

        var options = handle.easy.options()
        handle.setOrigin(url.origin, &options)
        setTarget(&options)
        setMethod(&options)
        setConnection(&options)
        options.note(plughost_curl_set_list(options.pointer, CURLOPT_HTTPHEADER, list.pointer))
        guard options.failure == CURLE_OK else {
            throw HTTPError(
                .internal,
                "libcurl refused an option for a request to \(url.hostAndPort)",
                curlCode: Int32(options.failure.rawValue)
            )
        }
    }

    private func setTarget(_ options: inout EasyOptions) {
        // The path and the query are sent as our parser wrote them. A proxy that does not tunnel is sent the whole URL.
        let isForwarded = guarding.usesProxy && !url.isSecure
        options.set(CURLOPT_REQUEST_TARGET, isForwarded ? url.description : url.target)
    }

    private func setMethod(_ options: inout EasyOptions) {
        var usual = "GET"
        if let body = request.body {
            usual = "POST"
            options.set(CURLOPT_POST, true)
            options.note(
                plughost_curl_set_off(options.pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            )
            // libcurl allocates it for each body, and uses at least 16 KiB.
            options.set(CURLOPT_UPLOAD_BUFFERSIZE, min(256 << 10, max(16 << 10, body.count)))
        } else if request.method == "HEAD" {
            usual = "HEAD"
            options.set(CURLOPT_NOBODY, true)
        } else {
            options.set(CURLOPT_HTTPGET, true)
        }
        options.set(CURLOPT_CUSTOMREQUEST, request.method == usual ? nil : request.method)
    }

    private func setConnection(_ options: inout EasyOptions) {
        options.set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect)
        options.set(CURLOPT_TIMEOUT_MS, request.timeouts.total)
        // An empty string means "no proxy, whatever the environment says".
        options.set(CURLOPT_PROXY, guarding.usesProxy ? guarding.policy.proxy ?? "" : "")
        let group = request.connections
        options.set(CURLOPT_FRESH_CONNECT, request.needsNewConnection || group == nil)
        options.set(CURLOPT_FORBID_REUSE, group == nil)
        // libcurl keeps connections of different scopes apart. TLS sessions are not: a new connection resumes one. A scope has no other
        // effect, except on link-local addresses.
        options.set(CURLOPT_ADDRESS_SCOPE, group.map { Int($0.number) } ?? 0)
        // HTTP/2 if TLS negotiates it; http stays with 1.1.
        let mayBe2 = url.isSecure && !request.needsNewConnection
        options.set(CURLOPT_HTTP_VERSION, mayBe2 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
    }
}
