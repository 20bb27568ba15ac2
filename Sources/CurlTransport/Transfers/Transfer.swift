import CLibCURL
import LosslessJSON
import Synchronization

/// One request on its way.
///
/// - Note: `@unchecked Sendable` proof: the constants are Sendable, `cancelWish` is atomic, and every variable is
///   touched by the loop's thread alone, in orders from the inbox and in callbacks that libcurl makes on that thread.
///   The task that made it keeps no more than the constants after it has posted it.
final class Transfer: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

    let request: HTTPRequest
    let url: HTTPURL
    let guarding: AddressGuard
    let headerLines: [String]
    let cancelWish = Atomic(false)

    // MARK: The loop's thread only
    var continuation: Continuation?
    var handle: EasyHandle?
    var headers: HeaderList?
    var reader: ResponseReader
    /// How far the body is sent.
    var bodyOffset = 0
    /// How often the request was begun to be sent.
    var attempts = 0
    /// When bytes last moved, on the monotonic clock.
    var lastActivity: Int64 = 0
    /// Bytes that came or went since the deadline was last put off.
    private var unnotedBytes: Int64 = 0
    /// Whether anything of an answer has come.
    var hasAnswer = false
    /// Why one of the addresses was not dialled.
    var refusal: HTTPError.Code?
    /// Whether some address was dialled.
    var hasDialled = false
    /// Tells the loop to look at the deadlines again: bytes only put them off, but a new phase may have a sooner one.
    var deadlineMayBeSooner: () -> Void = {}
    /// Why a callback ended the transfer.
    var failure: HTTPError?

    /// Checks everything that can be checked before the first byte.
    init(request: HTTPRequest, url: HTTPURL, policy: NetworkPolicy) throws(HTTPError) {
        guard HeaderList.isToken(request.method), request.method != "CONNECT" else {
            throw HTTPError(.invalidRequest, "a request has a method that cannot be sent")
        }
        self.request = request
        self.url = url
        guarding = AddressGuard(url: url, side: request.side, policy: policy)
        headerLines = try HeaderList.lines(of: request.headers, hasBody: request.body != nil)
        reader = ResponseReader(request)
    }

    /// Whether libcurl may send it again by itself: nobody counts it, and sending it twice does nothing twice.
    var mayBeResent: Bool {
        !request.isSentOnce && ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(request.method)
    }

    /// When it is over for want of bytes; `nil` while connecting, which libcurl watches itself.
    var deadline: Int64? {
        guard attempts > 0 else { return nil }
        let limit = hasAnswer ? request.timeouts.idle : request.timeouts.firstByte
        return lastActivity &+ limit.nanoseconds
    }

    /// Notes a failure that a callback is about to end the transfer for.
    func refuse(_ refusal: ResponseReader.Refusal) {
        failure = HTTPError(refusal.code, "\(url.hostAndPort) \(refusal.text)", mayHaveArrived: true)
    }

    /// How slowly bytes may come and go, in bytes a second, counted over the time that may pass without any: a server that
    /// gives a byte now and then holds nobody up for longer than one that gives none.
    static let minimumRate: Int64 = 128

    /// Notes bytes of a body that came or went. They put the deadline off once there are enough of them.
    func noteBytes(_ count: Int) {
        unnotedBytes += Int64(count)
        let milliseconds = min(request.timeouts.idle.nanoseconds / 1_000_000, 1 << 40)
        guard unnotedBytes * 1000 >= milliseconds * Self.minimumRate else { return }
        unnotedBytes = 0
        lastActivity = CurlLibrary.monotonicNow()
    }

    /// Ends it towards the caller, once. A file of a body that nobody gets is gone by then.
    func resume(_ result: Result<HTTPResponse, HTTPError>) {
        reader.dropBody()
        continuation?.resume(returning: result)
        continuation = nil
    }
}

extension Duration {
    /// Whole nanoseconds, at most a century.
    var nanoseconds: Int64 {
        let seconds = min(max(0, components.seconds), 3_000_000_000)
        return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
