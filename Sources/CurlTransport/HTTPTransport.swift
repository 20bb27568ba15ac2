import Synchronization

/// Sends requests through libcurl: one thread, one multi handle, and connections that are kept for the requests of a group.
public final class HTTPTransport: HTTPSending {
    private let loop: TransferLoop
    /// What the transport may dial.
    package let policy: NetworkPolicy

    /// The libraries that do the work, such as `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13`.
    package static var library: String { CurlLibrary.version }

    /// Whether they support https.
    package static var hasTLS: Bool { CurlLibrary.version.contains("SSL") || CurlLibrary.version.contains("TLS") }

    /// Starts the loop's thread, which sleeps until there is something to do.
    ///
    /// - Throws: `.noMemory` if libcurl or the system lacks memory, `.internal` if the proxy is not a URL.
    public init(policy: NetworkPolicy) throws(HTTPError) {
        self.policy = policy
        loop = try TransferLoop(policy: policy)
        try loop.startThread()
    }

    deinit { loop.requestStop(nil) }

    /// Checks whether an address may be dialled, as far as that shows before its name is resolved.
    package func check(_ url: HTTPURL, side: NetworkSide) throws(HTTPError) {
        let check = AddressGuard(url: url, side: side, policy: policy)
        try check.check()
        // Wherever else it is resolved, it is this machine.
        if url.host == "localhost", let address = IPAddress("127.0.0.1"), let code = check.refusal(of: address) {
            throw check.error(code)
        }
    }

    /// Sends a request and waits for the complete response.
    ///
    /// - Throws: `HTTPError` if there is none; `.cancelled` if the task is cancelled.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        let url = try request.address()
        let transfer = try Transfer(request: request, url: url, policy: policy)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.post(.start(transfer, continuation))
            }
        } onCancel: {
            transfer.cancelWish.store(true, ordering: .releasing)
            loop.post(.cancel(transfer))
        }
        return try result.get()
    }

    /// Ends all requests with `.shutDown`, closes the connections and waits for the thread to end.
    public func shutDown() async {
        await withCheckedContinuation { loop.requestStop($0) }
    }
}
