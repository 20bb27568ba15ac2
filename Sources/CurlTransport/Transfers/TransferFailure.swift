import CLibCURL

extension Transfer {
    /// The error for one of libcurl's results, in our words: libcurl's own text may contain a path or an address.
    func error(for code: CURLcode) -> HTTPError {
        if let failure { return failure }
        let host = url.hostAndPort
        func made(_ kind: HTTPError.Code, _ text: String) -> HTTPError {
            HTTPError(kind, text, mayHaveArrived: attempts > 0, curlCode: Int32(code.rawValue))
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return made(.cannotResolve, "cannot resolve the name of \(host)")
        case CURLE_COULDNT_CONNECT:
            if let refusal, !hasDialled { return guarding.error(refusal) }
            return made(
                .cannotConnect,
                guarding.usesProxy
                    ? "the proxy for \(host) does not answer" : "\(host) does not accept connections"
            )
        case CURLE_OPERATION_TIMEDOUT:
            return made(.timedOut, timeOutText)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
            let detail = handle?.easy.errorText ?? ""
            return made(.tls, "\(host) offers no trusted TLS connection\(detail.isEmpty ? "" : ": \(detail)")")
        case CURLE_PARTIAL_FILE:
            return made(.truncated, "\(host) ended its answer early")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND:
            return hasAnswer
                ? made(.truncated, "\(host) cut off its answer")
                : made(.connectionLost, "\(host) closed the connection before it answered")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            return made(.badResponse, "\(host) sent something that is not HTTP")
        case CURLE_FILESIZE_EXCEEDED:
            return made(.tooLarge, "\(host) sent a body that is too large")
        case CURLE_OUT_OF_MEMORY where attempts > 0, Self.tooLarge:
            // libcurl returns this for a header beyond its own limit of 100 KiB a line.
            let refusal = ResponseReader.headerTooLarge
            return made(refusal.code, "\(host) \(refusal.text)")
        case CURLE_OUT_OF_MEMORY:
            return made(.noMemory, "no memory for a request to \(host)")
        case CURLE_PROXY:
            return made(.cannotConnect, "the proxy does not connect to \(host)")
        default:
            return made(.internal, "libcurl failed with code \(code.rawValue) for \(host)")
        }
    }

    /// CURLE_TOO_LARGE, which libcurl has returned since 8.6 instead of the out-of-memory code.
    private static let tooLarge = CURLcode(rawValue: 100)

    private var timeOutText: String {
        attempts > 0
            ? "\(url.hostAndPort) did not complete its answer within \(request.timeouts.total)"
            : "\(url.hostAndPort) "
                + "\(hasDialled && url.isSecure ? "did not finish a TLS connection" : "did not accept a connection") "
                + "within \(request.timeouts.connect)"
    }

    /// The error for a transfer in which no bytes moved for too long.
    var stalled: HTTPError {
        let text =
            hasAnswer
            ? "sent nothing more of its answer, or less than \(Self.minimumRate) bytes a second, for "
                + "\(request.timeouts.idle)"
            : "did not begin to answer within \(request.timeouts.firstByte)"
        return HTTPError(
            .timedOut,
            "\(url.hostAndPort) \(text)",
            mayHaveArrived: true,
            curlCode: Int32(CURLE_OPERATION_TIMEDOUT.rawValue)
        )
    }

    /// The response of a transfer that succeeded, or why it is refused all the same.
    func outcome() -> Result<HTTPResponse, HTTPError> {
        guard let handle = handle?.easy, let reader else {
            return .failure(HTTPError(.internal, "an answer came without a request"))
        }
        if let refusal = reader.end() {
            refuse(refusal)
            return .failure(error(for: CURLE_WRITE_ERROR))
        }
        var response = HTTPResponse(
            status: reader.status,
            headers: HTTPHeaders(reader.fields),
            body: reader.body.memory,
            sentBytes: handle.long(CURLINFO_REQUEST_SIZE) + handle.size(CURLINFO_SIZE_UPLOAD_T),
            receivedBytes: handle.long(CURLINFO_HEADER_SIZE) + handle.size(CURLINFO_SIZE_DOWNLOAD_T),
            url: url.description
        )
        response.spooled = reader.body.spooled
        return .success(response)
    }
}
