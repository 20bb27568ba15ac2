import CLibCURL

/// Owns the multi handle and, for each side, the share that holds its connections and TLS sessions.
///
/// - Note: `@unchecked Sendable` proof: the pointers are constant. Only the loop's thread uses them, except for
///   curl_multi_wakeup, which libcurl allows from any thread and which the inbox calls only before it is closed; `free` is called
///   once, after that.
final class CurlHandles: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
    private let shares: [NetworkSide: UnsafeMutableRawPointer]
    private let policy: NetworkPolicy

    /// Connections kept open for one side.
    private static let keptConnections = 256

    init(policy: NetworkPolicy) throws(HTTPError) {
        guard CurlLibrary.start == CURLE_OK, let multi = curl_multi_init() else { throw Self.noMemory }
        var shares: [NetworkSide: UnsafeMutableRawPointer] = [:]
        for side in NetworkSide.allCases {
            guard let share = curl_share_init() else { continue }
            shares[side] = share
            // No locks: only one thread uses the share.
            guard plughost_curl_share(share, CURL_LOCK_DATA_CONNECT) == CURLSHE_OK,
                plughost_curl_share(share, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK
            else { break }
        }
        self.policy = policy
        self.multi = multi
        self.shares = shares
        let isKept = plughost_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections) == CURLM_OK
        // One request at a time per connection, also with HTTP/2: libcurl 7.88 lets requests that share one stall each other.
        let isAlone = plughost_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING)) == CURLM_OK
        guard shares.count == NetworkSide.allCases.count, isKept, isAlone else {
            free()
            throw Self.noMemory
        }
    }

    /// A new handle for a side; `nil` if memory is short.
    func transferHandle(for side: NetworkSide, _ sweep: NextSweep) -> TransferHandle? {
        shares[side].flatMap { TransferHandle(share: $0, side: side, policy: policy, sweep: sweep) }
    }

    /// Closes all connections. Every easy handle must have been freed by then.
    func free() {
        // Both return codes meaning "still in use", which is excluded above.
        curl_multi_cleanup(multi)
        for share in shares.values { curl_share_cleanup(share) }
    }

    private static let noMemory = HTTPError(.noMemory, "no memory for libcurl's handles")
}
